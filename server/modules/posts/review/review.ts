import type { Static } from 'typebox'
import { invalidTransition, problem } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { keepsApproval, readApproval } from '../approval/approval.ts'
import { announceReview, isUnapproved, putInReview } from '../approval/put-in-review.ts'
import { validateAndRead } from '../authoring/create-and-change.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { updatePostQuota } from '../record/quota.ts'
import { parseScheduledAt } from '../record/scheduled-time.ts'
import type { ApprovePost, RejectPost, RequestApproval } from './review.schema.ts'
import { type Decider, type Decision, settleApproval, settleRejection, storeDecision } from './settle-review.ts'

/** Asks for the approval of a draft or a scheduled post, and again for one that was rejected. */
export const requestApproval = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { scheduled_at }: Static<typeof RequestApproval>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    const { workspace_id } = caller
    const isDecided =
      before.review === 'pending' ||
      (before.review === 'approved' && (await keepsApproval(tx, { ...before, workspace_id })))
    if (isDecided || (before.status !== 'draft' && before.status !== 'scheduled'))
      throw invalidTransition(isDecided ? before.review : before.status, 'ask for an approval')
    if (before.is_idea) throw invalidTransition('idea', 'ask for an approval')
    const kept = before.review_scheduled_at ?? before.scheduled_at
    const known = kept && kept > now ? kept : null
    const given = scheduled_at ? parseScheduledAt(scheduled_at, now) : null
    const planned = scheduled_at === undefined ? known : given
    // As a scheduled post, it is refused if its networks would.
    await tx
      .updateTable('post')
      .set({ status: 'scheduled', scheduled_at: planned ?? now, ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const valid = await validateAndRead(tx, workspace_id, id)
    const post = await putInReview(tx, valid, { planned, now })
    await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id, before, time: null, now })
    return post
  })

/** Keeps the decision of a member on the content as it is now. Returns what is still open. */
async function decideAsMember(tx: Tx, caller: Member, id: string, decision: Decision, now: Date) {
  const { workspace_id, user_id } = caller
  const { open, content_hash, team } = await readApproval(tx, workspace_id, id)
  const mine = open.filter(({ approvers }) => approvers.some((approver) => approver.user_id === user_id))
  // Policies that became weaker meanwhile can leave nothing open.
  if (open.length > 0 && mine.length === 0) throw notAnApprover(caller, team.author_id)
  return storeDecision(
    tx,
    { workspace_id, post_id: id },
    {
      ...decision,
      ...{ content_hash, user_id, decided_at: now },
      step: Math.max(...mine.map(({ index }) => index), 0) + 1,
      role: team.members.find((member) => member.user_id === user_id)?.role ?? caller.role,
      token_id: caller.token?.id ?? null,
    },
  )
}

const notAnApprover = ({ user_id }: Member, author_id: string | null) =>
  problem('not_an_approver', {
    detail:
      user_id === author_id
        ? 'The policy lets nobody approve or reject their own posts.'
        : 'The policy asks others to decide in this step, or you have decided already.',
  })

const deciderOf = (caller: Member): Decider => ({
  workspace_id: caller.workspace_id,
  actor: caller,
  by: doneBy(caller),
  client_link: null,
})

/**
 * Approves a post, also one that was rejected, in the name of the caller. The last approval that its policies ask for
 * schedules it for its planned time.
 */
export const approvePost = (
  deps: Deps,
  caller: Member,
  id: string,
  { scheduled_at }: Static<typeof ApprovePost>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (!isUnapproved(before)) throw invalidTransition(before.review, 'approve a post')
    const approval = await decideAsMember(tx, caller, id, { decision: 'approved', reason: null }, now)
    const given = scheduled_at ? parseScheduledAt(scheduled_at, now) : null
    const planned = scheduled_at === undefined ? before.review_scheduled_at : given
    return settleApproval(deps, tx, deciderOf(caller), { before, approval, planned, now })
  })

export const rejectPost = (
  deps: Deps,
  caller: Member,
  id: string,
  { reason }: Static<typeof RejectPost>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (before.review !== 'pending') throw invalidTransition(before.review, 'reject a post')
    await decideAsMember(tx, caller, id, { decision: 'rejected', reason }, now)
    return settleRejection(deps, tx, deciderOf(caller), { id, reason, now })
  })
