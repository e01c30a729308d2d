import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../errors.ts'
import { seal, unseal } from '../../lib/crypto/crypto.ts'
import { type Actor, audit, changedFields } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { emit } from '../../lib/events/emit.ts'
import type { Member } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import { doneBy } from '../auth/event-actor.ts'
import type { AccountLimits } from '../networks/capabilities.ts'
import { notify } from '../notifications/notify.ts'
import { assertWithinLimit } from '../usage/quotas.ts'
import { accountEvents } from './accounts.events.ts'
import { publishingAccounts } from './accounts.meters.ts'
import type { ChangeAccount } from './accounts.schema.ts'
import { endUnusedGrant } from './grants/revocation.ts'
import { leaveGroups } from './groups/groups.ts'
import { auditPause } from './pauses.ts'

export const accountColumns = [
  'id',
  'network',
  'name',
  'handle',
  'url',
  sql<string | null>`case when avatar is not null then '/api/v1/accounts/' || account.id || '/avatar' end`.as(
    'avatar_url',
  ),
  'status',
  'status_detail',
  'paused_by',
  sql<boolean>`paused_by is not null`.as('paused'),
  sql<boolean>`queue_paused_at is not null`.as('queue_paused'),
  'form',
  'signature',
  sql<'form' | 'sign_in'>`case when grant_id is null then 'form' else 'sign_in' end`.as('connected_by'),
  sql<
    'workspace' | 'instance' | null
  >`(select case with_own_app when true then 'workspace' when false then 'instance' end
    from oauth_grant where id = account.grant_id)`.as('app'),
  sql<AccountLimits>`limits`.as('limits'),
  sql<Date | null>`(select expires_at from oauth_grant where id = account.grant_id and renew_at is null)`.as(
    'sign_in_ends_at',
  ),
  'checked_at',
  sql<Date | null>`(select max(published_at) from post_target where account_id = account.id)`.as('last_published_at'),
  'created_at',
  'updated_at',
  'version',
] as const

/** Whether posts can be published there: `connected`, `disconnected` or `paused`. */
export const publishingStatus = sql<string>`case when account.status = 'connected' and account.paused_by is not null
  then 'paused' else account.status::text end`

/** A reader of accounts: a member, or a job for a workspace. */
type Reader = Pick<Member, 'workspace_id'>

export const listAccounts = (db: Db, { workspace_id }: Reader) =>
  db
    .selectFrom('account')
    .select(accountColumns)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)

export async function readAccount(db: Db, caller: Reader, id: string) {
  const account = await listAccounts(db, caller).where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound()
  return account
}

/** Reads an account of the caller's workspace, and locks it until the transaction ends. */
async function lockAccount(tx: Tx, { workspace_id }: Member, id: string) {
  const account = await tx
    .selectFrom('account')
    .select(['name', 'signature', 'status', 'paused_by', 'version', 'grant_id'])
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw notFound()
  return account
}

export const credentialsContext = (account_id: string) => `account|${account_id}|credentials`

/** Opens credentials. Returns null if the key ring has lost their key. */
export function openCredentials(
  { keyring, log }: Deps,
  { id, credentials }: { id: string; credentials: string | null },
) {
  if (credentials === null) return null
  try {
    return unseal(keyring, credentials, credentialsContext(id))
  } catch (err) {
    log.error({ err, account_id: id }, 'the credentials of an account cannot be decrypted')
    return null
  }
}

