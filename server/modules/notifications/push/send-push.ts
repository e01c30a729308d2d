/**
 * Pushes notifications to the browsers of users. A job is about one group of notifications and one browser, and
 * describes what is unread when it runs, so further events of the group become one message. A message whose response was
 * lost is sent again: its tag replaces the first.
 */
import { sql } from 'kysely'
import { DAY, SECOND } from '../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { retryAfterSeconds } from '../../../lib/http/retry-after.ts'
import { languageOf } from '../../../lib/language.ts'
import { boundedRequest } from '../../../lib/outbound/bounded-request.ts'
import { ForbiddenAddress } from '../../../lib/outbound/safe-http.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { isKind, optionsOf, type SubjectType } from '../kinds.ts'
import { mayRead } from '../may-read.ts'
import { isPushed, quietUntil, readChannelSettings } from '../preferences.ts'
import { readSigningKey } from './push-key.ts'
import { type PushMessage, pushMessage, shortened } from './push-message.ts'
import { deleteSubscription, noteAccepted, noteFailure } from './subscriptions.ts'

/** `event_id`: the first event of the group that has not been pushed. */
export type Push = { subscription_id: string; group_key: string; event_id: string; attempt?: number }

/** Time in which notifications of a group are collected for one message. */
const COLLECT_MS = 10 * SECOND
/** Age of a notification at which its message is given up. Push services keep a message for as long. */
const LIFETIME_MS = DAY
const FIRST_RETRY_S = 30
const MAX_RETRY_S = 3600
const TIMEOUT_MS = 10 * SECOND
const MAX_RESPONSE_BYTES = 10_000

type Enqueued = Omit<Push, 'attempt' | 'subscription_id'> & { since: Date }

/** Jobs of one user run in turn, so that a push service that hangs does not keep others waiting. */
const optionsFor = ({ subscription_id, group_key }: Push, user_id: string, runAt: Date) => ({
  key: `push ${subscription_id} ${group_key}`,
  queue: `push ${user_id}`,
  runAt,
})

/** Enqueues messages about an event to all browsers of these users. */
export async function enqueuePushes(tx: Tx, user_ids: string[], { group_key, event_id, since }: Enqueued) {
  if (user_ids.length === 0) return
  const subscriptions = await tx
    .selectFrom('push_subscription')
    .select(['id', 'user_id'])
    .where('user_id', 'in', user_ids)
    .execute()
  for (const { id, user_id } of subscriptions) {
    const push = { subscription_id: id, group_key, event_id }
    const options = optionsFor(push, user_id, new Date(since.getTime() + COLLECT_MS))
    await addJob(tx, 'send-push', push, { ...options, keepsRunAt: true })
  }
}

type Row = {
  id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  kind: string
  group_key: string
  subject_type: SubjectType
  subject_id: string
  subject_name: string
  created_at: Date
  workspace_name: string | null
  slug: string | null
  more: number
}

/** The newest unread notification of the group, which its user may see, and the subscription. */
async function readDue({ db, clock }: Deps, { subscription_id, group_key, event_id }: Push) {
  const { rows } = await sql<Row>`
    select s.id, s.user_id, s.endpoint, s.p256dh, s.auth, e.kind, n.group_key, e.subject_type, e.subject_id,
      e.subject_name, e.created_at, workspace.name as workspace_name, workspace.slug,
      (select count(distinct other.subject_id)::int from notification unread
        join notification_event other on other.id = unread.event_id
        where unread.user_id = n.user_id and unread.group_key = n.group_key and unread.read_at is null
          and other.subject_id <> e.subject_id) as more
    from push_subscription s
    join session on session.id = s.session_id and session.expires_at > ${clock.now()}
    join notification n on n.user_id = s.user_id and n.group_key = ${group_key}
    join notification_event e on e.id = n.event_id
    left join workspace on workspace.id = e.workspace_id
    where s.id = ${subscription_id} and n.event_id >= ${event_id} and n.read_at is null and ${mayRead(sql`n.user_id`)}
    order by n.event_id desc limit 1`.execute(db)
  const [row] = rows
  return row && isKind(row.kind) ? { ...row, kind: row.kind } : undefined
}

