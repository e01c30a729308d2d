import type { Static } from 'typebox'
import { invalidTransition, notFound, Problem, problem } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { readApproval } from '../approval/approval.ts'
import { lockPostOf } from '../record/lock-post.ts'
import { type Decision, isTooLate, settleApproval, settleRejection, storeDecision } from '../review/settle-review.ts'
import type { ApprovedPosts, SeenPosts } from './client-review.schema.ts'
import { lockLink, type OpenLink } from './client-session.ts'
import { findReviewedPost } from './reviewed-posts.ts'

/** A post and the content that the client has seen of it. */
type Seen = { id: string; content_version: string }

/** Codes that a client gets. Others would show limits and settings of the workspace. */
const SHOWN = ['not_found', 'content_changed', 'invalid_transition', 'forbidden_role', 'not_an_approver']

/** Stores the decision of a client on the content that was seen, and schedules or rejects the post. */
async function decide(deps: Deps, origin: Origin, link: OpenLink, { id, content_version }: Seen, decision: Decision) {
  const { workspace_id, name } = link
  const now = deps.clock.now()
  const decideIn = async (tx: Tx) => {
    if (!link.may_decide) throw problem('not_an_approver', { detail: 'This link is for looking only.' })
    const before = await lockPostOf(tx, { workspace_id }, id)
    await lockLink(tx, link, now)
    // Keeps its files as they are, too.
    const { open } = await readApproval(tx, workspace_id, id)
    const shown = await findReviewedPost(tx, link, id)
    if (!shown) throw notFound()
    if (shown.content_version !== content_version) throw problem('content_changed')
    if (shown.state !== 'waiting') throw invalidTransition(shown.state, 'decide on a post')
    const step = Math.max(...open.map(({ index }) => index), 0) + 1
    const client = { client_link_id: link.id, client_name: name }
    const approval = await storeDecision(
      tx,
      { workspace_id, post_id: id },
      { ...decision, ...client, content_hash: content_version, step, decided_at: now },
    )
    const decider = {
      workspace_id,
      actor: { ...origin, user_id: null, workspace_id, client_link_id: link.id },
      by: null,
      client_link: { id: link.id, name },
    }
    const within = { ...deps, db: tx }
    if (decision.reason !== null) await settleRejection(within, tx, decider, { id, reason: decision.reason, now })
    else {
      const planned = before.review_scheduled_at
      // The client is not asked for another time. The team gives one.
      const time = planned && (await isTooLate(deps, planned, now)) ? null : planned
      await settleApproval(within, tx, decider, { before, approval, planned: time, now })
    }
    const after = await findReviewedPost(tx, link, id)
    if (!after) throw new Error(`The decision on ${id} is not shown`)
    return after
  }
  return inTransaction(deps.db, decideIn).catch((error: unknown) => {
    throw error instanceof Problem && error.status < 500 && !SHOWN.includes(error.code)
      ? problem('post_not_ready', { cause: error })
      : error
  })
}

export const approveAsClient = (deps: Deps, origin: Origin, link: OpenLink, seen: Seen) =>
  decide(deps, origin, link, seen, { decision: 'approved', reason: null })

export const requestChange = (deps: Deps, origin: Origin, link: OpenLink, seen: Seen, reason: string) =>
  decide(deps, origin, link, seen, { decision: 'rejected', reason })

/** Approves posts as they were seen, each by itself. Those that changed or are refused are left out. */
export async function approveSeen(
  deps: Deps,
  origin: Origin,
  link: OpenLink,
  { posts }: Static<typeof SeenPosts>,
): Promise<Static<typeof ApprovedPosts>> {
  const approved: Static<typeof ApprovedPosts>['approved'] = []
  const left_out: string[] = []
  for (const { id, content_version } of posts) {
    const seen = { id: id.toLowerCase(), content_version }
    const post = await approveAsClient(deps, origin, link, seen).catch((error: unknown) => {
      if (error instanceof Problem && error.status < 500) return undefined
      throw error
    })
    if (post) approved.push(post)
    else left_out.push(seen.id)
  }
  return { approved, left_out }
}
