import { randomBytes } from 'node:crypto'
import { hmac } from '../server/lib/crypto/crypto.ts'
import { inTransaction } from '../server/lib/db/database.ts'
import type { Role } from '../server/lib/http/roles.ts'
import { authSecret } from '../server/modules/auth/better-auth/auth-options.ts'
import { makeInstanceAdmin } from '../server/modules/auth/instance-admin.ts'
import { hashPassword } from '../server/modules/auth/sign-in/passwords.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

export const PASSWORD = 'correct horse battery'

const unique = () => randomBytes(5).toString('hex')

export const newAddress = () => `${unique()}@example.com`

export type Person = Client & { id: string; email: string }

/** Fails with the whole response if the status differs. */
export const expectStatus = <A extends { status: number; body: unknown }>(response: A, status: number): A => {
  if (response.status !== status)
    throw new Error(`Expected ${status}, got ${response.status}: ${JSON.stringify(response.body)}`)
  return response
}

let passwordHash: Promise<string> | undefined

/** A verified user with a session, without the slow password hash of a real sign-up. `headers`: its cookie. */
export async function signedIn(
  t: TestApp,
  { instanceAdmin = false, name = 'Ada', email = newAddress() } = {},
): Promise<Person & { headers: { cookie: string } }> {
  passwordHash ??= hashPassword(t.deps.auth, PASSWORD)
  const hash = await passwordHash
  const id = await inTransaction(t.deps.db, async (tx) => {
    const user_id = await makeInstanceAdmin(tx, { email, name, passwordHash: hash })
    if (!instanceAdmin)
      await tx.updateTable('user').set({ is_instance_admin: false }).where('id', '=', user_id).execute()
    return user_id
  })
  const headers = await openSession(t, id)
  return { ...t.anyone.with(headers), headers, id, email }
}

const WEEK = 7 * 86_400_000

/** Opens a session as a sign-in does, without the slow password check. Returns its cookie. */
export async function openSession({ deps }: TestApp, user_id: string) {
  const token = randomBytes(24).toString('base64url')
  const created_at = deps.clock.now()
  const expires_at = new Date(created_at.getTime() + WEEK)
  const session = { token, user_id, created_at, expires_at, ip_address: '127.0.0.1' }
  await deps.db.insertInto('session').values(session).execute()
  const signature = hmac(authSecret(deps.keyring), token).digest('base64')
  const prefix = deps.baseUrl.startsWith('https:') ? '__Secure-' : ''
  return { cookie: `${prefix}meydan.session_token=${encodeURIComponent(`${token}.${signature}`)}` }
}

export const sessionCookie = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

export type WorkspaceOwner = Person & { workspace_id: string }

/** A user who owns a new workspace. */
export async function withWorkspace(t: TestApp): Promise<WorkspaceOwner> {
  const person = await signedIn(t)
  const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `Workspace ${unique()}` }), 201)
  return { ...person, workspace_id: body.id }
}

/** A new user with this role in the workspace. */
export async function memberOf(t: TestApp, workspace_id: string, role: Role): Promise<WorkspaceOwner> {
  const person = await signedIn(t)
  await t.deps.db.insertInto('workspace_member').values({ workspace_id, user_id: person.id, role }).execute()
  return { ...person, workspace_id }
}

/** Changes the role of a member for every later call. */
export const changeRole = (t: TestApp, { id, workspace_id }: { id: string; workspace_id: string }, role: Role) =>
  inTransaction(t.deps.db, async (tx) => {
    await tx
      .updateTable('workspace_member')
      .set({ role })
      .where('user_id', '=', id)
      .where('workspace_id', '=', workspace_id)
      .execute()
    await t.deps.invalidationBus.invalidate(tx, 'access')
  })

/** A client with a new API token of `person`. */
export async function withToken(t: TestApp, person: Client, scopes: string[] = [], more: object = {}) {
  const { body } = expectStatus(await person.post('/api/v1/api-tokens', { name: 'test', scopes, ...more }), 201)
  return {
    ...t.anyone.with({ authorization: `Bearer ${body.token}` }),
    token: body.token as string,
    id: body.id as string,
  }
}

export async function playgroundAccount(person: Client) {
  const { body } = expectStatus(await person.post('/api/v1/accounts', { network: 'playground' }), 201)
  return body.id as string
}
