import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

export const gigTexts = {
  'gig-taken-down': {
    en: {
      subject: 'Your gig “{{gig_title}}” was taken down',
      preheader: 'Reason: {{reason}}',
      blocks: [
        'Hello {{user_name}},',
        'Your gig is no longer public. Nobody can order it, and running orders go on.',
        {
          rows: [
            ['Gig', '{{gig_title}}'],
            ['Reason', '{{reason}}'],
          ],
        },
        'If you think that this is a mistake, contact the operators of {{app_name}}.',
      ],
    },
    tr: {
      subject: '“{{gig_title}}” ilanınız yayından kaldırıldı',
      preheader: 'Neden: {{reason}}',
      blocks: [
        'Merhaba {{user_name}},',
        'İlanınız artık herkese açık değil. Kimse sipariş veremez; süren siparişler devam eder.',
        {
          rows: [
            ['İlan', '{{gig_title}}'],
            ['Neden', '{{reason}}'],
          ],
        },
        'Bunun bir hata olduğunu düşünüyorsanız {{app_name}} yöneticileriyle iletişime geçin.',
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
