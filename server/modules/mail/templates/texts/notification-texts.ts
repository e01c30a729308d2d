import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

export const notificationTexts = {
  notifications: {
    en: {
      subject: '{{title}}',
      preheader: 'Workspace {{workspace_name}}',
      blocks: [
        'Hello {{user_name}},',
        '{{title}}',
        { lines: '{{items}}' },
        { rows: [['Workspace', '{{workspace_name}}']] },
        { button: 'Open', url: '{{page_url}}' },
      ],
      note: 'You choose what {{app_name}} mails to you: {{settings_url}}',
    },
    tr: {
      subject: '{{title}}',
      preheader: '{{workspace_name}} çalışma alanı',
      blocks: [
        'Merhaba {{user_name}},',
        '{{title}}',
        { lines: '{{items}}' },
        { rows: [['Çalışma alanı', '{{workspace_name}}']] },
        { button: 'Aç', url: '{{page_url}}' },
      ],
      note: '{{app_name}} uygulamasının size hangi e-postaları göndereceğini siz seçersiniz: {{settings_url}}',
    },
  },
  'notification-digest': {
    en: {
      subject: 'Your day on {{app_name}}: {{count}} notifications',
      preheader: 'What happened since the last summary.',
      blocks: [
        'Hello {{user_name}},',
        'This happened since the last summary ({{count}}):',
        { lines: '{{items}}' },
        { button: 'Open the notifications', url: '{{page_url}}' },
      ],
      note: 'You choose what {{app_name}} mails to you: {{settings_url}}',
    },
    tr: {
      subject: '{{app_name}} günlük özeti: {{count}} bildirim',
      preheader: 'Son özetten bu yana olanlar.',
      blocks: [
        'Merhaba {{user_name}},',
        'Son özetten bu yana olanlar ({{count}}):',
        { lines: '{{items}}' },
        { button: 'Bildirimleri aç', url: '{{page_url}}' },
      ],
      note: '{{app_name}} uygulamasının size hangi e-postaları göndereceğini siz seçersiniz: {{settings_url}}',
    },
  },
  'client-request': {
    en: {
      subject: '{{workspace_name}}: posts wait for your approval ({{count}})',
      preheader: '{{workspace_name}} asks you to look at posts before they are published.',
      blocks: [
        'Hello {{user_name}},',
        '{{workspace_name}} asks you to look at posts before they are published ({{count}}):',
        { lines: '{{posts}}' },
        { button: 'Look at the posts', url: '{{page_url}}' },
        'You need no account. Anyone with this link can approve the posts, so forward it with care.',
      ],
      note: 'You get this email because {{workspace_name}} entered your address for “{{link_name}}”.',
    },
    tr: {
      subject: '{{workspace_name}}: gönderiler onayınızı bekliyor ({{count}})',
      preheader: '{{workspace_name}} yayımlanmadan önce gönderilere bakmanızı istiyor.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} yayımlanmadan önce gönderilere bakmanızı istiyor ({{count}}):',
        { lines: '{{posts}}' },
        { button: 'Gönderilere bak', url: '{{page_url}}' },
        'Hesap gerekmez. Bu bağlantıya sahip herkes gönderileri onaylayabilir; iletirken dikkatli olun.',
      ],
      note: 'Bu e-postayı, {{workspace_name}} adresinizi “{{link_name}}” için girdiği için alıyorsunuz.',
    },
  },
  'client-reminder': {
    en: {
      subject: '{{workspace_name}}: posts still wait for your approval ({{count}})',
      preheader: 'They are not published before you approve them.',
      blocks: [
        'Hello {{user_name}},',
        'These posts of {{workspace_name}} still wait for your approval, and are not published before it ({{count}}):',
        { lines: '{{posts}}' },
        { button: 'Look at the posts', url: '{{page_url}}' },
      ],
      note: 'You get this email because {{workspace_name}} entered your address for “{{link_name}}”.',
    },
    tr: {
      subject: '{{workspace_name}}: gönderiler hâlâ onayınızı bekliyor ({{count}})',
      preheader: 'Siz onaylamadan yayımlanmazlar.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanının şu gönderileri hâlâ onayınızı bekliyor ve onaysız yayımlanmaz ({{count}}):',
        { lines: '{{posts}}' },
        { button: 'Gönderilere bak', url: '{{page_url}}' },
      ],
      note: 'Bu e-postayı, {{workspace_name}} adresinizi “{{link_name}}” için girdiği için alıyorsunuz.',
    },
  },
} as const satisfies Partial<Record<MailKey, Record<Language, Letter>>>
