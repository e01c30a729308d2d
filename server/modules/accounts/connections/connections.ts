import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY, MINUTE } from '../../../../shared/time.ts'
import { invalid, notFound, problem } from '../../../errors.ts'
import { seal, sha256, unseal } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { type Complete, nothingToKeep } from '../../../lib/http/idempotency.ts'
import { findAppInUse, type OwnedApp, providerOf, redirectUri } from '../../networks/apps/apps.ts'
import { registeredApp, serversOf } from '../../networks/apps/server-apps.ts'
import { routeOf, withNetworkDeadline } from '../../networks/calls/call.ts'
import { connectProblem } from '../../networks/calls/connect-problem.ts'
import type { AuthorizationServer } from '../../networks/oauth/provider.ts'
import { TokenRefusal } from '../../networks/oauth/token-response.ts'
import { findNetwork } from '../../networks/registry.ts'
import type { Connection, FailureCode, NewConnection } from './connections.schema.ts'
import { openPending } from './pending.ts'

/** Time for the sign-in at the network. */
const SIGN_IN_MS = 15 * MINUTE

const contextOf = (id: string, column: 'code_verifier' | 'binding') => `account_connection|${id}|${column}`

type Challenge = { state: string; verifier: string | null }

/** The page of the network at which the user signs in (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
function authorizeUrl(deps: Deps, { provider, app, server }: OAuthClient, challenge: Challenge) {
  const { scopes, scopeSeparator, clientIdParam = 'client_id', authorizeParams } = provider
  const url = new URL(routeOf(deps, { url: provider.endpoints(deps).authorize, originKey: provider.originKey }).url)
  const query = {
    response_type: 'code',
    [clientIdParam]: app.client_id,
    redirect_uri: redirectUri(deps, server),
    scope: (app.scopes ?? [...scopes.publish, ...(scopes.optional ?? [])]).join(scopeSeparator),
    state: challenge.state,
    ...(challenge.verifier !== null && { code_challenge: sha256(challenge.verifier), code_challenge_method: 'S256' }),
    ...authorizeParams,
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * App at an authorization server. `server` and `server_app_id`: null for a network with one server. `names_issuer`: the
 * callback names the server.
 */
type OAuthClient = {
  provider: AuthorizationServer
  app: OwnedApp
  server: string | null
  server_app_id: string | null
  names_issuer: boolean
  /** Account that must sign in, if somebody named one. */
  subject?: string | undefined
}

/** Prepares the page of the network. A network whose tokens are bound to a key is called. */
async function openAuthorization(deps: Deps, client: OAuthClient, challenge: Challenge) {
  const { provider, app, server, subject } = client
  if (!provider.bound) return { url: authorizeUrl(deps, client, challenge), binding: null }
  const { state, verifier } = challenge
  try {
    return await provider.bound.push(deps, app, {
      ...{ state, subject, redirect_uri: redirectUri(deps, server), code_challenge: sha256(verifier ?? '') },
    })
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown
    const isAway = thrown.refused === 'unavailable'
    throw connectProblem(
      '/instance',
      isAway ? 'account_unreachable' : 'account_refused',
      isAway
        ? { en: `The server could not be reached: ${thrown.message}`, tr: `Sunucuya ulaşılamadı: ${thrown.message}` }
        : { en: `The server refused Meydan: ${thrown.message}`, tr: `Sunucu Meydan'ı reddetti: ${thrown.message}` },
      thrown,
    )
  }
}

async function findClient(
  deps: Deps,
  caller: Member,
  { network: id, instance }: Static<typeof NewConnection>,
): Promise<OAuthClient> {
  const network = findNetwork(id)
  const servers = network && serversOf(network)
  if (servers) {
    if (instance === undefined)
      throw invalid(
        '/instance',
        { en: 'Name the server that the account is on.', tr: 'Hesabın bulunduğu sunucuyu yazın.' },
        'required',
      )
    const unavailable = servers.unavailable?.(deps)
    if (unavailable) throw problem('network_not_set_up', { detail: unavailable.en })
    const { server, subject } = await servers.find(deps, instance)
    const app = await registeredApp(deps, caller, { network: id, servers, server })
    const names_issuer = await servers.namesIssuer(deps, server, app)
    const provider = servers.authorizationServerAt(server)
    return { provider, app, server, server_app_id: app.id, names_issuer, subject }
  }
  const provider = network && providerOf(network)
  if (!provider) throw invalid('/network', 'Accounts of this network are connected with `POST /accounts`.')
  if (instance !== undefined) throw invalid('/instance', 'This network has one server. Leave its name out.')
  const app = await findAppInUse(deps, { network: id, workspace_id: caller.workspace_id })
  if (!app)
    throw problem('network_not_set_up', {
      detail: `An instance admin must set up ${network.name} first, or an admin of the workspace its own app.`,
    })
  return { provider, app, server: null, server_app_id: null, names_issuer: false }
}

