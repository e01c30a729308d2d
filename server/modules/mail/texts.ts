import type { Role } from '../../lib/access.ts'
import { escapeHtml } from '../../lib/html.ts'

/** The mails that Meydan writes by itself, in its own languages. `{{name}}` stands for a variable. */
export type MailKey =
  | 'signup-otp'
  | 'password-reset'
  | 'email-change'
  | 'invitation'
  | 'webhook-failing'
  | 'webhook-disabled'
type Text = { subject: string; paragraphs: string[] }

export const texts: Record<MailKey, Record<'en' | 'tr', Text>> = {
  'signup-otp': {
    en: {
      subject: '{{code}} is your {{app_name}} code',
      paragraphs: [
        'Hello {{user_name}},',
        'Your code is {{code}}. It is good for {{expires_minutes}} minutes.',
        'If you did not sign up, you can ignore this mail.',
      ],
    },
    tr: {
      subject: '{{app_name}} kodunuz: {{code}}',
      paragraphs: [
        'Merhaba {{user_name}},',
        'Kodunuz {{code}}. Kod {{expires_minutes}} dakika geçerlidir.',
        'Kaydolan siz değilseniz bu iletiyi yok sayabilirsiniz.',
      ],
    },
  },
  'email-change': {
    en: {
      subject: '{{code}} confirms the change of your {{app_name}} address',
      paragraphs: [
        'Hello {{user_name}},',
        'The address of this {{app_name}} account is to become {{new_email}}. The code for this mailbox is {{code}}. It is good for {{expires_minutes}} minutes, together with the code in the other mailbox.',
        'If you did not ask for this, tell nobody the code and nothing will change. If it came to the mailbox of your own account, choose a new password as well: {{app_url}}',
      ],
    },
    tr: {
      subject: '{{app_name}} adres değişikliğinin kodu: {{code}}',
      paragraphs: [
        'Merhaba {{user_name}},',
        'Bu {{app_name}} hesabının adresi {{new_email}} olacak. Bu posta kutusunun kodu {{code}}. Kod, öteki posta kutusundaki kodla birlikte {{expires_minutes}} dakika geçerlidir.',
        'Bunu siz istemediyseniz kodu kimseye söylemeyin; hiçbir şey değişmez. Bu ileti kendi hesabınızın posta kutusuna geldiyse yeni bir parola da belirleyin: {{app_url}}',
      ],
    },
  },
  'password-reset': {
    en: {
      subject: 'Choose a new {{app_name}} password',
      paragraphs: [
        'Hello {{user_name}},',
        'Choose a new password here within {{expires_minutes}} minutes: {{reset_url}}',
        'If you did not ask for this, nothing has changed and you can ignore this mail.',
      ],
    },
    tr: {
      subject: 'Yeni {{app_name}} parolanızı belirleyin',
      paragraphs: [
        'Merhaba {{user_name}},',
        'Yeni parolanızı {{expires_minutes}} dakika içinde buradan belirleyin: {{reset_url}}',
        'Bunu siz istemediyseniz hiçbir şey değişmedi; bu iletiyi yok sayabilirsiniz.',
      ],
    },
  },
  invitation: {
    en: {
      subject: '{{inviter_name}} invites you to {{workspace_name}}',
      paragraphs: [
        'Hello {{user_name}},',
        '{{inviter_name}} invites you to the workspace {{workspace_name}} on {{app_name}}. Your role will be: {{role}}.',
        'Accept the invitation here: {{accept_url}}',
        'It is good until {{expires_at}}, for this address alone.',
        'If you do not know what this is about, you can ignore this mail.',
      ],
    },
    tr: {
      subject: '{{inviter_name}} sizi {{workspace_name}} çalışma alanına davet ediyor',
      paragraphs: [
        'Merhaba {{user_name}},',
        '{{inviter_name}} sizi {{app_name}} üzerindeki {{workspace_name}} çalışma alanına davet ediyor. Rolünüz: {{role}}.',
        'Daveti buradan kabul edin: {{accept_url}}',
        'Davet {{expires_at}} tarihine kadar ve yalnızca bu adres için geçerlidir.',
        'Bunun ne olduğunu bilmiyorsanız bu iletiyi yok sayabilirsiniz.',
      ],
    },
  },
  'webhook-failing': {
    en: {
      subject: 'A webhook of {{workspace_name}} has been failing since {{since}}',
      paragraphs: [
        'Hello {{user_name}},',
        'Nothing has reached this webhook of the workspace {{workspace_name}} since {{since}}: {{endpoint}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Look at what the endpoint answered, mend it, and send a test event: {{page_url}}',
        'Meydan tries on. When nothing has got through by {{disabled_from}}, it disables the webhook and keeps its events for {{kept_days}} days.',
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanının bir webhook’u hata veriyor: {{since}}',
      paragraphs: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının şu webhook’una {{since}} tarihinden beri hiçbir şey ulaşmadı: {{endpoint}}',
        'Son başarısız deneme: {{event_type}}, {{outcome}}',
        'Adresin ne yanıt verdiğine bakın, sorunu giderin ve bir deneme olayı gönderin: {{page_url}}',
        'Meydan denemeyi sürdürür. {{disabled_from}} tarihine kadar hiçbir şey ulaşmazsa webhook’u devre dışı bırakır ve olaylarını {{kept_days}} gün saklar.',
      ],
    },
  },
  'webhook-disabled': {
    en: {
      subject: 'A webhook of {{workspace_name}} has been disabled',
      paragraphs: [
        'Hello {{user_name}},',
        'Meydan has disabled this webhook of the workspace {{workspace_name}}: {{endpoint}}',
        '{{reason}}',
        'Last failed attempt: {{event_type}}, {{outcome}}',
        'Its events are kept for {{kept_days}} days. When the endpoint works again, enable the webhook and choose there from when on they are sent again: {{page_url}}',
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanının bir webhook’u devre dışı bırakıldı',
      paragraphs: [
        'Merhaba {{user_name}},',
        'Meydan, {{workspace_name}} çalışma alanının şu webhook’unu devre dışı bıraktı: {{endpoint}}',
        '{{reason}}',
        'Son başarısız deneme: {{event_type}}, {{outcome}}',
        'Olayları {{kept_days}} gün saklanır. Adres yeniden çalıştığında webhook’u etkinleştirin ve hangi tarihten sonrakilerin yeniden gönderileceğini orada seçin: {{page_url}}',
      ],
    },
  },
}

/** Why Meydan disabled a webhook. */
export const disabledBecause: Record<'en' | 'tr', Record<'failing' | 'gone', (since: string) => string>> = {
  en: {
    failing: (since) => `Nothing has reached it since ${since}.`,
    gone: () => 'The endpoint answered 410 Gone, which asks that nothing more is sent.',
  },
  tr: {
    failing: (since) => `${since} tarihinden beri hiçbir şey ulaşmadı.`,
    gone: () => 'Adres 410 Gone yanıtını verdi; bu, artık hiçbir şey gönderilmemesini ister.',
  },
}

export const roleNames: Record<'en' | 'tr', Record<Role, string>> = {
  en: { viewer: 'viewer', author: 'author', editor: 'editor', admin: 'admin', owner: 'owner' },
  tr: { viewer: 'izleyici', author: 'yazar', editor: 'editör', admin: 'yönetici', owner: 'sahip' },
}

/** The language that a mail to somebody is written in: English when there is none in theirs. */
export const mailLanguage = (locale: string) => (locale.split('-')[0] === 'tr' ? 'tr' : 'en')

const fill = (text: string, variables: Record<string, string>, encode = (value: string, _name: string) => value) =>
  text.replace(/\{\{([a-z_]+)\}\}/g, (_, name: string) => encode(variables[name] ?? '', name))

/** Only our own addresses become links: a name that holds one was chosen by whoever signed up. */
const toHtml = (value: string, name: string) => {
  const html = escapeHtml(value)
  return name.endsWith('_url') ? `<a href="${html}">${html}</a>` : html
}

/** Subject, text and HTML of a mail in the recipient's language. */
export function renderMail(key: MailKey, locale: string, variables: Record<string, string>) {
  const { subject, paragraphs } = texts[key][mailLanguage(locale)]
  return {
    // A line break would begin another header.
    subject: fill(subject, variables).replace(/[\r\n]+/g, ' '),
    body_text: `${paragraphs.map((paragraph) => fill(paragraph, variables)).join('\n\n')}\n`,
    body_html: paragraphs.map((paragraph) => `<p>${fill(paragraph, variables, toHtml)}</p>`).join('\n'),
  }
}
