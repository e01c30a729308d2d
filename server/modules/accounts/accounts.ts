import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound, refusedFields } from '../../errors.ts'
import { doneBy, emit } from '../../events.ts'
import { seal, unseal } from '../../lib/crypto/crypto.ts'
import { type Actor, audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { type Complete, nothingToKeep } from '../../lib/http/idempotency.ts'
import { compileValidator, fieldErrors } from '../../lib/http/schema/validation.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import type { AccountLimits, ConnectedAccount, FormField, Network } from '../networks/network.ts'
import { findNetwork, networks } from '../networks/registry.ts'
import { httpUrl } from '../networks/text/http-url.ts'
import { assertWithinLimit } from '../usage/quotas.ts'
import { publishingAccounts, socialAccounts } from './accounts.meters.ts'
import { Account, type ChangeAccount, type NewAccount } from './accounts.schema.ts'
import { fetchAvatar } from './avatars.ts'

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
  'form',
  sql<AccountLimits>`limits`.as('limits'),
  'checked_at',
  sql<Date | null>`(select max(published_at) from post_target where account_id = account.id)`.as('last_published_at'),
  'created_at',
  'updated_at',
  'version',
] as const

/** Whether posts can be published there: `connected`, `disconnected` or `paused`. */
export const publishingStatus = sql<string>`case when account.status = 'connected' and account.paused_by is not null
  then 'paused' else account.status::text end`

export const listAccounts = (db: Db, { workspace_id }: Member) =>
  db
    .selectFrom('account')
    .select(accountColumns)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)

export async function readAccount(db: Db, caller: Member, id: string) {
  const account = await listAccounts(db, caller).where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound()
  return account
}

