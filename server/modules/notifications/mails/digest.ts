import { sql } from 'kysely'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { nextTimeOfDay } from '../../../lib/wall-clock.ts'
import { queueMail } from '../../mail/mail.ts'
import { DEFAULT_DIGEST_TIME, quietUntil, readChannelSettings } from '../preferences.ts'
import { linesOf } from './mail-notifications.ts'
import { sentences } from './sentences.ts'
import { takeNotifications } from './take-notifications.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** Enqueues the daily mail of each user whose time for it came since their first notification that waits for it. */
export const enqueueDigests = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const waiting = await tx
      .selectFrom('notification')
      .innerJoin('notification_event', 'notification_event.id', 'notification.event_id')
      .innerJoin('user', 'user.id', 'notification.user_id')
      .leftJoin('notification_schedule', 'notification_schedule.user_id', 'notification.user_id')
      .select(['notification.user_id', 'user.timezone', 'digest_time'])
      .select(({ fn }) => fn.min<Date>('notification_event.created_at').as('since'))
      .where('notification.mail', '=', 'digest')
      .groupBy(['notification.user_id', 'user.timezone', 'digest_time'])
      .execute()
    const now = clock.now()
    for (const { user_id, timezone, digest_time, since } of waiting)
      if (nextTimeOfDay(timezone, digest_time ?? DEFAULT_DIGEST_TIME, since) <= now)
        await addJob(tx, 'mail-notification-digest', { user_id }, { key: `notification-digest ${user_id}` })
  })

/** Mails a user what waits for their daily mail and was not read. */
export const mailDigest = (deps: Deps, { user_id }: { user_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const settings = await readChannelSettings(tx, user_id, 'mail')
    const taken = await takeNotifications(tx, user_id, { waiting: sql<boolean>`n.mail = 'digest'` })
    if (!settings || taken.length === 0) return
    const { email, name, locale } = settings
    const language = languageOf(locale)
    const groups = new Set(taken.map(({ group_key }) => group_key))
    await queueMail(tx, deps, {
      key: 'notification-digest',
      to: { address: email, name },
      locale,
      notBefore: quietUntil(settings, deps.clock.now()) ?? undefined,
      unsubscribeUrl: unsubscribeUrl(deps, { user_id, kind: 'digest' }),
      variables: {
        count: new Intl.NumberFormat(language).format(groups.size),
        items: linesOf(
          taken.map(
            ({ kind, subject_name, workspace_name }) => `${workspace_name}: ${sentences[language][kind](subject_name)}`,
          ),
        ),
        page_url: `${deps.baseUrl}/notifications`,
        settings_url: `${deps.baseUrl}/profile/notifications`,
      },
    })
  })