/** Sends one message, unless all of the group was read meanwhile. In quiet hours it waits, except for urgent kinds. */
export async function sendPush(deps: Deps, push: Push, timeoutMs = TIMEOUT_MS) {
  const { db, clock } = deps
  const due = await readDue(deps, push)
  if (!due) return
  const { kind, user_id } = due
  const settings = await readChannelSettings(db, user_id, 'push')
  if (!settings || !isPushed(settings, kind)) return
  const now = clock.now()
  const end = new Date(due.created_at.getTime() + LIFETIME_MS)
  const urgent = optionsOf(kind).urgent === true
  const again = (runAt: Date, attempt = push.attempt ?? 0) =>
    inTransaction(db, (tx) => addJob(tx, 'send-push', { ...push, attempt }, optionsFor(push, user_id, runAt)))
  const quiet = urgent ? null : quietUntil(settings, now)
  if (quiet) return again(quiet)

  const result = await send(deps, due, pushMessage(due, languageOf(settings.locale)), { urgent, timeoutMs })
  if (result.outcome === 'accepted') return noteAccepted(db, due.id, now)
  if (result.outcome === 'gone') return deleteSubscription(db, due)
  if (result.outcome === 'retry') {
    const attempt = push.attempt ?? 0
    const seconds = Math.max(result.retryAfter, Math.min(FIRST_RETRY_S * 2 ** attempt, MAX_RETRY_S))
    const next = new Date(now.getTime() + seconds * SECOND)
    if (next <= end) return again(next, attempt + 1)
  }
  if (await noteFailure(db, due.id, now))
    deps.log.warn(
      { subscription_id: due.id, origin: new URL(due.endpoint).origin, reason: result.reason },
      'a push service does not take the messages to a browser',
    )
}

type Result =
  | { outcome: 'accepted' }
  | { outcome: 'gone' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'retry'; reason: string; retryAfter: number }

type Subscription = Pick<Row, 'endpoint' | 'p256dh' | 'auth'>
type Sending = { urgent: boolean; timeoutMs: number }

async function send(deps: Deps, to: Subscription, message: PushMessage, sending: Sending): Promise<Result> {
  try {
    const first = await call(deps, to, message, sending)
    const { status, headers } = first.status === 413 ? await call(deps, to, shortened(message), sending) : first
    if (status >= 200 && status < 300) return { outcome: 'accepted' }
    if (status === 404 || status === 410) return { outcome: 'gone' }
    const reason = `status ${status}`
    if (status === 408 || status === 429 || status >= 500)
      return { outcome: 'retry', reason, retryAfter: retryAfterSeconds(headers['retry-after'], deps.clock.now()) }
    return { outcome: 'refused', reason }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return error instanceof ForbiddenAddress
      ? { outcome: 'refused', reason }
      : { outcome: 'retry', reason, retryAfter: 0 }
  }
}

/** Returns the contact for push services (RFC 8292): the address of this installation, or an e-mail address if that is not https. */
function subjectOf(baseUrl: string) {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'https:' && hostname !== 'localhost' ? baseUrl : `mailto:postmaster@${hostname}`
}

async function call(deps: Deps, { endpoint, p256dh, auth }: Subscription, message: PushMessage, sending: Sending) {
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: subjectOf(deps.baseUrl), ...(await readSigningKey(deps)) },
      contentEncoding: 'aes128gcm',
      TTL: LIFETIME_MS / SECOND,
      urgency: sending.urgent ? 'high' : 'normal',
      topic: message.tag,
    },
  )
  return boundedRequest({
    dispatcher: deps.dispatcher,
    url: endpoint,
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
    timeoutMs: sending.timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
  })
}
