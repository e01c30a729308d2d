import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

/** Texts of the mails about payments and subscriptions. */
export const billingTexts = {
  'billing-receipt': {
    en: {
      subject: 'Receipt {{invoice_number}} for {{workspace_name}}',
      preheader: '{{amount}} {{currency}} for {{plan_name}}. Thank you.',
      blocks: [
        'Hello {{user_name}},',
        'We received your payment for the workspace {{workspace_name}}. Thank you.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
            ['Invoice', '{{invoice_number}}'],
          ],
        },
        { button: 'View invoice', url: '{{invoice_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} için makbuz: {{invoice_number}}',
      preheader: '{{plan_name}} için {{amount}} {{currency}}. Teşekkür ederiz.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanı için ödemenizi aldık. Teşekkür ederiz.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
            ['Fatura', '{{invoice_number}}'],
          ],
        },
        { button: 'Faturayı görüntüle', url: '{{invoice_url}}' },
      ],
    },
  },
  'billing-failed': {
    en: {
      subject: 'Payment failed for {{workspace_name}}',
      preheader: 'Pay by {{deadline}} to keep your plan.',
      blocks: [
        'Hello {{user_name}},',
        'The payment for the plan {{plan_name}} of the workspace {{workspace_name}} failed. Nothing changes until {{deadline}}. Pay by then to keep the plan.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Pay now', url: '{{pay_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} için ödeme alınamadı',
      preheader: 'Planınızı korumak için {{deadline}} tarihine kadar ödeme yapın.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının {{plan_name}} planı için ödeme alınamadı. {{deadline}} tarihine kadar hiçbir şey değişmez. Planı korumak için o tarihe kadar ödeme yapın.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Şimdi öde', url: '{{pay_url}}' },
      ],
    },
  },
  'billing-renewal': {
    en: {
      subject: 'The next period of {{workspace_name}} is due on {{deadline}}',
      preheader: 'Pay by {{deadline}} to keep your plan.',
      blocks: [
        'Hello {{user_name}},',
        'The current period of the plan {{plan_name}} of the workspace {{workspace_name}} ends on {{deadline}}. Pay the next one by then.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Pay', url: '{{pay_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} için sonraki dönemin son ödeme tarihi: {{deadline}}',
      preheader: 'Planınızı korumak için {{deadline}} tarihine kadar ödeme yapın.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının {{plan_name}} planındaki dönemi {{deadline}} tarihinde bitiyor. Sonraki dönemi o tarihe kadar ödeyin.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Öde', url: '{{pay_url}}' },
      ],
    },
  },
  'billing-trial-ending': {
    en: {
      subject: 'The trial of {{workspace_name}} ends on {{deadline}}',
      preheader: 'The first payment follows.',
      blocks: [
        'Hello {{user_name}},',
        'The trial of the plan {{plan_name}} for the workspace {{workspace_name}} ends on {{deadline}}. The first payment follows then, unless you cancel before.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'View subscription', url: '{{pay_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} deneme süresi {{deadline}} tarihinde bitiyor',
      preheader: 'Ardından ilk ödeme alınır.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının {{plan_name}} planındaki deneme süresi {{deadline}} tarihinde bitiyor. Daha önce iptal etmezseniz ilk ödeme o zaman alınır.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Aboneliği görüntüle', url: '{{pay_url}}' },
      ],
    },
  },
  'billing-ended': {
    en: {
      subject: 'The subscription of {{workspace_name}} ended',
      preheader: 'The plan {{plan_name}} no longer applies.',
      blocks: [
        'Hello {{user_name}},',
        'The subscription of the workspace {{workspace_name}} to the plan {{plan_name}} ended on {{deadline}}. Nothing was deleted. The limits of the default plan apply until you subscribe again.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Subscribe again', url: '{{pay_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} aboneliği sona erdi',
      preheader: '{{plan_name}} planı artık geçerli değil.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının {{plan_name}} planı aboneliği {{deadline}} tarihinde sona erdi. Hiçbir şey silinmedi. Yeniden abone olana kadar varsayılan planın sınırları geçerlidir.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Yeniden abone ol', url: '{{pay_url}}' },
      ],
    },
  },
  'payment-requested': {
    en: {
      subject: 'A payment of {{amount}} {{currency}} by {{workspace_name}} waits for you',
      preheader: 'Confirm the payment once the money has arrived.',
      blocks: [
        'Hello {{user_name}},',
        'The workspace {{workspace_name}} pays by a transfer. Approve the payment once the money has arrived. Reject it if none arrives.',
        {
          rows: [
            ['For', '{{item}}'],
            ['Amount', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'View payment requests', url: '{{requests_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}}: {{amount}} {{currency}} tutarındaki ödeme onayınızı bekliyor',
      preheader: 'Para hesabınıza ulaşınca ödemeyi onaylayın.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanı havaleyle ödüyor. Para ulaşınca ödemeyi onaylayın, ulaşmazsa reddedin.',
        {
          rows: [
            ['Konu', '{{item}}'],
            ['Tutar', '{{amount}} {{currency}}'],
          ],
        },
        { button: 'Ödeme taleplerini görüntüle', url: '{{requests_url}}' },
      ],
    },
  },
  'ledger-check-failed': {
    en: {
      subject: 'The ledger does not add up',
      preheader: 'The nightly check found problems.',
      blocks: [
        'Hello {{user_name}},',
        'The nightly check of the ledger found problems. The page says what to do about each. Until the ledger adds up again, you get another e-mail only for a problem of a new kind.',
        {
          rows: [
            ['Problems', '{{count}}'],
            ['The first', '{{problem}}'],
          ],
        },
        { button: 'Open the ledger check', url: '{{ledger_url}}' },
      ],
    },
    tr: {
      subject: 'Defter tutmuyor',
      preheader: 'Gece kontrolü sorun buldu.',
      blocks: [
        'Merhaba {{user_name}},',
        'Defterin gece kontrolü sorun buldu. Sayfa her biri için ne yapılacağını söyler. Defter yeniden tutana kadar yalnızca yeni türden bir sorunda e-posta alırsınız.',
        {
          rows: [
            ['Sorun sayısı', '{{count}}'],
            ['İlki', '{{problem}}'],
          ],
        },
        { button: 'Defter kontrolünü aç', url: '{{ledger_url}}' },
      ],
    },
  },
  'accounts-paused': {
    en: {
      subject: 'Accounts of {{workspace_name}} are paused',
      preheader: 'The plan allows fewer accounts. Nothing was deleted.',
      blocks: [
        'Hello {{user_name}},',
        'The workspace {{workspace_name}} has had more accounts than its plan allows for 14 days. These are paused now. Nothing is published there, and nothing was deleted.',
        { rows: [['Paused', '{{accounts}}']] },
        'Choose a larger plan, and they resume. Or pause another account, and resume one of these.',
        { button: 'View accounts', url: '{{accounts_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} hesapları duraklatıldı',
      preheader: 'Plan daha az hesaba izin veriyor. Hiçbir şey silinmedi.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanında 14 gündür planın izin verdiğinden fazla hesap var. Bu hesaplar şimdi duraklatıldı. Orada hiçbir şey yayımlanmaz; hiçbir şey silinmedi.',
        { rows: [['Duraklatılan', '{{accounts}}']] },
        'Daha büyük bir plan seçerseniz hesaplar devam eder. Ya da başka bir hesabı duraklatıp bunlardan birini devam ettirin.',
        { button: 'Hesapları görüntüle', url: '{{accounts_url}}' },
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
