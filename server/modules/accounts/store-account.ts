import { sql } from 'kysely'
import { audit } from '../../lib/db/audit.ts'
import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import type { ConnectedAccount } from '../networks/network-account.ts'
import { httpUrl } from '../networks/text/http-url.ts'
import { assertWithinLimit } from '../usage/quotas.ts'
import { socialAccounts } from './accounts.meters.ts'
import { accountColumns, connectionChanged, saveCredentials } from './accounts.ts'
import { deleteIfUnused } from './grants/grants.ts'
import { planAccountMetrics } from './metrics/read-metrics.ts'

/** Longest name that is stored, as of one that a member gives. */
const MAX_NAME = 80
/** Longest address of a profile that is stored. */
const MAX_URL = 2000

/** Makes the description of an account safe to store and show: its server can send anything at any length. */
function storable<Found extends Pick<ConnectedAccount, 'name' | 'handle' | 'url'>>(found: Found): Found {
  const handle = sanitizeExternalText(found.handle)
  const url = httpUrl(found.url)
  return {
    ...found,
    handle,
    name: sanitizeExternalText(found.name.trim().slice(0, MAX_NAME)).trim() || handle,
    url: url !== null && url.length <= MAX_URL ? url : null,
  }
}

/** Numbers the name of an account if others of the workspace on its network have it, so that they can be told apart. */
async function freeName(tx: Tx, workspace_id: string, network: string, name: string) {
  const rows = await tx
    .selectFrom('account')
    .select('name')
    .where('workspace_id', '=', workspace_id)
    .where('network', '=', network)
    .where('deleted_at', 'is', null)
    .execute()
  const taken = new Set(rows.map((row) => row.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}

type Connection = {
  network: string
  found: Omit<ConnectedAccount, 'avatar'>
  avatar: Buffer | null
  /** Values of the form that connected it, without secrets. */
  form: Record<string, string>
  name?: string | undefined
  /** Sign-in whose tokens it uses; null without one. */
  grant_id: string | null
}

/**
 * Stores an account that its network has confirmed. A disconnected one is reused, so that its posts can be retried. One
 * that is connected stays as it is, and the unique index refuses the second; by signing in again it is renewed.
 */
export async function storeAccount(
  tx: Tx,
  deps: Deps,
  caller: Member,
  { network, found, avatar, form, name, grant_id }: Connection,
) {
  const { credentials, limits = {}, ...described } = storable(found)
  const row = { ...described, limits: JSON.stringify(limits), avatar, form: JSON.stringify(form), grant_id }
  const known = await reviveAccount(tx, caller.workspace_id, network, row, name)
  const account =
    known?.account ??
    (await tx
      .insertInto('account')
      .values({
        workspace_id: caller.workspace_id,
        network,
        ...row,
        name: name ?? (await freeName(tx, caller.workspace_id, network, row.name)),
      })
      .returning(accountColumns)
      .executeTakeFirstOrThrow())
  // The former sign-in is not revoked: at some networks that would end the new one of the same person too.
  if (known?.former_grant) await deleteIfUnused(tx, known.former_grant)
  if (credentials !== null) await saveCredentials(tx, deps, account.id, credentials)
  await planAccountMetrics(tx, account, deps.clock.now())
  const action = known ? 'account.reconnected' : 'account.connected'
  await audit(tx, caller, action, account.id, { after: { network, handle: account.handle } })
  if (!known || known.was_deleted)
    await assertWithinLimit(tx, socialAccounts, { workspace_id: caller.workspace_id, now: deps.clock.now() })
  return account
}

type StoredRow = Pick<ConnectedAccount, 'external_id' | 'handle' | 'url'> & {
  limits: string
  form: string
  avatar: Buffer | null
  grant_id: string | null
}

/**
 * Reconnects a known account under its id, so that posts that refer to it can be retried. It keeps its name unless a
 * new one is given.
 */
async function reviveAccount(
  tx: Tx,
  workspace_id: string,
  network: string,
  { external_id, handle, url, limits, avatar, form, grant_id }: StoredRow,
  name: string | undefined,
) {
  const row = await tx
    .updateTable('account')
    .set({
      handle,
      url,
      limits,
      avatar,
      form,
      grant_id,
      ...(name !== undefined && { name }),
      status: 'connected',
      status_detail: null,
      deleted_at: null,
      refresh_failed_at: null,
      // New ones are stored by the caller. Those of another way to connect no longer count.
      credentials: null,
      ...connectionChanged,
    })
    .where('id', '=', (where) =>
      where
        .selectFrom('account')
        .select('id')
        .where('workspace_id', '=', workspace_id)
        .where('network', '=', network)
        .where('external_id', '=', external_id)
        .orderBy(sql`deleted_at nulls first`)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .$if(grant_id === null, (query) => query.where('status', '=', 'disconnected'))
    .returning(accountColumns)
    .returning([
      sql<boolean>`old.deleted_at is not null`.as('was_deleted'),
      sql<string | null>`old.grant_id`.as('former_grant'),
    ])
    .executeTakeFirst()
  if (!row) return
  const { was_deleted, former_grant, ...account } = row
  return { account, was_deleted, former_grant }
}
