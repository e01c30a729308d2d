import { sql } from 'kysely'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import { unseal } from '../../../lib/crypto/crypto.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { mailboxOf } from '../../../lib/email.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { countCall, uncountCall } from '../../auth/sign-in/attempt-counts.ts'
import { queueMail } from '../../mail/mail.ts'
import { isInScope, isValid } from '../approval/client-link-scope.ts'
import { quotePosts } from '../record/quote-posts.ts'
import { validLinks } from './client-session.ts'
import { clientUnsubscribeUrl, findStop } from './client-unsubscribe.ts'
import { listWaitingPosts } from './reviewed-posts.ts'

/** Time in which posts are collected for one mail. */
const COLLECT_MS = 5 * MINUTE
/** Time after a mail until the first reminder. */
const REMIND_MS = 48 * HOUR
/** Time before the first post of a mail at which the last reminder is due. */
const LAST_REMIND_MS = DAY

/** Time after a mail about new posts until the next one. */
const ASK_AGAIN_MS = 4 * HOUR
/** Mails to one mailbox within a day: from one workspace, and from everybody. */
const MAX_PER_MAILBOX = { workspace: 10, all: 20 }
/** Mails from one workspace within a day. */
const MAX_PER_WORKSPACE = 200

/** Enqueues a job for each link with an address and with posts in review. Erases the addresses and passwords of links that ended. */
export const enqueueClientMails = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await tx
      .updateTable('client_link')
      .set({ client_email: null, sealed_secret: null, hashed_password: null })
      .where((where) => where.or([where('client_email', 'is not', null), where('hashed_password', 'is not', null)]))
      .where(sql<boolean>`not ${isValid(now)}`)
      .execute()
    const links = await tx
      .selectFrom('client_link')
      .select('id')
      .where('client_email', 'is not', null)
      .where('mails_stopped_at', 'is', null)
      .where('may_decide', '=', true)
      .where((where) =>
        where.exists(
          where
            .selectFrom('post')
            .select('post.id')
            .whereRef('post.workspace_id', '=', 'client_link.workspace_id')
            .where('post.review', '=', 'pending')
            .where('post.deleted_at', 'is', null)
            .where(isInScope),
        ),
      )
      .execute()
    for (const { id } of links)
      await addJob(tx, 'mail-client', { client_link_id: id }, { key: `client ${id}`, maxAttempts: 1 })
  })

type Waiting = {
  post_id: string
  scheduled_at: Date | null
  seen_at: Date
  asked_at: Date | null
  reminded_at: Date | null
  last_reminded_at: Date | null
}

/** The first time of posts that is still to come. */
const firstTime = (posts: readonly Waiting[], now: Date) =>
  Math.min(...posts.flatMap(({ scheduled_at }) => (scheduled_at && scheduled_at > now ? [scheduled_at.getTime()] : [])))

/** What is due at a time: a mail about posts that the client does not know of, a reminder, or nothing. */
function dueAt(posts: readonly Waiting[], { lastAskedAt, now }: { lastAskedAt: Date | null; now: Date }) {
  const isSoon = (some: readonly Waiting[]) => firstTime(some, now) - now.getTime() <= LAST_REMIND_MS
  const fresh = posts.filter(({ asked_at }) => asked_at === null)
  const mails = [...Map.groupBy(posts, ({ asked_at }) => asked_at?.getTime())].flatMap(([asked_at, some]) =>
    asked_at === undefined ? [] : { asked_at, posts: some },
  )
  const isFresh =
    now.getTime() - (lastAskedAt?.getTime() ?? 0) >= ASK_AGAIN_MS &&
    fresh.some(({ seen_at }) => now.getTime() - seen_at.getTime() >= COLLECT_MS)
  const reminded = mails.filter(
    ({ asked_at, posts: [first] }) => now.getTime() - asked_at >= REMIND_MS && first?.reminded_at === null,
  )
  const last = mails.filter(({ posts: some }) => some[0]?.last_reminded_at === null && isSoon(some))
  const idsOf = (some: { posts: Waiting[] }[]) => some.flatMap(({ posts }) => posts.map(({ post_id }) => post_id))
  return {
    kind: isFresh ? 'client-request' : reminded.length + last.length > 0 ? 'client-reminder' : null,
    asked: isFresh ? fresh.map(({ post_id }) => post_id) : [],
    reminded: idsOf(reminded),
    // A mail about posts that are due within a day is the last reminder, too.
    lastReminded: [...idsOf(last), ...(isFresh && isSoon(fresh) ? fresh.map(({ post_id }) => post_id) : [])],
  } as const
}

