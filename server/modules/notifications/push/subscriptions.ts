import { ECDH } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid, limitExceeded, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { isListed, refusedUrl, type UrlRules } from '../../../lib/outbound/safe-http.ts'
import type { NewPushSubscription } from './subscriptions.schema.ts'

const MAX_SUBSCRIPTIONS = 10
/** Time without an accepted message after which a subscription is deleted. */
const FAILING_MS = 30 * DAY

type Input = Static<typeof NewPushSubscription>

/** Lists the browsers of a user to which notifications are pushed. */
export const listSubscriptions = (db: Db, { user_id, session_id }: User) =>
  db
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.id', 'push_subscription.session_id')
    .select(['push_subscription.id', 'push_subscription.created_at', 'push_subscription.used_at as last_used_at'])
    .select((columns) => [
      sql<string | null>`nullif(session.user_agent, '')`.as('user_agent'),
      columns('push_subscription.session_id', '=', session_id).$castTo<boolean>().as('current'),
    ])
    .where('push_subscription.user_id', '=', user_id)

/** Returns why messages cannot be sent to an address. Plain http is allowed for hosts that the operator lists. */
function refusedEndpoint(endpoint: string, { allow }: UrlRules) {
  const refused = refusedUrl(endpoint, { allow, allowHttp: false })
  if (refused !== undefined) return refused
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'https:' || isListed(hostname, allow) ? undefined : 'The URL must begin with https://.'
}

function isPoint(key: string) {
  try {
    const point = Buffer.from(key, 'base64url')
    // Throws for a point that is not on the curve.
    ECDH.convertKey(point, 'prime256v1')
    return point.length === 65 && point[0] === 4
  } catch {
    return false
  }
}

/** Locks the session until the commit. Throws if it has ended. */
async function lockSession(tx: Tx, { session_id }: User) {
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', session_id)
    .forKeyShare()
    .executeTakeFirst()
  if (!session) throw problem('unauthenticated')
  return session.id
}

/**
 * Subscribes the browser of a session. A session has one browser, so its earlier subscription is replaced, and so is
 * one that another session made in the same browser.
 */
export const subscribe = (
  { db, clock, urlRules }: Pick<Deps, 'db' | 'clock' | 'urlRules'>,
  caller: User,
  input: Input,
) => {
  const { user_id } = caller
  const { endpoint, keys } = input
  const refused = refusedEndpoint(endpoint, urlRules)
  if (refused !== undefined) throw invalid('/endpoint', refused)
  if (!isPoint(keys.p256dh)) throw invalid('/keys/p256dh', 'This is not an uncompressed point on P-256.')
  return inTransaction(db, async (tx) => {
    // Users who subscribe in turns in one browser wait for each other.
    await sql`select pg_advisory_xact_lock(${locks.pushEndpoint}, hashtext(${endpoint}))`.execute(tx)
    await tx.selectFrom('user').select('id').where('id', '=', user_id).forNoKeyUpdate().execute()
    const session_id = await lockSession(tx, caller)
    await tx
      .deleteFrom('push_subscription')
      .where('endpoint', '=', endpoint)
      .where('session_id', '<>', session_id)
      .execute()
    const { count } = await tx
      .selectFrom('push_subscription')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', user_id)
      .where('session_id', '<>', session_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_SUBSCRIPTIONS)
      throw limitExceeded(
        'push_subscriptions',
        MAX_SUBSCRIPTIONS,
        count,
        `Notifications can be pushed to at most ${MAX_SUBSCRIPTIONS} browsers.`,
      )
    const address = { endpoint, p256dh: keys.p256dh, auth: keys.auth }
    const { id } = await tx
      .insertInto('push_subscription')
      .values({ user_id, session_id, ...address, created_at: clock.now() })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ ...address, failing_since: null }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, { ...caller, workspace_id: null }, 'push_subscription.created', id)
    return listSubscriptions(tx, caller).where('push_subscription.id', '=', id).executeTakeFirstOrThrow()
  })
}

export const unsubscribe = (db: Db, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('push_subscription')
      .where('id', '=', id)
      .where('user_id', '=', caller.user_id)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, { ...caller, workspace_id: null }, 'push_subscription.deleted', id)
  })

/** Deletes a subscription that its push service no longer knows. One that was replaced meanwhile stays. */
export const deleteSubscription = (db: Db, { id, endpoint }: { id: string; endpoint: string }) =>
  db.deleteFrom('push_subscription').where('id', '=', id).where('endpoint', '=', endpoint).execute()

export const noteAccepted = (db: Db, id: string, now: Date) =>
  db.updateTable('push_subscription').set({ used_at: now, failing_since: null }).where('id', '=', id).execute()

/** Notes that a message was not accepted. Returns whether it is the first since one was. */
export async function noteFailure(db: Db, id: string, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('push_subscription')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteFailingSubscriptions = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db
    .deleteFrom('push_subscription')
    .where('failing_since', '<', new Date(clock.now().getTime() - FAILING_MS))
    .execute()
