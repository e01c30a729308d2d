import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import { seal, sha256, unseal } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Network } from '../network.ts'
import type { AuthorizationServer, OAuthServers, ServerApp } from '../oauth/provider.ts'
import { TokenRefusal } from '../oauth/token-response.ts'
import { findNetwork, networks } from '../registry.ts'
import { findApp, findIssuingApp, findProvider, type OwnedApp, redirectUri } from './apps.ts'

/** The servers of a network at which owners sign in. Undefined for networks with one server. */
export const serversOf = ({ connect }: Network): OAuthServers | undefined =>
  connect.kind === 'oauth2' && 'servers' in connect ? connect.servers : undefined

/** A server of a network. `server`: its origin, or null for a network with one server. */
export type NetworkServer = { network: string; server: string | null }

export function authorizationServerAt({ network, server }: NetworkServer): AuthorizationServer {
  if (server === null) return findProvider(network).provider
  const found = findNetwork(network)
  const servers = found && serversOf(found)
  if (!servers) throw new Error(`This version does not support servers of the network ${network}`)
  return servers.authorizationServerAt(server)
}

/** Keys in one description. Only the loss of a key of the key ring adds one. */
const MAX_KEYS = 20

const contextOf = (id: string, column: 'client_id' | 'client_secret') => `server_app|${id}|${column}`

const rows = (db: Db) =>
  db.selectFrom('server_app').select(['id', 'redirect_uri', 'client_id', 'client_secret', 'scopes', 'replaced_at'])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

type StoredApp = ServerApp & { id: string; workspace_id: null }

/** Opens an app. Undefined if the key ring has lost its key. */
function open({ keyring, log }: Pick<Deps, 'keyring' | 'log'>, { id, scopes, ...sealed }: Row): StoredApp | undefined {
  try {
    return {
      id,
      workspace_id: null,
      client_id: unseal(keyring, sealed.client_id, contextOf(id, 'client_id')),
      client_secret: unseal(keyring, sealed.client_secret, contextOf(id, 'client_secret')),
      scopes,
    }
  } catch (err) {
    log.error({ err, server_app_id: id }, 'the app of a server cannot be decrypted')
    return
  }
}

type Reading = Pick<Deps, 'db' | 'keyring' | 'log'>

type SignIn = {
  network: string
  server_app_id: string | null
  workspace_id: string
  with_own_app: boolean
  client_id_hash: string | null
}

/** The app with which a sign-in began. Undefined if its owner has put another in its place, which must not be given the code. */
export async function findAppOfSignIn(
  deps: Reading,
  { network, server_app_id, workspace_id, with_own_app, client_id_hash }: SignIn,
): Promise<OwnedApp | undefined> {
  if (server_app_id === null) {
    const app = await findApp(deps, { network, workspace_id: with_own_app ? workspace_id : null })
    return app && [null, sha256(app.client_id)].includes(client_id_hash) ? app : undefined
  }
  const row = await rows(deps.db).where('id', '=', server_app_id).executeTakeFirst()
  return row && open(deps, row)
}

/**
 * The public description of the app with which people sign in at a server, where servers read it. `key`: names the
 * server. Keys of replaced apps are in it, because tokens that they obtained are renewed with them.
 */
export async function readClientMetadata(deps: Reading & Pick<Deps, 'baseUrl'>, key: string) {
  const redirect_uri = `${redirectUri(deps)}/${key}`
  for (const network of networks) {
    const servers = serversOf(network)
    if (!servers?.clientMetadata) continue
    const appRows = await rows(deps.db)
      .where('network', '=', network.id)
      .where('redirect_uri', '=', redirect_uri)
      .orderBy(sql`replaced_at desc nulls first`)
      .limit(MAX_KEYS)
      .execute()
    const apps = appRows.flatMap((row) => open(deps, row) ?? [])
    if (apps.length > 0) return servers.clientMetadata(deps, redirect_uri, apps)
  }
  throw notFound()
}

