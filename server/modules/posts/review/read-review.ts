import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type Db, prepared } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import { readPost } from '../posts.ts'
import { approversOf, readApprovals } from './approval.ts'
import type { Review, ReviewState } from './review.schema.ts'

/** Reads the open steps of these posts, in the order of the posts. */
async function statesOf(
  db: Db,
  { workspace_id, user_id }: Member,
  posts: readonly { id: string; review: string }[],
): Promise<(Static<typeof ReviewState> & { content_hash: string })[]> {
  const ids = posts.map(({ id }) => id)
  const approvals = await readApprovals(db, workspace_id, ids)
  const people = await db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id', 'user.name'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('workspace_member.role', 'in', ['editor', 'admin', 'owner'])
    .execute()
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return posts.flatMap(({ id, review }) => {
    const approval = approvals.get(id)
    if (!approval) return []
    const isOpen = review === 'pending' || review === 'rejected'
    const open = isOpen ? approval.open : []
    return {
      post_id: id,
      content_hash: approval.content_hash,
      waits_for_you: isOpen && approversOf(approval).some((approver) => approver.user_id === user_id),
      open: open.map(({ index, steps, step, approvers }) => ({
        ...{ step: index + 1, steps, need: step.need },
        approvers: approvers.map((approver) => ({ id: approver.user_id, name: names.get(approver.user_id) ?? '' })),
      })),
    }
  })
}

/** Lists the open steps of the posts that wait for review, the newest post first. */
export async function listReviews(db: Db, caller: Member, input: PageInput) {
  const waiting = db
    .selectFrom('post')
    .select(['post.id', 'post.review'])
    .where('post.workspace_id', '=', caller.workspace_id)
    .where('post.review', '=', 'pending')
    .where('post.deleted_at', 'is', null)
  const { data, next_cursor } = await page(waiting, 'post.id', input)
  return { data: await statesOf(db, caller, data), next_cursor }
}

type DecisionRow = Omit<Static<typeof Review>['decisions'][number], 'is_current'> & { content_hash: string }

const decisionsOf = prepared(
  (_, { id }: { id: string }) => sql<DecisionRow>`
    select d.id, decision, reason, step, content_hash, token_id,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
      to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at
    from review_decision d left join "user" u on u.id = d.user_id
    where post_id = ${id} order by d.id desc limit 200`,
)

export async function readReview(db: Db, caller: Member, id: string): Promise<Static<typeof Review>> {
  const post = await readPost(db, caller, id)
  const [state] = await statesOf(db, caller, [post])
  if (!state) throw new Error(`No post ${id}`)
  const { content_hash: current, ...shown } = state
  const decisions = await decisionsOf(db, { id })
  return {
    ...shown,
    decisions: decisions.map(({ content_hash, ...decision }) => ({
      ...decision,
      is_current: content_hash === current,
    })),
  }
}
