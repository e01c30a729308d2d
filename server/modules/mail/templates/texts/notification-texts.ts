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
} as const satisfies Partial<Record<MailKey, Record<Language, Letter>>>
