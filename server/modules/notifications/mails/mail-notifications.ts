import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { queueMail } from '../../mail/mail.ts'
import { collectMs, type Kind, optionsOf } from '../kinds.ts'
import { mailModeOf, quietUntil, readChannelSettings } from '../preferences.ts'
import { sentences } from './sentences.ts'
import { pageOf, takeNotifications } from './take-notifications.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** Lines of one mail. The console has the others. */
const MAX_LINES = 20

/** Returns the lines of a mail, each once, and how many more there are. */
export function linesOf(all: readonly string[]) {
  const lines = [...new Set(all)]
  const more = lines.length - MAX_LINES
  return `${lines.slice(0, MAX_LINES).join('\n')}${more > 0 ? `\n+${more}` : ''}`
}

type Mailed = { user_id: string; kind: Kind }

const keyOf = ({ user_id, kind }: Mailed) => `notifications ${user_id} ${kind}`

/** Enqueues the mail about the notifications of a kind that a user collects from `since`, unless one waits already. */
export const enqueueMails = (tx: Tx, { user_id, kind }: Mailed, since: Date) =>
  addJob(
    tx,
    'mail-notifications',
    { user_id, kind },
    { key: keyOf({ user_id, kind }), keepsRunAt: true, runAt: new Date(since.getTime() + collectMs(kind)) },
  )

/** Mails a user one mail about the notifications of a kind that they have not read. In quiet hours it waits. */
export const mailNotifications = (deps: Deps, { user_id, kind }: Mailed) =>
  inTransaction(deps.db, async (tx) => {
    const settings = await readChannelSettings(tx, user_id, 'mail')
    const mode = settings ? mailModeOf(settings, kind) : 'off'
    const now = deps.clock.now()
    const quiet = settings && mode === 'now' && !optionsOf(kind).urgent ? quietUntil(settings, now) : null
    if (quiet) {
      await addJob(tx, 'mail-notifications', { user_id, kind }, { key: keyOf({ user_id, kind }), runAt: quiet })
      return
    }
    const taken = await takeNotifications(tx, user_id, {
      waiting: sql<boolean>`n.mail = 'now' and e.kind = ${kind}`,
      into: mode === 'digest' ? 'digest' : null,
    })
    const [first] = taken
    if (!settings || mode !== 'now' || !first) return
    const sentence = sentences[languageOf(settings.locale)][kind]
    const subjects = new Set(taken.map(({ subject_id }) => subject_id))
    const more = subjects.size - 1
    await queueMail(tx, deps, {
      key: 'notifications',
      to: { address: settings.email, name: settings.name },
      locale: settings.locale,
      unsubscribeUrl: unsubscribeUrl(deps, { user_id, kind }),
      variables: {
        workspace_name: [...new Set(taken.map(({ workspace_name }) => workspace_name))].join(', '),
        title: `${sentence(first.subject_name)}${more > 0 ? ` +${more}` : ''}`,
        items: linesOf(taken.slice(1).map(({ subject_name }) => sentence(subject_name))),
        page_url: more > 0 ? `${deps.baseUrl}/notifications` : pageOf(deps.baseUrl, first),
        settings_url: `${deps.baseUrl}/profile/notifications`,
      },
    })
  })
