import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

/** Texts of the mails about payouts to sellers. */
export const payoutTexts = {
  'payout-account-changed': {
    en: {
      subject: 'Your payout account for {{workspace_name}} was changed',
      preheader: 'If this was you, you do not need to do anything.',
      blocks: [
        'Hello {{user_name}},',
        'Payouts for the workspace {{workspace_name}} go to {{account}} from now on. Date of the change: {{changed_at}}. After a change of an existing account, no payout can be requested for 48 hours.',
        'If this was you, you do not need to do anything.',
        { button: 'View payout account', url: '{{page_url}}' },
      ],
      note: 'If this was not you, change your password now, review your sessions and set the account again: {{app_url}}',
    },
    tr: {
      subject: '{{workspace_name}} için ödeme hesabınız değiştirildi',
      preheader: 'Bunu siz yaptıysanız bir işlem yapmanız gerekmez.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının ödemeleri bundan sonra {{account}} hesabına yapılır. Değişiklik tarihi: {{changed_at}}. Var olan bir hesap değiştirildiğinde 48 saat boyunca ödeme istenemez.',
        'Bunu siz yaptıysanız bir işlem yapmanız gerekmez.',
        { button: 'Ödeme hesabını görüntüle', url: '{{page_url}}' },
      ],
      note: 'Bunu siz yapmadıysanız hemen parolanızı değiştirin, oturumlarınızı gözden geçirin ve hesabı yeniden girin: {{app_url}}',
    },
  },
  'payout-paid': {
    en: {
      subject: 'Your payout of {{amount}} {{currency}} is on its way',
      preheader: 'It was transferred to {{account}}.',
      blocks: [
        'Hello {{user_name}},',
        'Your payout for the workspace {{workspace_name}} was transferred. Banks can take some days until it arrives.',
        {
          rows: [
            ['Amount', '{{amount}} {{currency}}'],
            ['Account', '{{account}}'],
            ['Reference', '{{reference}}'],
          ],
        },
        { button: 'View payouts', url: '{{page_url}}' },
      ],
    },
    tr: {
      subject: '{{amount}} {{currency}} tutarındaki ödemeniz yolda',
      preheader: '{{account}} hesabına aktarıldı.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanı için ödemeniz aktarıldı. Hesabınıza geçmesi birkaç gün sürebilir.',
        {
          rows: [
            ['Tutar', '{{amount}} {{currency}}'],
            ['Hesap', '{{account}}'],
            ['Referans', '{{reference}}'],
          ],
        },
        { button: 'Ödemeleri görüntüle', url: '{{page_url}}' },
      ],
    },
  },
  'payout-failed': {
    en: {
      subject: 'Your payout of {{amount}} {{currency}} failed',
      preheader: '{{reason}}',
      blocks: [
        'Hello {{user_name}},',
        'Your payout for the workspace {{workspace_name}} could not be transferred to {{account}}. The amount is available again. Check the payout account, then request the payout again.',
        {
          rows: [
            ['Amount', '{{amount}} {{currency}}'],
            ['Reason', '{{reason}}'],
          ],
        },
        { button: 'View payouts', url: '{{page_url}}' },
      ],
    },
    tr: {
      subject: '{{amount}} {{currency}} tutarındaki ödemeniz yapılamadı',
      preheader: '{{reason}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanı için ödemeniz {{account}} hesabına aktarılamadı. Tutar yeniden kullanılabilir. Ödeme hesabını kontrol edip ödemeyi yeniden isteyin.',
        {
          rows: [
            ['Tutar', '{{amount}} {{currency}}'],
            ['Neden', '{{reason}}'],
          ],
        },
        { button: 'Ödemeleri görüntüle', url: '{{page_url}}' },
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
