import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, refusedFields } from '../../errors.ts'
import { audit } from '../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { type Complete, nothingToKeep } from '../../lib/http/idempotency.ts'
import { compileValidator, fieldErrors } from '../../lib/http/schema/validation.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import type { ConnectedAccount, FormField, Network } from '../networks/network.ts'
import { findNetwork, networks } from '../networks/registry.ts'
import { httpUrl } from '../networks/text/http-url.ts'
import { assertWithinLimit } from '../usage/quotas.ts'
import { socialAccounts } from './accounts.meters.ts'
import { Account, type NewAccount } from './accounts.schema.ts'
import { accountColumns, connectionChanged, saveCredentials } from './accounts.ts'
import { fetchAvatar } from './avatars.ts'

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
