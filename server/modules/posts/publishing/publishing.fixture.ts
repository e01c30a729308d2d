/** Calls that tests of publishing share, on an app and its stand-in for Bluesky. */
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import type { BlueskyServer } from '../../../../test/stand-ins/bluesky.ts'

export const SECOND = 1000
export const HOUR = 3600 * SECOND

export type Published = { id: string; status: string; targets: Record<string, unknown>[] }

/** Creates a workspace with a Bluesky account. */
export async function withBluesky(t: TestApp, bluesky: BlueskyServer) {
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const { body } = expectStatus(
    await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields }),
    201,
  )
  return { owner, account: body.id as string, handle: fields.handle }
}

export const publishNow = async (owner: WorkspaceOwner, body: object): Promise<Published> =>
  expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', publish_now: true, ...body }), 201).body

export const read = async (owner: WorkspaceOwner, { id }: { id: string }): Promise<Published> =>
  expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

export const advance = async (t: TestApp, ms: number) => {
  await t.advance(ms)
  await t.runJobs()
}

export const eventsOf = async (t: TestApp, owner: WorkspaceOwner) => {
  const rows = await t.deps.db
    .selectFrom('event')
    .select(['type', 'payload'])
    .where('workspace_id', '=', owner.workspace_id)
    .orderBy('id')
    .execute()
  return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload.toString()).data }))
}
