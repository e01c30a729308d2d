import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

/** Texts of the mails about agents. */
export const agentTexts = {
  'agent-disabled': {
    en: {
      subject: 'The agent {{agent_name}} was disabled',
      preheader: 'Its last five runs failed.',
      blocks: [
        'Hello {{user_name}},',
        'The last five runs of the agent {{agent_name}} in the workspace {{workspace_name}} failed, so it was disabled. It writes nothing more until you enable it again.',
        { rows: [['Last reason', '{{reason}}']] },
      ],
    },
    tr: {
      subject: '{{agent_name}} ajanı devre dışı bırakıldı',
      preheader: 'Son beş çalışması başarısız oldu.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanındaki {{agent_name}} ajanının son beş çalışması başarısız olduğu için ajan devre dışı bırakıldı. Yeniden etkinleştirene kadar bir şey yazmaz.',
        { rows: [['Son neden', '{{reason}}']] },
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
