import { seal } from '../server/lib/crypto/crypto.ts'
import { sealPending } from '../server/modules/accounts/connections/pending.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { expectStatus, signedIn, type WorkspaceOwner } from './factories.ts'
import type { OAuthServer } from './stand-ins/oauth.ts'

/** Sets up the app of a network with the credentials that its stand-in knows. */
export async function setUpApp(t: TestApp, network: string, { client }: Pick<OAuthServer, 'client'>) {
  const { client_id, client_secret } = client
  const admin = await signedIn(t, { instanceAdmin: true })
  expectStatus(await admin.put(`/api/v1/admin/network-apps/${network}`, { client_id, client_secret }), 200)
  return admin
}

/** Begins a sign-in. `instance`: the server, for a network that has several. */
export const startedConnection = async (owner: Pick<Client, 'post'>, network: string, instance?: string) =>
  expectStatus(await owner.post('/api/v1/accounts/connections', { network, ...(instance && { instance }) }), 201).body

/** Opens the page of a network, and follows it until it sends the browser back. Returns the path of the callback. */
export async function followToCallback(authorize_url: string) {
  let url = new URL(authorize_url)
  const { origin } = url
  while (url.origin === origin) {
    const { headers } = await fetch(url, { redirect: 'manual' })
    url = new URL(headers.get('location') ?? '')
  }
  return `${url.pathname}${url.search}`
}

/** Begins a sign-in, and lets the person sign in at the network. Returns the path of the callback. */
export async function signInAtNetwork(owner: Pick<Client, 'post'>, network: string, instance?: string) {
  const body = await startedConnection(owner, network, instance)
  return { id: String(body.id), callback: await followToCallback(body.authorize_url) }
}

/** Signs in at a network as its stand-in was told, and connects all accounts that it offers. */
export async function connectByOAuth(owner: WorkspaceOwner, network: string, instance?: string) {
  const { id, callback } = await signInAtNetwork(owner, network, instance)
  expectStatus(await owner.get(callback), 303)
  const path = `/api/v1/accounts/connections/${id}`
  const { body: found } = expectStatus(await owner.get(path), 200)
  if (found.status !== 'choose') return found
  const external_ids = found.candidates.map(({ external_id }: { external_id: string }) => external_id)
  return expectStatus(await owner.post(`${path}/choose`, { external_ids }), 200).body
}

/** Makes a sign-in wait for a choice, as after one that found two accounts. Returns the id of one. */
export async function pendingChoice({ deps }: TestApp, id: string) {
  const candidateOf = (external_id: string) => ({
    external_id,
    kind: 'page',
    name: `Page ${external_id}`,
    handle: external_id,
    url: null,
    credentials: null,
  })
  const candidates = [`${id}-1`, `${id}-2`].map(candidateOf)
  const tokens = { access_token: 'access', refresh_token: null, expires_in: null, scopes: null }
  const pending = sealPending(deps, id, { tokens, client_id: 'id-of-the-app', external_user_id: null, candidates })
  const code_verifier = seal(deps.keyring, 'verifier', `account_connection|${id}|code_verifier`)
  const binding = seal(deps.keyring, '{}', `account_connection|${id}|binding`)
  const choice = { status: 'choose', pending, code_verifier, binding } as const
  await deps.db.updateTable('account_connection').set(choice).where('id', '=', id).execute()
  return `${id}-1`
}