/** Begins a sign-in at a network. A server that it does not know yet is called first. */
export async function startConnection(
  deps: Deps,
  caller: Member,
  input: Static<typeof NewConnection>,
  complete: Complete = nothingToKeep,
) {
  const { network } = input
  const calling = withNetworkDeadline(deps, deps.timings.signInStart)
  const oauthClient = await findClient(calling, caller, input)
  const { provider, app, server, server_app_id, names_issuer } = oauthClient
  const state = randomBytes(32).toString('base64url')
  const verifier = provider.pkce ? randomBytes(32).toString('base64url') : null
  const { url, binding } = await openAuthorization(calling, oauthClient, { state, verifier })
  return inTransaction(deps.db, async (tx) => {
    const id = await newId(tx)
    await tx
      .insertInto('account_connection')
      .values({
        id,
        workspace_id: caller.workspace_id,
        user_id: caller.user_id,
        session_id: caller.session_id,
        network,
        server,
        server_app_id,
        names_issuer,
        with_own_app: app.workspace_id !== null,
        client_id_hash: sha256(app.client_id),
        state_hash: sha256(state),
        code_verifier: verifier && seal(deps.keyring, verifier, contextOf(id, 'code_verifier')),
        binding: binding && seal(deps.keyring, binding, contextOf(id, 'binding')),
        expires_at: new Date(deps.clock.now().getTime() + SIGN_IN_MS),
      })
      .execute()
    await audit(tx, caller, 'account.sign_in_started', id, { network, ...(server !== null && { server }) })
    const started = {
      ...(await readConnection({ ...deps, db: tx }, caller, id)),
      authorize_url: url,
    }
    await complete(tx, started)
    return started
  })
}

const connections = (db: Db, { workspace_id, user_id }: Member, id: string) =>
  db
    .selectFrom('account_connection')
    .select([
      'id',
      'network',
      'server as instance',
      'server_app_id',
      'status',
      'pending',
      'account_ids',
      'error_message',
      'created_at',
      'expires_at',
    ])
    .select(sql<'workspace' | 'instance'>`case when with_own_app then 'workspace' else 'instance' end`.as('app'))
    .select(sql<FailureCode | null>`error_code`.as('error_code'))
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', user_id)

export const findConnection = (db: Db, caller: Member, id: string) =>
  connections(db, caller, id).executeTakeFirstOrThrow(notFound)

export const lockConnection = (tx: Tx, caller: Member, id: string) =>
  connections(tx, caller, id).forUpdate().executeTakeFirstOrThrow(notFound)

const expired = { code: 'expired', message: 'The sign-in was not completed in time.' } as const

/** Reads a sign-in. Only the user who began it sees it. */
export async function readConnection(deps: Deps, caller: Member, id: string): Promise<Static<typeof Connection>> {
  const row = await findConnection(deps.db, caller, id)
  const { pending, error_code, error_message, server_app_id: _, ...connection } = row
  const isOpen = row.status === 'waiting' || row.status === 'choose'
  if (isOpen && row.expires_at <= deps.clock.now())
    return { ...connection, status: 'failed', candidates: [], error: expired }
  const candidates = row.status === 'choose' && pending ? openPending(deps, id, pending).candidates : []
  const known = await knownIds(deps.db, caller, row.network, candidates)
  return {
    ...connection,
    candidates: candidates.map(({ external_id, name, handle, kind, avatar }) => ({
      external_id,
      name,
      handle,
      kind: kind.slice(0, 40),
      avatar_url: avatar?.url ?? null,
      connected: known.has(external_id),
    })),
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
  }
}

async function knownIds(db: Db, { workspace_id }: Member, network: string, candidates: { external_id: string }[]) {
  if (candidates.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('account')
    .select('external_id')
    .where('workspace_id', '=', workspace_id)
    .where('network', '=', network)
    .where('deleted_at', 'is', null)
    .where('external_id', '=', sql<string>`any(${candidates.map(({ external_id }) => external_id)}::text[])`)
    .execute()
  return new Set(rows.map(({ external_id }) => external_id))
}

/** Opens the secrets that a sign-in keeps until its callback. */
export const openSecrets = (
  { keyring }: Pick<Deps, 'keyring'>,
  { id, code_verifier, binding }: { id: string; code_verifier: string | null; binding: string | null },
) => ({
  code_verifier: code_verifier === null ? null : unseal(keyring, code_verifier, contextOf(id, 'code_verifier')),
  binding: binding === null ? null : unseal(keyring, binding, contextOf(id, 'binding')),
})

/** Deletes sign-ins of more than a day ago. */
export const deleteOldConnections = ({ workerDatabase: { db }, clock }: Deps) =>
  db
    .deleteFrom('account_connection')
    .where('expires_at', '<', new Date(clock.now().getTime() - DAY))
    .execute()