/** Mails the client of a link what waits, once for all posts, or reminds of it. The lock on the link makes it once. */
export const mailClient = (deps: Deps, { client_link_id: id }: { client_link_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const link = await validLinks(tx, id, now)
      .select(['client_link.locale', 'client_link.sealed_secret', 'client_link.asked_at'])
      .where('client_link.mails_stopped_at', 'is', null)
      .where('client_link.may_decide', '=', true)
      .forUpdate('client_link')
      .executeTakeFirst()
    if (!link || link.client_email === null || link.sealed_secret === null) return
    const { workspace_id, client_email } = link
    // The client may have stopped them by a mail of another link.
    const mails_stopped_at = await findStop(tx, deps, { workspace_id, email: client_email })
    if (mails_stopped_at) {
      await tx.updateTable('client_link').set({ mails_stopped_at }).where('id', '=', id).execute()
      return
    }
    const shown = await listWaitingPosts(tx, link)
    await follow(tx, id, shown, now)
    const kept = await tx.selectFrom('client_link_post').selectAll().where('client_link_id', '=', id).execute()
    const times = new Map(shown.map(({ id, scheduled_at }) => [id, scheduled_at]))
    const posts = kept.map((post) => ({ ...post, scheduled_at: times.get(post.post_id) ?? null }))
    const { kind, asked, reminded, lastReminded } = dueAt(posts, { lastAskedAt: link.asked_at, now })
    if (kind === null || !(await countMail(tx, { workspace_id, email: client_email }, now))) return
    const mark = async (column: 'asked_at' | 'reminded_at' | 'last_reminded_at', post_ids: readonly string[]) => {
      if (post_ids.length === 0) return
      await tx
        .updateTable('client_link_post')
        .set({ [column]: now })
        .where('client_link_id', '=', id)
        .where('post_id', 'in', post_ids)
        .execute()
    }
    await mark('asked_at', asked)
    if (asked.length > 0) await tx.updateTable('client_link').set({ asked_at: now }).where('id', '=', id).execute()
    await mark('reminded_at', reminded)
    await mark('last_reminded_at', lastReminded)
    const locale = link.locale ?? 'en'
    const language = languageOf(locale)
    const secret = unseal(deps.keyring, link.sealed_secret, `client_link|${id}|sealed_secret`)
    await queueMail(tx, deps, {
      key: kind,
      to: { address: client_email, name: '' },
      locale,
      unsubscribeUrl: clientUnsubscribeUrl(deps, id),
      variables: {
        workspace_name: link.workspace_name,
        link_name: link.name,
        count: new Intl.NumberFormat(language).format(shown.length),
        posts: quotePosts(
          shown.map(({ content, scheduled_at }) => ({ content, time: scheduled_at })),
          mailTimeFormat(language, link.timezone),
        ),
        page_url: `${deps.baseUrl}/review/${id}#${secret}`,
      },
    })
  })

/** Whether the limits allow another mail, which then counts. One that they refuse is due again later. */
async function countMail(tx: Tx, { workspace_id, email }: { workspace_id: string; email: string }, now: Date) {
  const mailbox = mailboxOf(email)
  const seconds = DAY / 1000
  const quotas = [
    { key: `client mail ${mailbox} workspace ${workspace_id}`, quota: MAX_PER_MAILBOX.workspace, seconds },
    { key: `client mail ${mailbox}`, quota: MAX_PER_MAILBOX.all, seconds },
    { key: `client mails of workspace ${workspace_id}`, quota: MAX_PER_WORKSPACE, seconds },
  ]
  const used = await countCall(tx, quotas, now)
  if (used.every(({ count, quota }) => count <= quota)) return true
  await uncountCall(tx, quotas)
  return false
}

/** Notes the posts that wait now, and forgets the others. A post that says something else is a new one. */
async function follow(tx: Tx, id: string, shown: readonly { id: string; content_hash: string }[], now: Date) {
  const [ids, hashes] = [shown.map(({ id }) => id), shown.map(({ content_hash }) => content_hash)]
  await sql`
    delete from client_link_post where client_link_id = ${id} and (post_id, content_hash) not in (
      select post_id, content_hash from unnest(${ids}::uuid[], ${hashes}::text[]) as waits (post_id, content_hash))`.execute(
    tx,
  )
  await sql`
    insert into client_link_post (client_link_id, post_id, content_hash, seen_at)
    select ${id}::uuid, post_id, content_hash, ${now}
    from unnest(${ids}::uuid[], ${hashes}::text[]) as waits (post_id, content_hash)
    on conflict do nothing`.execute(tx)
}
