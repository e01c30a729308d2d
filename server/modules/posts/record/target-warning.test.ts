import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuthTo } from '../../../../test/network-faults.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

const t = await testApp()

const fromNow = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()

const created = async (owner: WorkspaceOwner, account_ids: string[], more: object = { scheduled_at: fromNow(HOUR) }) =>
  expectStatus(await owner.post('/api/v1/posts', { content: 'Later', account_ids, ...more }), 201).body

/** The warnings of a post's targets, wherever it is read. */
async function warningsOf(owner: WorkspaceOwner, { id }: { id: string }) {
  const read = async (path: string) => expectStatus(await owner.get(path), 200).body
  const pages = [await read('/api/v1/posts?limit=100'), await read('/api/v1/posts/summaries')]
  const found = [
    await read(`/api/v1/posts/${id}`),
    ...pages.map(({ data }) => data.find((post: { id: string }) => post.id === id)),
  ]
  const [first, ...others] = found.map(({ targets }) =>
    targets.map(({ warning }: { warning: string | null }) => warning),
  )
  for (const other of others) expect(other).toEqual(first)
  return first
}

const setAccount = (id: string, values: { status?: 'connected' | 'disconnected'; paused_by?: 'member' | null }) =>
  t.deps.db.updateTable('account').set(values).where('id', '=', id).execute()

const blocked = async (owner: WorkspaceOwner) => expectStatus(await owner.get('/api/v1/posts/counts'), 200).body.blocked

describe('the warning of a target', () => {
  test('tells that the account is disconnected, before the time of the post and until it is connected again', async () => {
    const owner = await withWorkspace(t)
    const [sick, healthy] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const post = await created(owner, [sick, healthy])
    expect(await warningsOf(owner, post)).toEqual([null, null])
    await setAccount(sick, { status: 'disconnected' })
    expect(await warningsOf(owner, post)).toEqual(['account_disconnected', null])
    await setAccount(sick, { status: 'connected' })
    expect(await warningsOf(owner, post)).toEqual([null, null])
  })

  test('tells that the account is paused', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    const post = await created(owner, [id])
    expectStatus(await owner.patch(`/api/v1/accounts/${id}`, { paused: true }), 200)
    expect(await warningsOf(owner, post)).toEqual(['account_paused'])
  })

  test('tells that the sign-in ends before the time of the post, and not of one before that', async () => {
    const server = await linkedinServer()
    onTestFinished(server.close)
    const { owner, account } = await connectByOAuthTo(t, server, 'linkedin')
    const { sign_in_ends_at } = expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body
    const left = Date.parse(sign_in_ends_at) - t.clock.now().getTime()
    const before = await created(owner, [account], { scheduled_at: fromNow(left - DAY) })
    const later = await created(owner, [account], { scheduled_at: fromNow(left + DAY) })
    expect(await warningsOf(owner, before)).toEqual([null])
    expect(await warningsOf(owner, later)).toEqual(['sign_in_ends_before'])
  })

  test('is null for drafts and for what has been published', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    const [draft, sent] = [await created(owner, [id], {}), await created(owner, [id], { publish_now: true })]
    await t.runJobs()
    await setAccount(id, { status: 'disconnected' })
    expect(await warningsOf(owner, draft)).toEqual([null])
    expect(await warningsOf(owner, sent)).toEqual([null])
  })
})

test('GET /posts/counts counts each scheduled post once that waits for disconnected accounts', async () => {
  const owner = await withWorkspace(t)
  const ids = [await playgroundAccount(owner), await playgroundAccount(owner), await playgroundAccount(owner)]
  await created(owner, ids)
  await created(owner, ids.slice(0, 1))
  await created(owner, ids.slice(2))
  await created(owner, ids, {})
  expect(await blocked(owner)).toBe(0)
  for (const id of ids.slice(0, 2)) await setAccount(id, { status: 'disconnected' })
  expect(await blocked(owner)).toBe(2)
  expect(await blocked(await withWorkspace(t))).toBe(0)
})
