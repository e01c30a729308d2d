import { sql } from 'kysely'
import { audit, system } from '../../../lib/db/audit.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Role } from '../../../lib/http/roles.ts'
import { ANY_EDITOR, openStep, type Policy, type Team } from './policy.ts'

/**
 * An approval is for one content. The policies of the accounts of a post name who must approve it, decisions on its
 * current content (`post_content_hash`) meet them or not, and `post_is_approved` in SQL is the one rule that all ask:
 *
 *                      ask: schedule, publish or queue a post that is not approved,
 *                      `POST …/request-approval`, an agent
 *        none, rejected ──────────────────────────────────▶ pending
 *        pending ── approve, a step is left ──────────────▶ pending
 *        pending, rejected ── approve, the last step ─────▶ approved: scheduled for its planned time
 *        pending ── reject, or `expire` at its time ──────▶ rejected: a draft with a reason
 *        approved ── its content or the policies change ──▶ pending: a draft with its time as the planned one
 *        pending ── its content changes ──────────────────▶ pending: earlier decisions count no more
 *        none, scheduled ── a policy asks since ──────────▶ pending
 *
 * What moves a post asks the rule under its lock. What does not know of a change (a policy, a file, a restored post) may
 * leave a post scheduled: the statement that begins an attempt asks again (`publishing/publish-intent.ts`), and nothing
 * is sent to a network without it.
 */
export async function isApproved(db: Db, post_id: string) {
  const { rows } = await sql<{ is_approved: boolean }>`
    select post_is_approved(${post_id}) as is_approved`.execute(db)
  return rows[0]?.is_approved ?? false
}

/**
 * Whether a post that is locked may be published as it is. An approval whose policies or content changed holds on if its
 * decisions meet them as they are now, and is stored for these.
 */
export async function keepsApproval(tx: Tx, { id, workspace_id, status, review }: Reviewed) {
  if (await isApproved(tx, id)) return true
  if (review !== 'approved') return false
  const approval = await readApproval(tx, workspace_id, id)
  if (approval.open.length > 0) return false
  await storeApproval(tx, id, approval)
  await audit(tx, system(workspace_id), 'post.approved', id, { status })
  return true
}

type Reviewed = { id: string; workspace_id: string; status: string; review: string }

/** Binds an approval by an earlier version of Meydan to the content that it was for, before that is changed. */
export const bindEarlierApproval = (tx: Tx, id: string) =>
  tx
    .updateTable('post')
    .set({ approved_content: sql`post_content_hash(id)`, approved_policies: '[]' })
    .where('id', '=', id)
    .where('review', '=', 'approved')
    .where('approved_content', 'is', null)
    .execute()

export type Approval = {
  content_hash: string
  policies: Policy[]
  /** The step that is open of each policy; none when all are met. */
  open: NonNullable<ReturnType<typeof openStep>>[]
  team: Team
}

/** Reads how far the approval of each of these posts is. */
export async function readApprovals(db: Db, workspace_id: string, ids: readonly string[]) {
  const { rows: posts } = await sql<{
    id: string
    author_id: string | null
    content_hash: string
    policies: Policy[]
    approvals: ({ user_id: string; role: Role } | { user_id: null; role: null })[]
  }>`
    select id, author_id, content_hash, post_policies(id) as policies, coalesce((
      select json_agg(json_build_object('user_id', d.user_id, 'role', d.role) order by d.id)
      from review_decision d
      where d.post_id = post.id and d.content_hash = hashed.content_hash and d.decision = 'approved'
        and (d.user_id is not null or d.client_link_id is not null)
        -- A rejection ends what was approved before it.
        and not exists (select from review_decision r where r.post_id = post.id and r.decision = 'rejected' and r.id > d.id)
    ), '[]') as approvals
    from post, post_content_hash(post.id) as hashed (content_hash)
    where id = any(${ids}::uuid[]) and workspace_id = ${workspace_id}`.execute(db)
  const members = await db
    .selectFrom('workspace_member')
    .select(['user_id', 'role'])
    .where('workspace_id', '=', workspace_id)
    .where('role', 'in', ['editor', 'admin', 'owner'])
    .orderBy('user_id')
    .execute()
  return new Map(
    posts.map(({ id, author_id, content_hash, policies, approvals }): [string, Approval] => {
      const team = { author_id, members }
      const asking = policies.length > 0 ? policies : [ANY_EDITOR]
      const open = asking.flatMap((policy) => openStep(policy, approvals, team) ?? [])
      return [id, { content_hash, policies, open, team }]
    }),
  )
}

/** The same for a post that is locked. Its files cannot change until the end of the transaction. */
export async function readApproval(tx: Tx, workspace_id: string, id: string) {
  await sql`select from media where id in (select media_id from post_media where post_id = ${id})
    order by id for share`.execute(tx)
  const approval = (await readApprovals(tx, workspace_id, [id])).get(id)
  if (!approval) throw new Error(`No post ${id}`)
  return approval
}

/** Whether a post waits for a client: its members have approved it in all other steps. */
export const waitsForClient = ({ open }: Pick<Approval, 'open'>) =>
  open.length > 0 && open.every(({ step }) => step.kind === 'client')

/** Members who can decide now. When policies or people changed so that nothing is open, any editor can. */
export const approversOf = ({ open, team }: Approval) =>
  open.length > 0 ? open.flatMap(({ approvers }) => approvers) : team.members

/** Stores what an approval is for. */
export const storeApproval = (tx: Tx, id: string, { content_hash, policies }: Approval) =>
  tx
    .updateTable('post')
    .set({ approved_content: content_hash, approved_policies: JSON.stringify(policies) })
    .where('id', '=', id)
    .execute()

/** The members who can approve a post that waits for review. `orEditors`: also of one that waits for a client. */
export async function findApprovers(
  db: Db,
  { workspace_id, post_id, orEditors }: { workspace_id: string; post_id: string; orEditors: boolean },
) {
  const waiting = await db
    .selectFrom('post')
    .select('id')
    .where('id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .where('review', '=', 'pending')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const approval = waiting && (await readApprovals(db, workspace_id, [post_id])).get(post_id)
  if (!approval) return []
  // A client is told by who sends the link.
  const people = waitsForClient(approval) ? (orEditors ? approval.team.members : []) : approversOf(approval)
  return [...new Set(people.map(({ user_id }) => user_id))]
}
