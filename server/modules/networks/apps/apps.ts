import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { sha256, unseal } from '../../../lib/crypto/crypto.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import type { Network } from '../network.ts'
import type { OAuthApp, OAuthProvider } from '../oauth/provider.ts'
import { findNetwork, networks } from '../registry.ts'

/** The sign-in with an app that an instance admin, or an admin of a workspace, sets up. */
export const providerOf = ({ connect }: Network): OAuthProvider | undefined =>
  connect.kind === 'oauth2' && 'provider' in connect ? connect.provider : undefined

/** The network with this id. Throws 404 unless accounts sign in there. */
export function findProvider(id: string) {
  const network = findNetwork(id)
  const provider = network && providerOf(network)
  if (!provider) throw notFound()
  return { network, provider }
}

/** Ids of the networks with the same authorization server. One app can serve them all, and knows a person by one id. */
export function networksAtServerOf(id: string): string[] {
  const serverOf = (network: Network | undefined) => network && providerOf(network)?.originKey
  const server = serverOf(findNetwork(id))
  return server === undefined ? [id] : networks.filter((each) => serverOf(each) === server).map((each) => each.id)
}

/** Names a server in the address to which it sends browsers back. */
export const callbackKey = (server: string) => sha256(server).slice(0, 22)

/**
 * The address to which networks send browsers back. Each server that somebody names has its own: with a shared one, a
 * hostile server could send its visitor on to another, and be given the code of that one (RFC 9700, section 4.4).
 */
export const redirectUri = ({ baseUrl }: Pick<Deps, 'baseUrl'>, server: string | null = null) =>
  `${baseUrl}/api/v1/accounts/oauth/callback${server === null ? '' : `/${callbackKey(server)}`}`

/** Owner of an app. Null: the instance, whose app serves all workspaces without one of their own. */
export type AppOwner = { workspace_id: string | null }

/** App of an owner at a network. */
export type AppKey = AppOwner & { network: string }

/** App with its owner. */
export type OwnedApp = OAuthApp & AppOwner

/** Apps of workspaces are in a table of their own, so that none can be taken for that of the instance. */
const tableOf = ({ workspace_id }: AppOwner): 'network_app' | 'workspace_network_app' =>
  workspace_id === null ? 'network_app' : 'workspace_network_app'

export const contextOf = (app: AppOwner & { id: string }, column: 'client_id' | 'client_secret') =>
  `${tableOf(app)}|${app.id}|${column}`

export type SealedApp = AppOwner & { id: string; client_id: string; client_secret: string }

/** Opens an app. Undefined if the key ring has lost its key. */
export function openApp(deps: Pick<Deps, 'keyring' | 'log'>, app: SealedApp): OwnedApp | undefined {
  try {
    return {
      workspace_id: app.workspace_id,
      client_id: unseal(deps.keyring, app.client_id, contextOf(app, 'client_id')),
      client_secret: unseal(deps.keyring, app.client_secret, contextOf(app, 'client_secret')),
    }
  } catch (err) {
    deps.log.error({ err, network_app_id: app.id }, 'the app of a network cannot be decrypted')
    return
  }
}

const columns = [
  ...(['id', 'network', 'client_id', 'client_secret', 'last4'] as const),
  ...(['refused_at', 'refused_reason', 'updated_at', 'version'] as const),
]

const rowsOfInstance = (db: Db) =>
  db.selectFrom('network_app').select(columns).select(sql<string | null>`null::uuid`.as('workspace_id'))

const rowsOfWorkspace = (db: Db, workspace_id: string) =>
  db
    .selectFrom('workspace_network_app')
    .select(columns)
    .select(sql<string | null>`workspace_id`.as('workspace_id'))
    .where('workspace_id', '=', workspace_id)

export type AppRow = Awaited<ReturnType<ReturnType<typeof rowsOfInstance>['executeTakeFirstOrThrow']>>

/** Apps of one owner. */
export const readRows = (db: Db, { workspace_id }: AppOwner): Promise<AppRow[]> =>
  (workspace_id === null ? rowsOfInstance(db) : rowsOfWorkspace(db, workspace_id)).execute()

/** Reads the app of an owner at a network. */
export const readRow = async (db: Db, { network, workspace_id }: AppKey): Promise<AppRow | undefined> =>
  workspace_id === null
    ? rowsOfInstance(db).where('network', '=', network).executeTakeFirst()
    : rowsOfWorkspace(db, workspace_id).where('network', '=', network).executeTakeFirst()

/** Apps that accounts of a workspace can sign in with: its own before those of the instance. */
const readUsableRows = async (db: Db, owner: AppOwner): Promise<AppRow[]> => [
  ...(owner.workspace_id === null ? [] : await readRows(db, owner)),
  ...(await readRows(db, { workspace_id: null })),
]

type Reading = Pick<Deps, 'db' | 'keyring' | 'log'>

/** Opens the app of an owner. Undefined if it is not set up, or if the key ring has lost its key. */
export async function findApp(deps: Reading, key: AppKey): Promise<OwnedApp | undefined> {
  const row = await readRow(deps.db, key)
  return row && openApp(deps, row)
}

/** The app with which people sign in for a workspace: its own, or else that of the instance. */
export async function findAppInUse(deps: Reading, { network, ...owner }: AppKey): Promise<OwnedApp | undefined> {
  const row = (await readUsableRows(deps.db, owner)).find((app) => app.network === network)
  return row && openApp(deps, row)
}

/**
 * The app that issued tokens of a workspace. Another one of the network if that is no longer set up; undefined if none is,
 * or while it may be one that cannot be decrypted.
 */
export async function findIssuingApp(deps: Reading, { network, ...owner }: AppKey, client_id: string) {
  const rows = (await readUsableRows(deps.db, owner)).filter((app) => app.network === network)
  const apps = rows.map((row) => openApp(deps, row))
  return apps.find((app) => app?.client_id === client_id) ?? (apps.includes(undefined) ? undefined : apps[0])
}

/** Apps that accounts of a workspace can sign in with, its own first, with their last refusals. */
export const listUsableApps = async (deps: Reading, { workspace_id }: { workspace_id: string }) =>
  (await readUsableRows(deps.db, { workspace_id })).map((row) => ({
    network: row.network,
    client_id: openApp(deps, row)?.client_id ?? null,
    refused_at: row.refused_at,
    refused_reason: row.refused_reason,
  }))

/** Ids of the networks at which people can sign in for a workspace. */
export const networksWithApp = async (db: Db, owner: AppOwner) =>
  new Set((await readUsableRows(db, owner)).map(({ network }) => network))

/** Ids of the networks with an app of the instance or of any workspace. */
export async function networksInUse(db: Db) {
  const rows = await db
    .selectFrom('network_app')
    .select('network')
    .union(db.selectFrom('workspace_network_app').select('network'))
    .execute()
  return new Set(rows.map(({ network }) => network))
}

/** Notes whether the network accepts the app, which its page shows. Other nodes may note the same. */
export function noteAppRefusal(
  { db }: Pick<Deps, 'db'>,
  { network, workspace_id }: AppKey,
  refused: { at: Date; reason: string } | null,
) {
  const noted = { refused_at: refused?.at ?? null, refused_reason: refused && sanitizeExternalText(refused.reason) }
  const isNew = sql<boolean>`(${refused !== null} or refused_at is not null)`
  return workspace_id === null
    ? db.updateTable('network_app').set(noted).where('network', '=', network).where(isNew).execute()
    : db
        .updateTable('workspace_network_app')
        .set(noted)
        .where('network', '=', network)
        .where('workspace_id', '=', workspace_id)
        .where(isNew)
        .execute()
}