export const saveCredentials = async (
  db: Db,
  { keyring }: Pick<Deps, 'keyring'>,
  account_id: string,
  credentials: string,
) => {
  await db
    .updateTable('account')
    .set({ credentials: seal(keyring, credentials, credentialsContext(account_id)), refresh_failed_at: null })
    .where('id', '=', account_id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Renames, signs, pauses or resumes an account. One that is resumed must be within the limit of the plan. */
export const changeAccount = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { paused, ...input }: Static<typeof ChangeAccount>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const before = await lockAccount(tx, caller, id)
    ifMatch(before.version)
    const { name = before.name, signature = before.signature } = input
    const after = { name, signature: signature?.trim() ?? null }
    const changed = (['name', 'signature'] as const).filter((field) => after[field] !== before[field])
    if (changed.length > 0) {
      await tx
        .updateTable('account')
        .set({ ...after, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute()
      await audit(tx, caller, 'account.changed', id, changedFields(before, after, changed))
    }
    const changesPause = paused !== undefined && paused !== (before.paused_by !== null)
    const paused_by = paused ? 'member' : null
    if (changesPause) {
      await tx.updateTable('account').set({ paused_by, updated_at: sql`now()` }).where('id', '=', id).execute()
      await auditPause(tx, caller, id, { from: before.paused_by, to: paused_by })
    }
    const account = await readAccount(tx, caller, id)
    if (changesPause && !paused)
      await assertWithinLimit(tx, publishingAccounts, { workspace_id: caller.workspace_id, now: clock.now() })
    return account
  })

/** Deletes the credentials, and ends the sign-in that no other account uses. Posts keep their history; later ones to this account fail with a reason. */
export const disconnectAccount = ({ db, clock, lifecycle }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lifecycle.onAccountRemoved(tx, { workspace_id: caller.workspace_id, account_id: id, caller, now })
    const before = await lockAccount(tx, caller, id)
    const account = await tx
      .updateTable('account')
      .set({
        deleted_at: now,
        status: 'disconnected',
        status_detail: 'Disconnected in Meydan.',
        paused_by: null,
        avatar: null,
        credentials: null,
        grant_id: null,
        ...connectionChanged,
      })
      .where('id', '=', id)
      .returning(accountColumns)
      .executeTakeFirstOrThrow()
    await leaveGroups(tx, id, now)
    if (before.grant_id !== null) await endUnusedGrant(tx, { id: before.grant_id, network: account.network }, now)
    // Already announced if the network had disconnected it.
    if (before.status === 'connected')
      await announceDisconnected(tx, caller, { workspace_id: caller.workspace_id, account, by: doneBy(caller) }, now)
    else
      await audit(tx, caller, 'account.removed', id, { before: { network: account.network, handle: account.handle } })
  })

/** Identifies one connection of an account. Renewed credentials and a new name do not change it. */
export const accountVersion = sql<string>`account.connection_changed_at::text`

export const connectionChanged = { connection_changed_at: sql<Date>`now()`, updated_at: sql<Date>`now()` }

/** Marks an account whose credentials are no longer accepted, and announces it once. Skipped if they have changed. */
export async function markDisconnected(
  tx: Tx,
  actor: Actor,
  { workspace_id, id, version }: { workspace_id: string; id: string; version: string },
  reason: string,
  now: Date,
) {
  const account = await tx
    .updateTable('account')
    .set({ status: 'disconnected', status_detail: sanitizeExternalText(reason), ...connectionChanged })
    .where('id', '=', id)
    .where('status', '=', 'connected')
    .where(accountVersion, '=', version)
    .returning(accountColumns)
    .executeTakeFirst()
  if (!account) return
  await announceDisconnected(tx, actor, { workspace_id, account, by: null }, now)
  await addJob(tx, 'mail-account-disconnected', { account_id: id })
  await notify(
    tx,
    {
      ...{ kind: 'account.disconnected', workspace_id, cause: version, detail: account.status_detail },
      subject: { id, name: account.name },
      to: { roles: ['editor', 'admin', 'owner'] },
    },
    now,
  )
}

/** Keeps everything on this account from being sent before `until`, as its network asked. */
export const holdAccount = (tx: Tx, id: string, until: Date) =>
  tx
    .updateTable('account')
    .set({ held_until: sql`greatest(held_until, ${until})` })
    .where('id', '=', id)
    .execute()

type AccountRow = Awaited<ReturnType<typeof readAccount>>

type Disconnected = { workspace_id: string; account: AccountRow; by: ReturnType<typeof doneBy> | null }

/** `by`: the member who removed it; null: its network no longer accepts the credentials. */
async function announceDisconnected(tx: Tx, actor: Actor, { workspace_id, account, by }: Disconnected, now: Date) {
  const reason = by ? 'removed' : 'refused_by_network'
  await emit(tx, accountEvents['account.disconnected'], workspace_id, { account, reason, by }, now)
  await audit(tx, { ...actor, workspace_id }, 'account.disconnected', account.id, {
    handle: account.handle,
    before: { status: 'connected' },
    after: { status: account.status, reason: account.status_detail },
  })
}

/** Keeps the accounts of the field `account_ids` from being removed until the commit. 400 for an id of no account here. */
export async function lockAccounts(
  tx: Tx,
  workspace_id: string,
  listed: readonly string[],
  pointerTo = (index: number) => `/account_ids/${index}`,
) {
  if (listed.length === 0) return
  const accounts = await tx
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(
      'id',
      'in',
      listed.map((id) => id.toLowerCase()),
    )
    .forShare()
    .execute()
  const known = new Set(accounts.map(({ id }) => id))
  const unknown = listed.findIndex((id) => !known.has(id.toLowerCase()))
  if (unknown >= 0) throw invalid(pointerTo(unknown), 'There is no account with this id.')
}
