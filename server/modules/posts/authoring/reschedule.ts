import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type FieldError, invalid, Problem, problem, refusedFields } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { lockQueues } from '../posting-times/lock.ts'
import type { ReschedulePosts } from '../record/posts.schema.ts'
import { applyChange, finishChanges } from './create-and-change.ts'

type Move = Static<typeof ReschedulePosts>['posts'][number]

const AGAIN = 'Read the posts again and send the current versions of those that are still to move.'

/** Checks the version of one post as If-Match does that of a call. */
const expecting =
  (expected: number): IfMatch =>
  (version) => {
    if (version !== expected) throw problem('version_conflict')
  }

/**
 * Gives several posts other times in one transaction: all of them, or none if one cannot move. The posts that cannot are
 * named. Each change is that of `PATCH /posts/{id}`.
 */
export const reschedulePosts = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  { posts }: Static<typeof ReschedulePosts>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const ids = posts.map(({ id }) => id.toLowerCase())
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
    if (repeated >= 0) throw invalid(`/posts/${repeated}/id`, 'This post is listed twice.')
    const timeless = posts.findIndex(({ scheduled_at, queue }) => scheduled_at === undefined && queue === undefined)
    if (timeless >= 0) throw invalid(`/posts/${timeless}`, 'Send `scheduled_at` or `queue`.', 'required')
    await lockAll(tx, caller, ids, posts)
    const moved: Awaited<ReturnType<typeof applyChange>>[] = []
    const refused: FieldError[] = []
    for (const [index, { id, version, ...time }] of posts.entries())
      try {
        moved.push(
          await applyChange(tx, caller, id, time, {
            now,
            ...(version !== undefined && { ifMatch: expecting(version) }),
          }),
        )
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refused.push(refusalOf(error, index))
      }
    if (refused.some(({ code }) => code === 'version_conflict'))
      throw problem('version_conflict', { detail: AGAIN, errors: refused })
    if (refused.length > 0) throw refusedFields(refused)
    await finishChanges(tx, caller, moved, now)
    return { data: moved.map(({ post }) => post) }
  })

/** Locks the queues and posts of a call in one order, so that calls for the same posts wait for each other. */
async function lockAll(tx: Tx, { workspace_id }: Member, ids: string[], posts: readonly Move[]) {
  const queued = posts.flatMap(({ id, queue }) => (queue ? [id] : []))
  const accounts = await tx
    .selectFrom('post_target')
    .innerJoin('post', 'post.id', 'post_target.post_id')
    .select('post_target.account_id')
    .distinct()
    .where('post.workspace_id', '=', workspace_id)
    .where(sql<boolean>`post.id = any(${queued}::uuid[])`)
    .execute()
  await lockQueues(
    tx,
    accounts.map(({ account_id }) => account_id),
  )
  await tx
    .selectFrom('post')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The first reason why a post cannot move, at its place in the call. */
function refusalOf({ code, message, options }: Problem, index: number): FieldError {
  const [first] = options.errors ?? []
  return first
    ? { ...first, pointer: `/posts/${index}${first.pointer}` }
    : { pointer: `/posts/${index}${code === 'version_conflict' ? '/version' : ''}`, code, message }
}
