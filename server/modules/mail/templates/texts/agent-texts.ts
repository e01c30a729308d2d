import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

/** Texts of the mails about agents and recipes. */
export const agentTexts = {
  'agent-disabled': {
    en: {
      subject: 'The agent {{agent_name}} was disabled',
      preheader: 'Its last five runs failed.',
      blocks: [
        'Hello {{user_name}},',
        'The last five runs of the agent {{agent_name}} in the workspace {{workspace_name}} failed, so it was disabled. It writes nothing more until you enable it again.',
        { rows: [['Last reason', '{{reason}}']] },
        { button: 'Open the agent', url: '{{agent_url}}' },
      ],
    },
    tr: {
      subject: '{{agent_name}} ajanı devre dışı bırakıldı',
      preheader: 'Son beş çalışması başarısız oldu.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanındaki {{agent_name}} ajanının son beş çalışması başarısız olduğu için ajan devre dışı bırakıldı. Yeniden etkinleştirene kadar bir şey yazmaz.',
        { rows: [['Son neden', '{{reason}}']] },
        { button: 'Ajanı aç', url: '{{agent_url}}' },
      ],
    },
  },
  'recipe-taken-down': {
    en: {
      subject: 'Your recipe “{{recipe_name}}” was taken down',
      preheader: 'Reason: {{reason}}',
      blocks: [
        'Hello {{user_name}},',
        'Your recipe is no longer in the catalog. Agents that were installed from it stay.',
        {
          rows: [
            ['Recipe', '{{recipe_name}}'],
            ['Reason', '{{reason}}'],
          ],
        },
        'If you think that this is a mistake, contact the operators of {{app_name}}.',
      ],
    },
    tr: {
      subject: '“{{recipe_name}}” tarifiniz yayından kaldırıldı',
      preheader: 'Neden: {{reason}}',
      blocks: [
        'Merhaba {{user_name}},',
        'Tarifiniz artık katalogda yok. Ondan kurulan ajanlar kalır.',
        {
          rows: [
            ['Tarif', '{{recipe_name}}'],
            ['Neden', '{{reason}}'],
          ],
        },
        'Bunun bir hata olduğunu düşünüyorsanız {{app_name}} yöneticileriyle iletişime geçin.',
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
