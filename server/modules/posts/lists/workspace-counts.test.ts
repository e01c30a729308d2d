import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'

const t = await testApp()

const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString()
const counts = async (who: { get: (path: string) => Promise<{ status: number; body: unknown }> }) => {
  const { body } = expectStatus(await who.get('/api/v1/workspaces/counts'), 200)
  return (body as { data: Record<string, unknown>[] }).data
}

test('GET /workspaces/counts returns each workspace of the caller with what waits and what comes', async () => {
  const first = await withWorkspace(t)
  const { body: second } = expectStatus(await first.post('/api/v1/workspaces', { name: 'Another brand' }), 201)
  const inFirst = first.with({ 'x-workspace-id': first.workspace_id })
  const account = await playgroundAccount(inFirst)
  for (const days of [2, 5, 20])
    expectStatus(
      await inFirst.post('/api/v1/posts', { content: 'Soon', account_ids: [account], scheduled_at: inDays(days) }),
      201,
    )
  const nothing = { failed: 0, blocked: 0, in_review: 0, held: 0, stopped: 0, disconnected_accounts: 0 }
  expect(await counts(first)).toEqual([
    expect.objectContaining({ ...nothing, id: second.id, name: 'Another brand', upcoming: 0, next_at: null }),
    expect.objectContaining({ ...nothing, id: first.workspace_id, upcoming: 2, next_at: inDays(2) }),
  ])

  const { body: page } = expectStatus(await first.get('/api/v1/workspaces/counts?limit=1'), 200)
  expect(page.data).toHaveLength(1)
  const { body: rest } = expectStatus(
    await first.get(`/api/v1/workspaces/counts?limit=1&cursor=${page.next_cursor}`),
    200,
  )
  expect(rest.data[0].id).toBe(first.workspace_id)
})

test('a member sees the counts of a workspace, others do not, and a bound token sees only its own', async () => {
  const owner = await withWorkspace(t)
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  expect((await counts(viewer)).map(({ id }) => id)).toEqual([owner.workspace_id])
  expect((await counts(await withWorkspace(t))).map(({ id }) => id)).not.toContain(owner.workspace_id)

  expectStatus(await owner.post('/api/v1/workspaces', { name: 'Not in the token' }), 201)
  const token = await withToken(t, owner.with({ 'x-workspace-id': owner.workspace_id }), ['posts:read'])
  const { body } = expectStatus(await token.get('/api/v1/public/workspaces/counts'), 200)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([owner.workspace_id])
})

test('the days are those of the workspace, and a post in review counts for those who can decide on it', async () => {
  const owner = await withWorkspace(t)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const author = await memberOf(t, owner.workspace_id, 'author')
  expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'Pacific/Kiritimati' }), 200)
  const account = await playgroundAccount(owner)
  const write = (who: WorkspaceOwner, scheduled_at: string) =>
    who.post('/api/v1/posts', { content: 'Soon', account_ids: [account], scheduled_at })
  for (const days of [1, 1, 3, 20]) expectStatus(await write(owner, inDays(days)), 201)
  const policy = { mode: 'steps', own_posts: true, steps: [{ need: 'any', user_ids: [editor.id] }] }
  expectStatus(await owner.put('/api/v1/workspace/approval-policy', policy), 200)
  const { body } = expectStatus(await write(author, inDays(2)), 201)
  expect(body.review).toBe('pending')

  const [row = {}] = await counts(editor)
  // Kiritimati is 14 hours ahead of UTC all year.
  const dayIn = (days: number) => new Date(Date.parse(inDays(days)) + 14 * 3600_000).toISOString().slice(0, 10)
  expect(row.days).toEqual(Array.from({ length: 7 }, (_, n) => ({ day: dayIn(n), posts: [0, 2, 0, 1][n] ?? 0 })))
  expect(row).toMatchObject({ in_review: 1, waits_for_you: 1 })
  for (const who of [owner, author]) expect((await counts(who))[0]).toMatchObject({ in_review: 1, waits_for_you: 0 })
})
