import { sql } from 'kysely'
import { MINUTE } from '../../../../shared/time.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { FIRST_ID, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { queueNotificationMail } from '../../notifications/mails/queue-mail.ts'
import { notify } from '../../notifications/notify.ts'
import { approversOf, readApproval, waitsForClient } from '../approval/approval.ts'
import { lockQueues } from '../posting-times/lock.ts'
import { findSlot } from '../posting-times/next-slot.ts'
import { postEvents } from '../record/posts.events.ts'
import { quotePosts } from '../record/quote-posts.ts'
import { readPost } from '../record/select-posts.ts'
import { readApprovalPolicies } from './approval-policies.ts'
import { notifyAuthor } from './settle-review.ts'

/** Posts that one query finds. */
const BATCH = 100
/** Collects posts whose times come together in one mail. */
const COLLECT_MS = MINUTE

const EXPIRED = 'Its time came before it was approved.'

/** Condition: the time of a post came while it waits for review, and nothing was done about that yet. */
const isMissed = (now: Date) => sql<boolean>`(post.review = 'pending' and post.deleted_at is null
  and post.review_scheduled_at <= ${now} and post.review_missed_for is distinct from post.review_scheduled_at)`

/** Does what the workspace chose with posts whose time comes before they are approved. */
export async function handleMissedTimes(deps: Deps) {
  const { workerDatabase, clock } = deps
  const errors: unknown[] = []
  let after = FIRST_ID
  for (;;) {
    const now = clock.now()
    const posts = await workerDatabase.db
      .selectFrom('post')
      .select(['id', 'workspace_id'])
      .where(isMissed(now))
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    for (const post of posts)
      await inTransaction(deps.db, (tx) => handleMissedTime(deps, tx, post, now)).catch((error) => errors.push(error))
    const last = posts.at(-1)
    if (!last || posts.length < BATCH) break
    after = last.id
  }
  if (errors.length) throw new AggregateError(errors, 'Some missed times could not be handled.')
}

type Waiting = { id: string; workspace_id: string }

async function handleMissedTime({ lifecycle }: Deps, tx: Tx, { id, workspace_id }: Waiting, now: Date) {
  const locked = await tx
    .selectFrom('post')
    .select('review_scheduled_at')
    .where('id', '=', id)
    .where(isMissed(now))
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return
  const missed = locked.review_scheduled_at
  const { when_unapproved } = await readApprovalPolicies(tx, { workspace_id })
  const slot = when_unapproved === 'next_slot' ? await nextSlot(tx, { id, workspace_id }, now) : null
  const expires = when_unapproved === 'expire'
  await tx
    .updateTable('post')
    .set({
      updated_at: nextUpdatedAt(now),
      ...(slot
        ? { review_scheduled_at: slot, queued_for: slot }
        : { review_missed_for: missed, review_missed_mail: !expires }),
      ...(expires && { review: 'rejected', review_reason: EXPIRED }),
    })
    .where('id', '=', id)
    .execute()
  const post = await readPost(tx, { workspace_id }, id)
  const chosen = expires ? 'expire' : slot ? 'next_slot' : 'wait'
  await audit(tx, system(workspace_id), 'post.review_missed', id, { scheduled_at: missed, chosen })
  if (!expires) await emit(tx, postEvents['post.review.requested'], workspace_id, { post, by: null }, now)
  else {
    const { content_hash } = await readApproval(tx, workspace_id, id)
    const decision = { decision: 'rejected', reason: EXPIRED, step: 1, decided_at: now }
    await tx
      .insertInto('review_decision')
      .values({ workspace_id, post_id: id, content_hash, ...decision })
      .execute()
    await emit(tx, postEvents['post.review.rejected'], workspace_id, { post, by: null, client_link: null }, now)
    await lifecycle.onPostReviewed(tx, { post_id: id, review: 'expired', reason: 'not_decided', now })
  }
  if (expires) await notifyAuthor(tx, 'review.rejected', post, { actor_id: null, detail: EXPIRED, now })
  if (chosen === 'wait') {
    await notify(
      tx,
      {
        ...{ kind: 'review.missed', workspace_id, cause: String(missed?.toISOString()) },
        subject: { id, name: post.content },
        to: { user_ids: [post.author_id] },
      },
      now,
    )
    await addJob(
      tx,
      'mail-missed-times',
      { workspace_id },
      { key: `missed-times ${workspace_id}`, keepsRunAt: true, runAt: new Date(now.getTime() + COLLECT_MS) },
    )
  }
}

/** The next free slot of the queue; null without one. */
async function nextSlot(tx: Tx, { id, workspace_id }: Waiting, now: Date) {
  const { targets } = await readPost(tx, { workspace_id }, id)
  const account_ids = targets.map(({ account_id }) => account_id)
  await lockQueues(tx, account_ids)
  const slot = await findSlot(tx, { workspace_id, account_ids, now, post_id: id })
  return slot instanceof Date ? slot : null
}

/** Posts that are still waiting, each with those who are told: its author and those who can approve it now. */
async function toldPosts(tx: Tx, workspace_id: string) {
  const posts = await tx
    .updateTable('post')
    .set({ review_missed_mail: false })
    .where('workspace_id', '=', workspace_id)
    .where('review_missed_mail', '=', true)
    .returning(['id', 'content', 'author_id', 'review', 'review_scheduled_at', 'review_missed_for', 'deleted_at'])
    .execute()
  const told: { content: string; time: Date; user_ids: string[] }[] = []
  for (const { id, content, author_id, ...post } of posts) {
    const time = post.review_scheduled_at
    if (post.review !== 'pending' || post.deleted_at || !time || +time !== Number(post.review_missed_for)) continue
    const approval = await readApproval(tx, workspace_id, id)
    // A client has no address here. Editors can give them another link.
    const people = waitsForClient(approval) ? approval.team.members : approversOf(approval)
    const user_ids = [...people.map(({ user_id }) => user_id), ...(author_id ? [author_id] : [])]
    if (user_ids.length > 0) told.push({ content, time, user_ids })
  }
  return told
}

/** Mails authors and approvers once which posts were not approved in time. */
export const mailMissedTimes = (deps: Deps, { workspace_id }: { workspace_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const posts = (await toldPosts(tx, workspace_id)).toSorted((a, b) => +a.time - +b.time)
    if (posts.length === 0) return
    const members = await tx
      .selectFrom('workspace_member')
      .innerJoin('user', 'user.id', 'workspace_member.user_id')
      .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
      .select(['user.id', 'user.email', 'user.name', 'user.locale', 'user.timezone'])
      .select(['workspace.name as workspace_name', 'workspace.slug'])
      .where('workspace.id', '=', workspace_id)
      .where('workspace.deleted_at', 'is', null)
      .where('user.id', 'in', [...new Set(posts.flatMap(({ user_ids }) => user_ids))])
      .where('user.email_verified', '=', true)
      .where('user.banned_at', 'is', null)
      .orderBy('user.id')
      .execute()
    for (const { id, email, name, locale, timezone, workspace_name, slug } of members) {
      const language = languageOf(locale)
      const theirs = posts.filter(({ user_ids }) => user_ids.includes(id))
      await queueNotificationMail(tx, deps, {
        kind: 'review.missed',
        user_id: id,
        key: 'posts-unapproved',
        to: { address: email, name },
        locale,
        variables: {
          workspace_name,
          count: new Intl.NumberFormat(language).format(theirs.length),
          posts: quotePosts(theirs, mailTimeFormat(language, timezone)),
          page_url: `${deps.baseUrl}/w/${slug}/review`,
        },
      })
    }
  })
