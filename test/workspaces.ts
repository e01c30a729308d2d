import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { expectStatus, signedIn, withToken } from './factories.ts'

/** A new workspace of a person. Calls of the client that it returns are made there. */
export async function anotherWorkspace(person: Client) {
  const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: randomUUID() }), 201)
  return { ...person.with({ 'x-workspace-id': body.id }), workspace_id: body.id as string, slug: body.slug as string }
}

/** A person who owns two workspaces. */
export async function withTwoWorkspaces(t: TestApp) {
  const person = await signedIn(t)
  return { person, here: await anotherWorkspace(person), there: await anotherWorkspace(person) }
}

/** A post that its author can copy to another workspace, by a session or by a token. */
export async function copyablePost(t: TestApp, by: 'session' | 'token') {
  const person = await signedIn(t)
  const [here, there] = [await anotherWorkspace(person), await anotherWorkspace(person)]
  const { body } = expectStatus(await here.post('/api/v1/posts', { content: 'Hello', labels: ['news'] }), 201)
  const inHere = { 'x-workspace-id': here.workspace_id }
  const headers =
    by === 'session'
      ? { ...person.headers, ...inHere }
      : { authorization: `Bearer ${(await withToken(t, here, ['posts:write'], { team_id: null })).token}`, ...inHere }
  return { id: body.id as string, headers, body: { workspace_id: there.workspace_id } }
}
