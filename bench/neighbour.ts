import { randomBytes } from 'node:crypto'
import { hmac } from '../server/lib/crypto/crypto.ts'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { authSecret } from '../server/modules/auth/better-auth/auth-options.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { DAY } from '../shared/time.ts'
import { callAtRate, createMany } from './harness.ts'
import type { Credentials } from './hostile-attacks.ts'

/** Calls a second of other users, shared by enough tokens to stay within the default limits. */
const RATE = 100

/** Creates another user, who owns a workspace. */
export async function createUser(deps: Deps, owner: Member, name: string): Promise<Member> {
  const email = `${name}@example.com`
  const { id } = await deps.db
    .insertInto('user')
    .values({ email, name, email_verified: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = { ...owner, user_id: id, email, is_instance_admin: false }
  const workspace = await createWorkspace(deps.db, user, { name })
  return { ...user, workspace_id: workspace.id }
}

/** A session and API tokens of a user. */
export async function credentialsOf(deps: Deps, user: Member, count: number): Promise<Credentials> {
  const token = randomBytes(24).toString('base64url')
  const expires_at = new Date(Date.now() + DAY)
  await deps.db.insertInto('session').values({ token, user_id: user.user_id, expires_at }).execute()
  const signature = hmac(authSecret(deps.keyring), token).digest('base64')
  const tokens = await createMany(count, async (index) => (await createToken(deps, user, { name: `${index}` })).token)
  return { cookie: `meydan.session_token=${encodeURIComponent(`${token}.${signature}`)}`, tokens }
}

/** Measures ordinary calls at an even rate. Returns the 99th percentile in milliseconds, of all and of /readyz. */
export const delaysOf = (url: string, { tokens }: Credentials) => {
  const calls = ['/api/v1/me', '/api/v1/posts', 'POST', '/readyz']
  return async (seconds: number) => {
    const all: number[] = []
    const readyz: number[] = []
    const statuses: Record<string, number> = {}
    await callAtRate(RATE, seconds, async (index) => {
      const call = calls[index % calls.length] ?? ''
      const headers = { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' }
      const start = performance.now()
      const response = await (call === 'POST'
        ? fetch(`${url}/api/v1/posts`, { method: 'POST', headers, body: '{"content":"An ordinary post."}' })
        : fetch(`${url}${call}`, { headers }))
      await response.arrayBuffer()
      const delay = performance.now() - start
      all.push(delay)
      if (call === '/readyz') readyz.push(delay)
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    })
    return { all: p99(all), readyz: p99(readyz), statuses }
  }
}

const p99 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.99)] ?? 0
