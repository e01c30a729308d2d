import { MINUTE } from '../../../../shared/time.ts'
import type { TestApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { handleMissedTimes } from '../review/missed-times.ts'

export const POLICY = '/api/v1/workspace/approval-policy'
export const ONE = { mode: 'one' }
export const step = (...people: WorkspaceOwner[]) => ({ need: 'all', user_ids: people.map(({ id }) => id) })

/** A step of an editor, then one of the client. */
export const EDITOR_THEN_CLIENT = { mode: 'steps', steps: [{ need: 'any', role: 'editor' }, { kind: 'client' }] }

/** The client of a link. Opens it as a browser does, and returns its calls. */
export async function clientOf(t: TestApp, { id, url }: { id: string; url: string }) {
  const path = `/api/v1/review/${id}`
  const secret = url.split('#')[1] ?? ''
  const { headers } = expectStatus(await t.anyone.post(`${path}/session`, { secret }), 204)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const client = t.anyone.with({ cookie })
  const read = async () => expectStatus(await client.get(path), 200).body
  const postOf = async (id: string) => (await read()).posts.find((post: { id: string }) => post.id === id)
  const approve = (post_id: string, content_version: string) =>
    client.post(`${path}/posts/${post_id}/approve`, { content_version })
  const requestChange = (post_id: string, content_version: string, reason = 'Shorter') =>
    client.post(`${path}/posts/${post_id}/request-change`, { content_version, reason })
  return { client, cookie, path, read, postOf, approve, requestChange }
}

/** A workspace with an account, its owner, an editor and an author, and a policy. */
export async function approvalTeam(t: TestApp, policy: object = ONE) {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const author = await memberOf(t, owner.workspace_id, 'author')
  expectStatus(await owner.put(POLICY, policy), 200)
  const write = async (body: object = {}, person = author) =>
    expectStatus(await person.post('/api/v1/posts', { content: 'Hello', account_ids: [account], ...body }), 201).body
  const call = (person: WorkspaceOwner, id: string, act: string, body: object = {}) =>
    person.post(`/api/v1/posts/${id}/${act}`, body)
  const approve = async (person: WorkspaceOwner, id: string, body: object = {}) =>
    expectStatus(await call(person, id, 'approve', body), 200).body
  const read = async (id: string) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
  const review = async (id: string, person = owner) =>
    expectStatus(await person.get(`/api/v1/posts/${id}/review`), 200).body
  const pass = async (minutes: number) => {
    t.advance(minutes * MINUTE)
    await t.runJobs()
    await handleMissedTimes(t.deps)
  }
  return { owner, account, editor, author, write, call, approve, read, review, pass }
}
