import { seal, unseal } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Network } from '../network.ts'
import type { OAuthApp, OAuthServers, ServerApp, SignIn } from '../oauth/provider.ts'
import { findNetwork } from '../registry.ts'
import { findApp, findProvider, redirectUri } from './apps.ts'

/** The sign-in at the servers of a network; undefined for networks with one server. */
export const serversOf = ({ connect }: Network): OAuthServers | undefined =>
  connect.kind === 'oauth2' && 'servers' in connect ? connect.servers : undefined

/** Place at which somebody signs in. `server`: the origin of one server of the network; null if it has one only. */
export type Place = { network: string; server: string | null }

export function signInAt({ network, server }: Place): SignIn {
  if (server === null) return findProvider(network).provider
  const found = findNetwork(network)
  const servers = found && serversOf(found)
  if (!servers) throw new Error(`This version does not support servers of the network ${network}`)
  return servers.signInAt(server)
}

const contextOf = (id: string, column: 'client_id' | 'client_secret') => `server_app|${id}|${column}`

const rowsAt = (db: Db, network: string, server: string) =>
  db
    .selectFrom('server_app')
    .select(['id', 'redirect_uri', 'client_id', 'client_secret', 'scopes'])
    .where('network', '=', network)
    .where('server', '=', server)

type Row = Awaited<ReturnType<ReturnType<typeof rowsAt>['executeTakeFirstOrThrow']>>

/** Opens an app. Undefined if the key ring has lost its key. */
function open({ keyring, log }: Pick<Deps, 'keyring' | 'log'>, { id, scopes, ...sealed }: Row): ServerApp | undefined {
  try {
    return {
      client_id: unseal(keyring, sealed.client_id, contextOf(id, 'client_id')),
      client_secret: unseal(keyring, sealed.client_secret, contextOf(id, 'client_secret')),
      scopes,
    }
  } catch (err) {
    log.error({ err, server_app_id: id }, 'the app of a server cannot be decrypted')
    return
  }
}

/** The app of a place. `client_id`: of the app that issued its tokens, which may have had another redirect address. */
export async function findAppAt(
  deps: Pick<Deps, 'db' | 'keyring' | 'log' | 'baseUrl'>,
  { network, server }: Place,
  client_id?: string,
): Promise<OAuthApp | undefined> {
  if (server === null) return findApp(deps, network)
  const rows = await rowsAt(deps.db, network, server).execute()
  if (client_id === undefined) {
    const current = rows.find(({ redirect_uri }) => redirect_uri === redirectUri(deps))
    return current && open(deps, current)
  }
  return rows.map((row) => open(deps, row)).find((app) => app?.client_id === client_id)
}

/**
 * The app of this instance at a server. It is registered at the first sign-in, and again when the server has forgotten
 * it. Of several that are registered at once, one is kept.
 */
export async function registeredApp(
  deps: Deps,
  caller: Member,
  { network, servers, server }: { network: string; servers: OAuthServers; server: string },
): Promise<ServerApp> {
  const redirect_uri = redirectUri(deps)
  const current = (db: Db) => rowsAt(db, network, server).where('redirect_uri', '=', redirect_uri).executeTakeFirst()
  const former = await current(deps.db)
  const known = former && open(deps, former)
  if (known && (await servers.knows(deps, { server, redirect_uri }, known))) return known
  const app = await servers.register(deps, { server, redirect_uri })
  return inTransaction(deps.db, async (tx) => {
    if (former) await tx.deleteFrom('server_app').where('id', '=', former.id).execute()
    const id = await newId(tx)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('server_app')
      .values({
        ...{ id, network, server, redirect_uri },
        client_id: seal(deps.keyring, app.client_id, contextOf(id, 'client_id')),
        client_secret: seal(deps.keyring, app.client_secret, contextOf(id, 'client_secret')),
        scopes: [...app.scopes],
      })
      .onConflict((conflict) => conflict.constraint('server_app_key').doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) {
      const winner = await current(tx)
      return (winner && open(deps, winner)) ?? app
    }
    await audit(tx, caller, 'server_app.registered', id, { network, server, again: former !== undefined })
    return app
  })
}
