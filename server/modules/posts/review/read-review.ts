import { sql } from 'kysely'
import type { Static } from 'typebox'
import { prepared } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { approversOf, readApprovals, waitsForClient } from '../approval/approval.ts'
import { countClientLinks } from '../approval/client-link-scope.ts'
import { readPost } from '../record/select-posts.ts'
import type { Review, ReviewState } from './review.schema.ts'

/** Reads the open steps of these posts, in the order of the posts. */
async function statesOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
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
  const atClient = posts.filter(({ id, review }) => {
    const approval = approvals.get(id)
    return review === 'pending' && approval && waitsForClient(approval)
  })
  const links = await countClientLinks(db, workspace_id, atClient, clock.now())
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
        ...{ step: index + 1, steps, kind: step.kind ?? 'members', need: step.need },
        approvers: approvers.map((approver) => ({ id: approver.user_id, name: names.get(approver.user_id) ?? '' })),
      })),
      client_links: links.get(id) ?? 0,
    }
  })
}

/** Lists the open steps of the posts that wait for review, the newest post first. */
export async function listReviews(deps: Pick<Deps, 'db' | 'clock'>, caller: Member, input: PageInput) {
  const waiting = deps.db
    .selectFrom('post')
    .select(['post.id', 'post.review'])
    .where('post.workspace_id', '=', caller.workspace_id)
    .where('post.review', '=', 'pending')
    .where('post.deleted_at', 'is', null)
  const { data, next_cursor } = await page(waiting, 'post.id', input)
  return { data: await statesOf(deps, caller, data), next_cursor }
}

type DecisionRow = Omit<Static<typeof Review>['decisions'][number], 'is_current'> & { content_hash: string }

const decisionsOf = prepared(
  (_, { id }: { id: string }) => sql<DecisionRow>`
    select d.id, decision, reason, step, content_hash, token_id,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
      case when client_link_id is not null then json_build_object('id', client_link_id, 'name', client_name) end
        as client_link,
      to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at
    from review_decision d left join "user" u on u.id = d.user_id
    where post_id = ${id} order by d.id desc limit 200`,
)

export async function readReview(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
): Promise<Static<typeof Review>> {
  const { db } = deps
  const post = await readPost(db, caller, id)
  const [state] = await statesOf(deps, caller, [post])
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
