import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'
import { accountTexts } from './account-texts.ts'
import { agentTexts } from './agent-texts.ts'
import { billingTexts } from './billing-texts.ts'
import { gigTexts } from './gig-texts.ts'
import { notificationTexts } from './notification-texts.ts'
import { orderTexts } from './order-texts.ts'
import { payoutTexts } from './payout-texts.ts'

export type { MailKey } from '../catalogue.ts'

/** Meydan's own texts, in its own languages. `{{name}}` is a variable. */
export const texts: Record<MailKey, Record<Language, Letter>> = {
  'signup-otp': {
    en: {
      subject: '{{code}} is your {{app_name}} code',
      preheader: 'The code is valid for {{expires_minutes}} minutes.',
      blocks: [
        'Hello {{user_name}},',
        'Enter this code to verify your email address. It is valid for {{expires_minutes}} minutes.',
        { code: '{{code}}' },
      ],
      note: 'If you did not sign up, you can ignore this email.',
    },
    tr: {
      subject: '{{app_name}} kodunuz: {{code}}',
      preheader: 'Kod {{expires_minutes}} dakika geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        'E-posta adresinizi doğrulamak için bu kodu girin. Kod {{expires_minutes}} dakika geçerlidir.',
        { code: '{{code}}' },
      ],
      note: 'Kaydolan siz değilseniz bu e-postayı dikkate almayın.',
    },
  },
  'email-change': {
    en: {
      subject: '{{code}} is your code to change your {{app_name}} email address',
      preheader: 'New email address: {{new_email}}',
      blocks: [
        'Hello {{user_name}},',
        'A change of the email address of this {{app_name}} account to {{new_email}} was requested. To confirm it, enter this code and the code that was sent to the other address. The codes are valid for {{expires_minutes}} minutes.',
        { code: '{{code}}' },
      ],
      note: 'If you did not request this, do not share the code, and nothing will change. If this is the current address of your account, also change your password: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} e-posta değişikliği kodunuz: {{code}}',
      preheader: 'Yeni e-posta adresi: {{new_email}}',
      blocks: [
        'Merhaba {{user_name}},',
        'Bu {{app_name}} hesabının e-posta adresinin {{new_email}} olarak değiştirilmesi istendi. Onaylamak için bu kodu ve diğer adrese gönderilen kodu girin. Kodlar {{expires_minutes}} dakika geçerlidir.',
        { code: '{{code}}' },
      ],
      note: 'Bunu siz istemediyseniz kodu kimseyle paylaşmayın; hiçbir şey değişmez. Bu adres hesabınızın şu anki adresiyse parolanızı da değiştirin: {{app_url}}',
    },
  },
  'email-changed': {
    en: {
      subject: 'Your {{app_name}} email address was changed',
      preheader: 'New email address: {{new_email}}',
      blocks: [
        'Hello {{user_name}},',
        'The email address of your {{app_name}} account was changed to {{new_email}} on {{changed_at}}. Emails about this account are no longer sent to this address.',
      ],
      note: 'If this was not you, contact an admin of {{app_name}}: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} e-posta adresiniz değiştirildi',
      preheader: 'Yeni e-posta adresi: {{new_email}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{app_name}} hesabınızın e-posta adresi {{changed_at}} tarihinde {{new_email}} olarak değiştirildi. Bu hesapla ilgili e-postalar artık bu adrese gönderilmeyecek.',
      ],
      note: 'Bunu siz yapmadıysanız bir {{app_name}} yöneticisine başvurun: {{app_url}}',
    },
  },
  'password-changed': {
    en: {
      subject: 'Your {{app_name}} password was changed',
      preheader: 'If this was you, you do not need to do anything.',
      blocks: [
        'Hello {{user_name}},',
        'The password of your {{app_name}} account was changed on {{changed_at}}. All other sessions have ended.',
        'If this was you, you do not need to do anything.',
      ],
      note: 'If this was not you, choose a new password now with “Forgot password?” on the sign-in page: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} parolanız değiştirildi',
      preheader: 'Bunu siz yaptıysanız bir işlem yapmanız gerekmez.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{app_name}} hesabınızın parolası {{changed_at}} tarihinde değiştirildi. Diğer tüm oturumlar kapatıldı.',
        'Bunu siz yaptıysanız bir işlem yapmanız gerekmez.',
      ],
      note: 'Bunu siz yapmadıysanız giriş sayfasındaki “Parolanızı mı unuttunuz?” bağlantısıyla hemen yeni bir parola belirleyin: {{app_url}}',
    },
  },
  'two-factor-changed': {
    en: {
      subject: 'Two-factor authentication of your {{app_name}} account was changed',
      preheader: '{{change}}',
      blocks: [
        'Hello {{user_name}},',
        '{{change}} Date of the change: {{changed_at}}.',
        'If this was you, you do not need to do anything.',
      ],
      note: 'If this was not you, change your password now and review your sessions: {{app_url}}',
    },
    tr: {
      subject: '{{app_name}} hesabınızın iki adımlı doğrulaması değiştirildi',
      preheader: '{{change}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{change}} Değişiklik tarihi: {{changed_at}}.',
        'Bunu siz yaptıysanız bir işlem yapmanız gerekmez.',
      ],
      note: 'Bunu siz yapmadıysanız hemen parolanızı değiştirin ve oturumlarınızı gözden geçirin: {{app_url}}',
    },
  },
  'password-reset': {
    en: {
      subject: 'Reset your {{app_name}} password',
      preheader: 'The link is valid for {{expires_minutes}} minutes.',
      blocks: [
        'Hello {{user_name}},',
        'Use this link to choose a new password. It is valid for {{expires_minutes}} minutes.',
        { button: 'Choose a new password', url: '{{reset_url}}' },
      ],
      note: 'If you did not request this, you can ignore this email. Your password has not changed.',
    },
    tr: {
      subject: '{{app_name}} parolanızı sıfırlayın',
      preheader: 'Bağlantı {{expires_minutes}} dakika geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        'Bu bağlantıyla yeni bir parola belirleyebilirsiniz. Bağlantı {{expires_minutes}} dakika geçerlidir.',
        { button: 'Yeni parola belirle', url: '{{reset_url}}' },
      ],
      note: 'Bunu siz istemediyseniz bu e-postayı dikkate almayın. Parolanız değişmedi.',
    },
  },
  invitation: {
    en: {
      subject: '{{inviter_name}} invited you to {{workspace_name}}',
      preheader: 'Your role: {{role}}. The invitation is valid until {{expires_at}}.',
      blocks: [
        'Hello {{user_name}},',
        '{{inviter_name}} invited you to the workspace {{workspace_name}} on {{app_name}}. Your role: {{role}}.',
        { button: 'Accept invitation', url: '{{accept_url}}' },
        'The invitation is valid until {{expires_at}} and only for this email address.',
      ],
      note: 'If you did not expect this invitation, you can ignore this email.',
    },
    tr: {
      subject: '{{inviter_name}} sizi {{workspace_name}} çalışma alanına davet etti',
      preheader: 'Rolünüz: {{role}}. Davet {{expires_at}} tarihine kadar geçerlidir.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{inviter_name}} sizi {{app_name}} üzerindeki {{workspace_name}} çalışma alanına davet etti. Rolünüz: {{role}}.',
        { button: 'Daveti kabul et', url: '{{accept_url}}' },
        'Davet {{expires_at}} tarihine kadar ve yalnızca bu e-posta adresi için geçerlidir.',
      ],
      note: 'Böyle bir davet beklemiyorsanız bu e-postayı dikkate almayın.',
    },
  },
  ...accountTexts,
  ...agentTexts,
  ...notificationTexts,
  ...billingTexts,
  ...gigTexts,
  ...payoutTexts,
  ...orderTexts,
  'post-failed': {
    en: {
      subject: 'A post of {{workspace_name}} failed',
      preheader: '{{post}}',
      blocks: [
        'Hello {{user_name}},',
        'A post that you wrote in the workspace {{workspace_name}} could not be published.',
        {
          rows: [
            ['Post', '{{post}}'],
            ['Scheduled for', '{{scheduled_at}}'],
            ['Failed on', '{{accounts}}'],
            ['Reason', '{{reason}}'],
          ],
        },
        { button: 'View post', url: '{{page_url}}' },
      ],
      note: 'You can turn these emails off in your profile: {{app_url}}/profile',
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanında bir gönderi yayımlanamadı',
      preheader: '{{post}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanında yazdığınız bir gönderi yayımlanamadı.',
        {
          rows: [
            ['Gönderi', '{{post}}'],
            ['Planlanan zaman', '{{scheduled_at}}'],
            ['Yayımlanamayan hesaplar', '{{accounts}}'],
            ['Neden', '{{reason}}'],
          ],
        },
        { button: 'Gönderiyi görüntüle', url: '{{page_url}}' },
      ],
      note: 'Bu e-postaları profilinizden kapatabilirsiniz: {{app_url}}/profile',
    },
  },
  'posts-failed': {
    en: {
      subject: '{{count}} posts of {{workspace_name}} failed',
      preheader: '{{posts}}',
      blocks: [
        'Hello {{user_name}},',
        '{{count}} posts that you wrote in the workspace {{workspace_name}} could not be published: {{posts}}',
        { button: 'View posts', url: '{{page_url}}' },
      ],
      note: 'You can turn these emails off in your profile: {{app_url}}/profile',
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanında {{count}} gönderi yayımlanamadı',
      preheader: '{{posts}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanında yazdığınız {{count}} gönderi yayımlanamadı: {{posts}}',
        { button: 'Gönderileri görüntüle', url: '{{page_url}}' },
      ],
      note: 'Bu e-postaları profilinizden kapatabilirsiniz: {{app_url}}/profile',
    },
  },
  'webhook-failing': {
    en: {
      subject: 'A webhook of {{workspace_name}} has been failing since {{since}}',
      preheader: 'Last failed attempt: {{event_type}}, {{outcome}}',
      blocks: [
        'Hello {{user_name}},',
        'No delivery to this webhook of the workspace {{workspace_name}} has succeeded since {{since}}: {{endpoint}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Check the response of the endpoint, fix the problem, and send a test event.',
        { button: 'View webhook', url: '{{page_url}}' },
        'Meydan keeps retrying. If no delivery succeeds by {{disabled_from}}, it disables the webhook and holds its events for {{kept_days}} days.',
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanının bir webhook’u {{since}} tarihinden beri başarısız oluyor',
      preheader: 'Son başarısız deneme: {{event_type}}, {{outcome}}',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının şu webhook’una {{since}} tarihinden beri hiçbir teslimat başarılı olmadı: {{endpoint}}',
        'Son başarısız deneme: {{event_type}}, {{outcome}}',
        'Uç noktanın yanıtını kontrol edin, sorunu giderin ve bir test olayı gönderin.',
        { button: 'Webhook’u görüntüle', url: '{{page_url}}' },
        'Meydan yeniden denemeye devam eder. {{disabled_from}} tarihine kadar hiçbir teslimat başarılı olmazsa webhook’u devre dışı bırakır ve olayları {{kept_days}} gün bekletir.',
      ],
    },
  },
  'webhook-disabled': {
    en: {
      subject: 'A webhook of {{workspace_name}} was disabled',
      preheader: '{{reason}}',
      blocks: [
        'Hello {{user_name}},',
        'Meydan disabled this webhook of the workspace {{workspace_name}}: {{endpoint}}',
        '{{reason}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Events are held for {{kept_days}} days. When the endpoint works again, enable the webhook and choose which of them to send.',
        { button: 'View webhook', url: '{{page_url}}' },
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
        'Olaylar {{kept_days}} gün bekletilir. Uç nokta yeniden çalıştığında webhook’u etkinleştirin ve hangilerinin gönderileceğini seçin.',
        { button: 'Webhook’u görüntüle', url: '{{page_url}}' },
      ],
    },
  },
}
