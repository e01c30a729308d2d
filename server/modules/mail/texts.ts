import type { Role } from '../../lib/access.ts'
import type { MailKey } from './catalogue.ts'
import type { Letter } from './frame.ts'

export type { MailKey } from './catalogue.ts'

export type Language = 'en' | 'tr'

/** What Meydan writes by itself, in its own languages. `{{name}}` stands for a variable. */
export const texts: Record<MailKey, Record<Language, Letter>> = {
  'signup-otp': {
    en: {
      subject: '{{code}} is your {{app_name}} code',
      preheader: 'It is good for {{expires_minutes}} minutes.',
      blocks: [
        'Hello {{user_name}},',
        'Type this code to confirm your address. It is good for {{expires_minutes}} minutes.',
        { code: '{{code}}' },
      ],
      note: 'If you did not sign up, you can ignore this mail.',
    },
    tr: {
      subject: '{{app_name}} kodunuz: {{code}}',
      preheader: 'Kod {{expires_minutes}} dakika geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        'Adresinizi doğrulamak için bu kodu girin. Kod {{expires_minutes}} dakika geçerlidir.',
        { code: '{{code}}' },
      ],
      note: 'Kaydolan siz değilseniz bu iletiyi yok sayabilirsiniz.',
    },
  },
  'email-change': {
    en: {
      subject: '{{code}} confirms the change of your {{app_name}} address',
      preheader: 'The address is to become {{new_email}}.',
      blocks: [
        'Hello {{user_name}},',
        'The address of this {{app_name}} account is to become {{new_email}}. The code for this mailbox is good for {{expires_minutes}} minutes, together with the code in the other mailbox.',
        { code: '{{code}}' },
      ],
      note: 'If you did not ask for this, tell nobody the code and nothing will change. If it came to the mailbox of your own account, choose a new password as well: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} adres değişikliğinin kodu: {{code}}',
      preheader: 'Yeni adres {{new_email}} olacak.',
      blocks: [
        'Merhaba {{user_name}},',
        'Bu {{app_name}} hesabının adresi {{new_email}} olacak. Bu posta kutusunun kodu, öteki posta kutusundaki kodla birlikte {{expires_minutes}} dakika geçerlidir.',
        { code: '{{code}}' },
      ],
      note: 'Bunu siz istemediyseniz kodu kimseye söylemeyin; hiçbir şey değişmez. Bu ileti kendi hesabınızın posta kutusuna geldiyse yeni bir parola da belirleyin: {{app_url}}',
    },
  },
  'email-changed': {
    en: {
      subject: 'The address of your {{app_name}} account has changed',
      preheader: 'It is {{new_email}} now.',
      blocks: [
        'Hello {{user_name}},',
        'Since {{changed_at}} the address of your {{app_name}} account is {{new_email}}. Mails about it no longer come here.',
      ],
      note: 'If this was not you, write to whoever runs {{app_name}} for you: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} hesabınızın adresi değişti',
      preheader: 'Yeni adres: {{new_email}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{app_name}} hesabınızın adresi {{changed_at}} tarihinden beri {{new_email}}. Hesapla ilgili iletiler artık bu kutuya gelmeyecek.',
      ],
      note: 'Bunu siz yapmadıysanız {{app_name}} yöneticinize yazın: {{app_url}}',
    },
  },
  'password-changed': {
    en: {
      subject: 'Your {{app_name}} password has changed',
      preheader: 'If this was you, there is nothing to do.',
      blocks: [
        'Hello {{user_name}},',
        'The password of your {{app_name}} account was changed on {{changed_at}}. Other sessions have been signed out.',
        'If this was you, there is nothing to do.',
      ],
      note: 'If this was not you, choose a new password at once with “Forgot password” on the sign-in page: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} parolanız değişti',
      preheader: 'Değiştiren sizseniz yapmanız gereken bir şey yok.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{app_name}} hesabınızın parolası {{changed_at}} tarihinde değiştirildi. Diğer oturumlar kapatıldı.',
        'Değiştiren sizseniz yapmanız gereken bir şey yok.',
      ],
      note: 'Değiştiren siz değilseniz giriş sayfasındaki parola sıfırlamayla hemen yeni bir parola belirleyin: {{app_url}}',
    },
  },
  'two-factor-changed': {
    en: {
      subject: 'Two-factor sign-in of your {{app_name}} account has changed',
      preheader: '{{change}}',
      blocks: [
        'Hello {{user_name}},',
        '{{change}} It was changed on {{changed_at}}.',
        'If this was you, there is nothing to do.',
      ],
      note: 'If this was not you, choose a new password at once and look at your sessions: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} hesabınızın iki adımlı girişi değişti',
      preheader: '{{change}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{change}} Değişiklik tarihi: {{changed_at}}.',
        'Değiştiren sizseniz yapmanız gereken bir şey yok.',
      ],
      note: 'Değiştiren siz değilseniz hemen yeni bir parola belirleyin ve oturumlarınıza bakın: {{app_url}}',
    },
  },
  'password-reset': {
    en: {
      subject: 'Choose a new {{app_name}} password',
      preheader: 'The link is good for {{expires_minutes}} minutes.',
      blocks: [
        'Hello {{user_name}},',
        'You can choose a new password within {{expires_minutes}} minutes.',
        { button: 'Choose a new password', url: '{{reset_url}}' },
      ],
      note: 'If you did not ask for this, nothing has changed and you can ignore this mail.',
    },
    tr: {
      subject: 'Yeni {{app_name}} parolanızı belirleyin',
      preheader: 'Bağlantı {{expires_minutes}} dakika geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        'Yeni parolanızı {{expires_minutes}} dakika içinde belirleyebilirsiniz.',
        { button: 'Yeni parola belirle', url: '{{reset_url}}' },
      ],
      note: 'Bunu siz istemediyseniz hiçbir şey değişmedi; bu iletiyi yok sayabilirsiniz.',
    },
  },
  invitation: {
    en: {
      subject: '{{inviter_name}} invites you to {{workspace_name}}',
      preheader: 'Your role will be: {{role}}. The invitation is good until {{expires_at}}.',
      blocks: [
        'Hello {{user_name}},',
        '{{inviter_name}} invites you to the workspace {{workspace_name}} on {{app_name}}. Your role will be: {{role}}.',
        { button: 'Accept the invitation', url: '{{accept_url}}' },
        'It is good until {{expires_at}}, for this address alone.',
      ],
      note: 'If you do not know what this is about, you can ignore this mail.',
    },
    tr: {
      subject: '{{inviter_name}} sizi {{workspace_name}} çalışma alanına davet ediyor',
      preheader: 'Rolünüz: {{role}}. Davet {{expires_at}} tarihine kadar geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{inviter_name}} sizi {{app_name}} üzerindeki {{workspace_name}} çalışma alanına davet ediyor. Rolünüz: {{role}}.',
        { button: 'Daveti kabul et', url: '{{accept_url}}' },
        'Davet {{expires_at}} tarihine kadar ve yalnızca bu adres için geçerlidir.',
      ],
      note: 'Bunun ne olduğunu bilmiyorsanız bu iletiyi yok sayabilirsiniz.',
    },
  },
  'billing-receipt': {
    en: {
      subject: 'Receipt {{invoice_number}} for {{workspace_name}}',
      preheader: '{{amount}} {{currency}} for {{plan_name}}. Thank you.',
      blocks: [
        'Hello {{user_name}},',
        'Thank you: the payment for the workspace {{workspace_name}} has arrived.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Amount', '{{amount}} {{currency}}'],
            ['Invoice', '{{invoice_number}}'],
          ],
        },
        { button: 'Open the invoice', url: '{{invoice_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} için makbuz: {{invoice_number}}',
      preheader: '{{plan_name}} için {{amount}} {{currency}}. Teşekkür ederiz.',
      blocks: [
        'Merhaba {{user_name}},',
        'Teşekkür ederiz: {{workspace_name}} çalışma alanının ödemesi alındı.',
        {
          rows: [
            ['Plan', '{{plan_name}}'],
            ['Tutar', '{{amount}} {{currency}}'],
            ['Fatura', '{{invoice_number}}'],
          ],
        },
        { button: 'Faturayı aç', url: '{{invoice_url}}' },
      ],
    },
  },
  'billing-failed': {
    en: {
      subject: 'The payment for {{workspace_name}} has failed',
      preheader: 'Everything stays as it is until {{deadline}}.',
      blocks: [
        'Hello {{user_name}},',
        'The payment for the plan {{plan_name}} of the workspace {{workspace_name}} has failed. Everything stays as it is until {{deadline}}; pay before then to keep the plan.',
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
      preheader: '{{deadline}} tarihine kadar her şey olduğu gibi kalır.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının {{plan_name}} planı için ödeme alınamadı. {{deadline}} tarihine kadar her şey olduğu gibi kalır; planı korumak için o tarihe kadar ödeyin.',
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
  'webhook-failing': {
    en: {
      subject: 'A webhook of {{workspace_name}} has been failing since {{since}}',
      preheader: 'Last failed attempt: {{event_type}}, {{outcome}}',
      blocks: [
        'Hello {{user_name}},',
        'Nothing has reached this webhook of the workspace {{workspace_name}} since {{since}}: {{endpoint}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Look at what the endpoint answered, mend it, and send a test event.',
        { button: 'Open the webhook', url: '{{page_url}}' },
        'Meydan tries on. When nothing has got through by {{disabled_from}}, it disables the webhook and keeps its events for {{kept_days}} days.',
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanının bir webhook’u hata veriyor: {{since}}',
      preheader: 'Son başarısız deneme: {{event_type}}, {{outcome}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının şu webhook’una {{since}} tarihinden beri hiçbir şey ulaşmadı: {{endpoint}}',
        'Son başarısız deneme: {{event_type}}, {{outcome}}',
        'Adresin ne yanıt verdiğine bakın, sorunu giderin ve bir deneme olayı gönderin.',
        { button: 'Webhook’u aç', url: '{{page_url}}' },
        'Meydan denemeyi sürdürür. {{disabled_from}} tarihine kadar hiçbir şey ulaşmazsa webhook’u devre dışı bırakır ve olaylarını {{kept_days}} gün saklar.',
      ],
    },
  },
  'webhook-disabled': {
    en: {
      subject: 'A webhook of {{workspace_name}} has been disabled',
      preheader: '{{reason}}',
      blocks: [
        'Hello {{user_name}},',
        'Meydan has disabled this webhook of the workspace {{workspace_name}}: {{endpoint}}',
        '{{reason}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Its events are kept for {{kept_days}} days. When the endpoint works again, enable the webhook and choose there from when on they are sent again.',
        { button: 'Open the webhook', url: '{{page_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanının bir webhook’u devre dışı bırakıldı',
      preheader: '{{reason}}',
      blocks: [
        'Merhaba {{user_name}},',
        'Meydan, {{workspace_name}} çalışma alanının şu webhook’unu devre dışı bıraktı: {{endpoint}}',
        '{{reason}}',
        'Son başarısız deneme: {{event_type}}, {{outcome}}',
        'Olayları {{kept_days}} gün saklanır. Adres yeniden çalıştığında webhook’u etkinleştirin ve hangi tarihten sonrakilerin yeniden gönderileceğini orada seçin.',
        { button: 'Webhook’u aç', url: '{{page_url}}' },
      ],
    },
  },
}

/** Why Meydan disabled a webhook. */
export const disabledBecause: Record<Language, Record<'failing' | 'gone', (since: string) => string>> = {
  en: {
    failing: (since) => `Nothing has reached it since ${since}.`,
    gone: () => 'The endpoint answered 410 Gone, which asks that nothing more is sent.',
  },
  tr: {
    failing: (since) => `${since} tarihinden beri hiçbir şey ulaşmadı.`,
    gone: () => 'Adres 410 Gone yanıtını verdi; bu, artık hiçbir şey gönderilmemesini ister.',
  },
}

/** What has happened to two-factor sign-in. */
export const twoFactorChange: Record<Language, Record<'on' | 'off' | 'codes', string>> = {
  en: {
    on: 'Two-factor sign-in is on.',
    off: 'Two-factor sign-in is off.',
    codes: 'There are new backup codes, and the former ones no longer count.',
  },
  tr: {
    on: 'İki adımlı giriş açıldı.',
    off: 'İki adımlı giriş kapatıldı.',
    codes: 'Yeni yedek kodlar oluşturuldu; eskileri artık geçerli değil.',
  },
}

export const roleNames: Record<Language, Record<Role, string>> = {
  en: { viewer: 'viewer', author: 'author', editor: 'editor', admin: 'admin', owner: 'owner' },
  tr: { viewer: 'izleyici', author: 'yazar', editor: 'editör', admin: 'yönetici', owner: 'sahip' },
}

/** The language that a mail to somebody is written in: English when there is none in theirs. */
export const mailLanguage = (locale: string): Language => (locale.split('-')[0] === 'tr' ? 'tr' : 'en')
