import type { TestApp } from '../../../../test/app.ts'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../../test/factories.ts'

export type VersionSummary = { id: string; number: number; source: string; changed: string[]; is_current: boolean }

export const pathOf = (post_id: string) => `/api/v1/posts/${post_id}`
export const list = async (client: Client, post_id: string): Promise<VersionSummary[]> =>
  expectStatus(await client.get(`${pathOf(post_id)}/versions?limit=100`), 200).body.data
export const read = async (client: Client, post_id: string, id = '') =>
  expectStatus(await client.get(`${pathOf(post_id)}/versions/${id}`), 200).body

/** A draft of an author. */
export async function draft(t: TestApp, content = 'One') {
  const owner = await withWorkspace(t)
  const author = await memberOf(t, owner.workspace_id, 'author')
  const { id } = expectStatus(await author.post('/api/v1/posts', { content }), 201).body
  const change = async (person: Client, body: object) => expectStatus(await person.patch(pathOf(id), body), 200).body
  return { owner, author, id: id as string, change }
}
