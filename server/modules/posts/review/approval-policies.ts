import { sql } from 'kysely'
import type { Static } from 'typebox'
import { featureNotAvailable, invalid, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { actingUser } from '../../notifications/notify.ts'
import { ANY_EDITOR, CLIENT_STEP, type Step } from '../approval/policy.ts'
import type { ApprovalPolicies, NewAccountPolicy, NewApprovalPolicy } from './review.schema.ts'

const FEATURE = 'approvals'

/** The policy of the workspace, and those of single accounts. */
export async function readApprovalPolicies(
  db: Db,
  { workspace_id }: Pick<Member, 'workspace_id'>,
): Promise<Static<typeof ApprovalPolicies>> {
  const rows = await db
    .selectFrom('approval_policy')
    .leftJoin('account', 'account.id', 'approval_policy.account_id')
    .select(['account_id', sql<'none' | 'one' | 'steps'>`mode`.as('mode'), 'own_posts', 'steps'])
    .select(sql<'wait' | 'next_slot' | 'expire'>`when_unapproved`.as('when_unapproved'))
    .where('approval_policy.workspace_id', '=', workspace_id)
    .where('account.deleted_at', 'is', null)
    .orderBy('approval_policy.id')
    .execute()
  const set = rows.find(({ account_id }) => account_id === null)
  return {
    mode: set?.mode ?? 'none',
    own_posts: set?.own_posts ?? false,
    steps: withKind(set?.steps ?? []),
    when_unapproved: set?.when_unapproved ?? 'wait',
    accounts: rows.flatMap(({ account_id, when_unapproved: _, ...policy }) =>
      account_id === null ? [] : [{ account_id, ...policy, steps: withKind(policy.steps) }],
    ),
  }
}

const withKind = (steps: readonly Step[]) => steps.map(({ kind = 'members' as const, ...step }) => ({ kind, ...step }))

/** The steps as they are stored. Those whom they name must be able to decide. */
async function stepsOf(tx: Tx, { workspace_id }: Member, { mode, steps }: Static<typeof NewAccountPolicy>) {
  if (mode !== 'steps') {
    if (steps?.length) throw invalid('/steps', 'Only the mode `steps` has steps.')
    return mode === 'one' ? ANY_EDITOR.steps : []
  }
  if (!steps?.length) throw invalid('/steps', 'The mode `steps` needs steps.')
  const editors = await tx
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', workspace_id)
    .where('role', 'in', ['editor', 'admin', 'owner'])
    .execute()
  const known = new Set(editors.map(({ user_id }) => user_id))
  return steps.map(({ kind, need = 'any', role = null, user_ids = [] }, index): Step => {
    const ids = user_ids.map((id) => id.toLowerCase())
    if (kind === 'client') {
      if (index < steps.length - 1)
        throw invalid(`/steps/${index}/kind`, {
          en: 'Only the last step can be that of the client.',
          tr: 'Yalnızca son adım müşterinin olabilir.',
        })
      if (role !== null || ids.length > 0)
        throw invalid(`/steps/${index}`, {
          en: 'The step of the client has neither a role nor people.',
          tr: 'Müşterinin adımında rol ya da kişi olmaz.',
        })
      return CLIENT_STEP
    }
    if ((role === null) === (ids.length === 0))
      throw invalid(`/steps/${index}`, { en: 'Set either a role or people.', tr: 'Ya bir rol ya da kişiler seçin.' })
    const unknown = ids.findIndex((id) => !known.has(id))
    if (unknown >= 0)
      throw invalid(`/steps/${index}/user_ids/${unknown}`, {
        en: 'This is not a member with the role of an editor or a higher one.',
        tr: 'Bu, editör ya da daha yüksek rolde bir üye değil.',
      })
    return { need, role, user_ids: [...new Set(ids)] }
  })
}

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'authenticator'>

/** Turning approvals off is always possible, whatever the plan includes. */
async function assertIncluded({ authenticator }: ChangeDeps, { workspace_id }: Member, mode: string) {
  const isOff = mode === 'none' || mode === 'inherit'
  if (!isOff && !(await authenticator.hasFeature(workspace_id, FEATURE))) throw featureNotAvailable(FEATURE)
}

/** Stores a policy, for an account or else for the workspace. Posts that it covers are put in review by a job. */
async function writePolicy(
  deps: ChangeDeps,
  tx: Tx,
  caller: Member,
  account_id: string | null,
  input: Static<typeof NewApprovalPolicy>,
) {
  const { workspace_id } = caller
  const { mode, own_posts = false, when_unapproved = 'wait' } = input
  await assertIncluded(deps, caller, mode)
  const steps = await stepsOf(tx, caller, input)
  const values = {
    ...{ mode, own_posts: mode !== 'none' && own_posts, when_unapproved },
    steps: JSON.stringify(steps),
    updated_at: deps.clock.now(),
  }
  await tx
    .insertInto('approval_policy')
    .values({ workspace_id, account_id, ...values })
    .onConflict((conflict) => conflict.constraint('approval_policy_key').doUpdateSet(values))
    .execute()
  await changed(tx, caller, account_id, { mode, own_posts, when_unapproved, steps })
}

async function changed(tx: Tx, caller: Member, account_id: string | null, details: Record<string, unknown>) {
  const { workspace_id } = caller
  await audit(tx, caller, 'approval_policy.changed', account_id ?? workspace_id, details)
  const change = { workspace_id, actor_id: actingUser(caller) }
  await addJob(tx, 'ask-for-approvals', change, { key: `ask-for-approvals ${workspace_id}` })
}

export const saveApprovalPolicy = (deps: ChangeDeps, caller: Member, input: Static<typeof NewApprovalPolicy>) =>
  inTransaction(deps.db, async (tx) => {
    await writePolicy(deps, tx, caller, null, input)
    return readApprovalPolicies(tx, caller)
  })

/** `inherit` removes the policy of the account, which then follows that of the workspace. */
export const saveAccountPolicy = (
  deps: ChangeDeps,
  caller: Member,
  account_id: string,
  { mode, ...input }: Static<typeof NewAccountPolicy>,
) =>
  inTransaction(deps.db, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', account_id)
      .where('workspace_id', '=', caller.workspace_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!account) throw notFound()
    if (mode !== 'inherit') await writePolicy(deps, tx, caller, account_id, { mode, ...input })
    else {
      if (input.steps?.length) throw invalid('/steps', 'Only the mode `steps` has steps.')
      await tx
        .deleteFrom('approval_policy')
        .where('workspace_id', '=', caller.workspace_id)
        .where('account_id', '=', account_id)
        .execute()
      await changed(tx, caller, account_id, { mode })
    }
    return readApprovalPolicies(tx, caller)
  })