/**
 * The app that issued tokens of a workspace. For a network with one server, another app of it if that is no longer set
 * up. Throws an `unavailable` `TokenRefusal` while it may be the app at a server that cannot be decrypted.
 */
export async function findIssuer(
  deps: Reading,
  { network, server, workspace_id }: NetworkServer & { workspace_id: string | null },
  client_id: string,
): Promise<OwnedApp | undefined> {
  if (server === null) return findIssuingApp(deps, { network, workspace_id }, client_id)
  const appRows = await rows(deps.db).where('network', '=', network).where('server', '=', server).execute()
  const apps = appRows.map((row) => open(deps, row))
  const issuer = apps.find((app) => app?.client_id === client_id)
  if (!issuer && apps.includes(undefined))
    throw new TokenRefusal('unavailable', 'The app at the server cannot be decrypted.')
  return issuer
}

/** Age of the last use from which an app is deleted that is not in use. */
const UNUSED_MS = 30 * DAY
/** Notes that a sign-in begins with the app, so that it is not deleted. False if it has been. */
async function noteUse({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: Row) {
  const noted = db.updateTable('server_app').set({ used_at: clock.now() }).where('id', '=', id).returning('id')
  return (await noted.executeTakeFirst()) !== undefined
}

/** Deletes apps that neither tokens nor sign-ins need any more. They are registered again at the next sign-in. */
export async function deleteUnusedServerApps({ workerDatabase: { db }, clock }: Deps) {
  await db
    .deleteFrom('server_app')
    .where('used_at', '<', new Date(clock.now().getTime() - UNUSED_MS))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account_connection').select('id').whereRef('server_app_id', '=', 'server_app.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_grant')
            .select('oauth_grant.id')
            .whereRef('oauth_grant.network', '=', 'server_app.network')
            .whereRef('oauth_grant.server', '=', 'server_app.server')
            // Tokens of a former version may be of any app at their server.
            .where(sql<boolean>`coalesce(oauth_grant.server_app_id, server_app.id) = server_app.id`),
        ),
      ),
    )
    .execute()
}

/**
 * The app of this instance at a server. It is registered at the first sign-in, and again when the server has forgotten
 * it. Of several that are registered at once, one is kept.
 */
export async function registeredApp(
  deps: Deps,
  caller: Member,
  { network, servers, server }: { network: string; servers: OAuthServers; server: string },
): Promise<StoredApp> {
  const redirect_uri = redirectUri(deps, server)
  const current = (db: Db) =>
    rows(db)
      .where('network', '=', network)
      .where('server', '=', server)
      .where('redirect_uri', '=', redirect_uri)
      .where('replaced_at', 'is', null)
      .executeTakeFirst()
  const stored = await current(deps.db)
  const former = stored && (await noteUse(deps, stored)) ? stored : undefined
  const formerApp = former && open(deps, former)
  if (formerApp && (await servers.knows(deps, { server, redirect_uri }, formerApp))) return formerApp
  const app = await servers.register(deps, { server, redirect_uri })
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    if (former) await tx.updateTable('server_app').set({ replaced_at: now }).where('id', '=', former.id).execute()
    const id = await newId(tx)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('server_app')
      .values({
        ...{ id, network, server, redirect_uri, created_at: now, used_at: now },
        client_id: seal(deps.keyring, app.client_id, contextOf(id, 'client_id')),
        client_secret: seal(deps.keyring, app.client_secret, contextOf(id, 'client_secret')),
        scopes: [...app.scopes],
      })
      .onConflict((conflict) =>
        conflict.columns(['network', 'server', 'redirect_uri']).where('replaced_at', 'is', null).doNothing(),
      )
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) {
      const row = await current(tx)
      const winner = row && open(deps, row)
      if (!winner) throw new Error('The app that was registered at the same time cannot be read')
      return winner
    }
    await audit(tx, caller, 'server_app.registered', id, { network, server, again: former !== undefined })
    return { id, workspace_id: null, ...app }
  })
}