/** Reads an account of the caller's workspace, and locks it until the transaction ends. */
async function lockAccount(tx: Tx, { workspace_id }: Member, id: string) {
  const account = await tx
    .selectFrom('account')
    .select(['name', 'status', 'paused_by', 'version'])
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

/** Replaces the credentials of an account. */
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

const compileForm = (fields: FormField[]) =>
  compileValidator(
    {
      type: 'object',
      additionalProperties: false,
      required: fields.filter(({ required }) => required).map(({ key }) => key),
      properties: Object.fromEntries(fields.map(({ key }) => [key, { type: 'string', minLength: 1 }])),
    },
    'body',
  )

const formValidators = new Map(
  networks.flatMap(({ id, connect }) => (connect.kind === 'form' ? [[id, compileForm(connect.fields)] as const] : [])),
)

/** Connects with the values of the network's form. Throws `validation_failed` if they are not what it asks for. */
function submitForm(deps: Deps, { id, name, connect }: Network, input: Record<string, string>) {
  if (connect.kind !== 'form') throw invalid('/network', `Accounts of ${name} are connected by signing in there.`)
  const validate = formValidators.get(id)
  if (validate && !validate(input))
    throw refusedFields(fieldErrors(validate.errors ?? [], Object.keys(Account.properties)))
  return connect.submit(deps, input)
}

const withoutSecrets = ({ connect }: Network, input: Record<string, string>) =>
  Object.fromEntries(
    (connect.kind === 'form' ? connect.fields : [])
      .filter(({ type }) => type !== 'password')
      .flatMap(({ key }) => (input[key] === undefined ? [] : [[key, input[key]]])),
  )

/** Longest address of a profile that is stored. */
const MAX_URL = 2000

/** How a server describes an account, as it can be stored and shown: it can say anything at any length. */
function storable<Found extends Pick<ConnectedAccount, 'name' | 'handle' | 'url'>>(found: Found): Found {
  const handle = sanitizeExternalText(found.handle)
  const url = httpUrl(found.url)
  return {
    ...found,
    handle,
    name: sanitizeExternalText(found.name).trim() || handle,
    url: url !== null && url.length <= MAX_URL ? url : null,
  }
}

/** Numbers the name of an account if others of the workspace have it, so that they can be told apart. */
async function freeName(tx: Tx, workspace_id: string, name: string) {
  const rows = await tx
    .selectFrom('account')
    .select('name')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .execute()
  const taken = new Set(rows.map((row) => row.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}

/**
 * Connects an account. The network is called first, then the account is stored. A disconnected account is reused, so
 * that its posts can be retried.
 */
export async function connectAccount(
  deps: Deps,
  caller: Member,
  { network: id, name, ...input }: Static<typeof NewAccount>,
  complete: Complete = nothingToKeep,
) {
  const network = findNetwork(id)
  if (!network)
    throw invalid(
      '/network',
      `Unknown network: ${id}. The networks are: ${networks.map((known) => known.id).join(', ')}.`,
    )
  const { credentials, limits = {}, avatar: remote, ...described } = await submitForm(deps, network, input)
  const found = storable(described)
  const avatar = await fetchAvatar(deps, remote)
  const form = JSON.stringify(withoutSecrets(network, input))
  return inTransaction(deps.db, async (tx) => {
    const known = await reviveAccount(tx, caller.workspace_id, network.id, { ...found, limits, avatar, form }, name)
    const account =
      known?.account ??
      (await tx
        .insertInto('account')
        .values({
          workspace_id: caller.workspace_id,
          network: network.id,
          ...found,
          limits: JSON.stringify(limits),
          avatar,
          form,
          name: name ?? (await freeName(tx, caller.workspace_id, found.name)),
        })
        .returning(accountColumns)
        .executeTakeFirstOrThrow())
    if (credentials !== null) await saveCredentials(tx, deps, account.id, credentials)
    const action = known ? 'account.reconnected' : 'account.connected'
    await audit(tx, caller, action, account.id, { after: { network: network.id, handle: account.handle } })
    await complete(tx, account)
    if (!known || known.was_deleted)
      await assertWithinLimit(tx, socialAccounts, { workspace_id: caller.workspace_id, now: deps.clock.now() })
    return account
  })
}

type Stored = { form: string; avatar: Buffer | null }

/**
 * Reconnects a known account under its id, so that posts that refer to it can be retried. It keeps its name unless a
 * new one is given.
 */
async function reviveAccount(
  tx: Tx,
  workspace_id: string,
  network: string,
  { external_id, handle, url, limits, avatar, form }: Omit<ConnectedAccount, 'credentials' | 'avatar'> & Stored,
  name: string | undefined,
) {
  const row = await tx
    .updateTable('account')
    .set({
      handle,
      url,
      limits: JSON.stringify(limits),
      avatar,
      form,
      ...(name !== undefined && { name }),
      status: 'connected',
      status_detail: null,
      deleted_at: null,
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
    // Connected accounts stay unchanged. The unique index then refuses the second.
    .where('status', '=', 'disconnected')
    .returning(accountColumns)
    .returning(sql<boolean>`old.deleted_at is not null`.as('was_deleted'))
    .executeTakeFirst()
  if (!row) return
  const { was_deleted, ...account } = row
  return { account, was_deleted }
}

/** Renames, pauses or resumes an account. One that is resumed must be within the limit of the plan. */
export const changeAccount = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { name, paused }: Static<typeof ChangeAccount>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const before = await lockAccount(tx, caller, id)
    ifMatch(before.version)
    if (name !== undefined && before.name !== name) {
      await tx.updateTable('account').set({ name, updated_at: sql`now()` }).where('id', '=', id).execute()
      await audit(tx, caller, 'account.changed', id, { before: { name: before.name }, after: { name } })
    }
    const changesPause = paused !== undefined && paused !== (before.paused_by !== null)
    const paused_by = paused ? 'member' : null
    if (changesPause) {
      await tx.updateTable('account').set({ paused_by, updated_at: sql`now()` }).where('id', '=', id).execute()
      await audit(tx, caller, paused ? 'account.paused' : 'account.resumed', id, {
        before: { paused_by: before.paused_by },
        after: { paused_by },
      })
    }
    const account = await readAccount(tx, caller, id)
    if (changesPause && !paused)
      await assertWithinLimit(tx, publishingAccounts, { workspace_id: caller.workspace_id, now: clock.now() })
    return account
  })

/** Deletes the credentials. Posts keep their history; later ones to this account fail with a reason. */
export const disconnectAccount = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const before = await lockAccount(tx, caller, id)
    const account = await tx
      .updateTable('account')
      .set({
        deleted_at: clock.now(),
        status: 'disconnected',
        status_detail: 'Disconnected in Meydan.',
        paused_by: null,
        credentials: null,
        ...connectionChanged,
      })
      .where('id', '=', id)
      .returning(accountColumns)
      .executeTakeFirstOrThrow()
    // Already announced if the network had disconnected it.
    if (before.status === 'connected')
      await announceDisconnected(
        tx,
        caller,
        { workspace_id: caller.workspace_id, account, by: doneBy(caller) },
        clock.now(),
      )
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
  if (account) await announceDisconnected(tx, actor, { workspace_id, account, by: null }, now)
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
  await emit(tx, 'account.disconnected', workspace_id, { account, reason, by }, now)
  await audit(tx, { ...actor, workspace_id }, 'account.disconnected', account.id, {
    handle: account.handle,
    before: { status: 'connected' },
    after: { status: account.status, reason: account.status_detail },
  })
}
