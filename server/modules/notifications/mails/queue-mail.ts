import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type NewMail, queueMail } from '../../mail/mail.ts'
import { type Kind, optionsOf } from '../kinds.ts'
import { mailModeOf, quietUntil, readChannelSettings } from '../preferences.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

type CauseMail = NewMail & { kind: Kind; user_id: string }

/**
 * Queues the mail of a cause that members are notified of, for a user who wants such mails at once. In quiet hours it
 * waits for their end. To users who want the digest, the notification comes with that.
 */
export async function queueNotificationMail(tx: Tx, deps: Deps, { kind, user_id, ...mail }: CauseMail) {
  const { urgent, alwaysMailed } = optionsOf(kind)
  const settings = await readChannelSettings(tx, user_id, 'mail')
  if (!settings || mailModeOf(settings, kind) !== 'now') return
  const notBefore = urgent ? null : quietUntil(settings, deps.clock.now())
  await queueMail(tx, deps, {
    ...mail,
    ...(notBefore && { notBefore }),
    ...(!alwaysMailed && { unsubscribeUrl: unsubscribeUrl(deps, { user_id, kind }) }),
  })
}
