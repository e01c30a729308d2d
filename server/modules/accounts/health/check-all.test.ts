import { afterAll, describe, expect, test } from 'vitest'
import { accountCalls } from '../../../../test/accounts.ts'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { checkAccounts } from './check-all.ts'

let owner: WorkspaceOwner
const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

const { connectBluesky } = accountCalls(() => ({ owner, bluesky }))
const start = async (person = owner) => expectStatus(await person.post('/api/v1/accounts/check'), 202).body
const read = async (person = owner) => expectStatus(await person.get('/api/v1/accounts/check'), 200).body
const statuses = async () =>
  expectStatus(await owner.get('/api/v1/accounts?limit=100'), 200).body.data.map(
    ({ status }: { status: string }) => status,
  )
const checkOf = ({ workspace_id }: WorkspaceOwner) =>
  t.deps.db
    .selectFrom('account_check')
    .select(['id', 'pending'])
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirstOrThrow()

describe('POST /accounts/check', () => {
  test('202 checks all accounts, and the progress tells what became of them', async () => {
    owner = await withWorkspace(t)
    expect(await read()).toMatchObject({ status: 'none', total: 0, started_at: null })
    await playgroundAccount(owner)
    const lost = bluesky.addAccount()
    for (const fields of [bluesky.addAccount(), lost]) expectStatus(await connectBluesky(fields), 201)
    bluesky.changePassword(lost.handle)
    const started = { status: 'running', total: 3, checked: 0, started_at: t.clock.now().toISOString() }
    expect(await start()).toMatchObject({ ...started, completed_at: null })
    t.advance(1000)
    await t.runJobs()
    expect(await read()).toEqual({
      ...started,
      status: 'completed',
      checked: 3,
      disconnected: 1,
      unreachable: 0,
      completed_at: t.clock.now().toISOString(),
    })
    expect(await statuses()).toEqual(['disconnected', 'connected', 'connected'])
    const { body: log } = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=account.check_started'), 200)
    expect(log.data).toMatchObject([{ details: { accounts: 3 } }])
  })

  test('202 counts a network that does not respond, and goes on with the others', async () => {
    owner = await withWorkspace(t)
    expectStatus(await connectBluesky(bluesky.addAccount()), 201)
    await playgroundAccount(owner)
    bluesky.failAlways({ kind: 'response', status: 500 })
    await start()
    await t.runJobs()
    bluesky.failAlways()
    expect(await read()).toMatchObject({ status: 'completed', checked: 2, disconnected: 0, unreachable: 1 })
    expect(await statuses()).toEqual(['connected', 'connected'])
  })

  test('202 returns the running check, of which a workspace has one, however many start it at once', async () => {
    owner = await withWorkspace(t)
    await playgroundAccount(owner)
    const found = await Promise.all(Array.from({ length: 5 }, () => start()))
    expect(new Set(found.map((check) => JSON.stringify(check))).size).toBe(1)
    const { body: log } = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=account.check_started'), 200)
    expect(log.data).toHaveLength(1)
    await t.runJobs()
    t.advance(1000)
    expect((await start()).started_at).toBe(t.clock.now().toISOString())
  })

  test('a check that makes no progress for 15 minutes keeps no other from starting', async () => {
    owner = await withWorkspace(t)
    await playgroundAccount(owner)
    const first = await start()
    t.advance(15 * 60_000 - 1)
    expect(await start()).toEqual(first)
    t.advance(1)
    expect((await start()).started_at).toBe(t.clock.now().toISOString())
    await t.runJobs()
    expect(await read()).toMatchObject({ status: 'completed', total: 1, checked: 1 })
  })

  test('a check of many accounts takes several jobs, and one that is repeated goes on where the former ended', async () => {
    owner = await withWorkspace(t)
    for (let count = 0; count < 22; count++) await playgroundAccount(owner)
    await start()
    const { id } = await checkOf(owner)
    await checkAccounts(t.deps, { check_id: id })
    expect(await read()).toMatchObject({ status: 'running', total: 22, checked: 20 })
    await t.runJobs()
    expect(await read()).toMatchObject({ status: 'completed', total: 22, checked: 22 })
    expect((await checkOf(owner)).pending).toEqual([])
  })

  test('an account whose check fails unexpectedly keeps no other from being checked, nor from being listed', async () => {
    owner = await withWorkspace(t)
    const broken = await playgroundAccount(owner)
    await playgroundAccount(owner)
    await t.deps.db.updateTable('account').set({ network: 'of a later version' }).where('id', '=', broken).execute()
    await start()
    await t.runJobs()
    expect(await read()).toMatchObject({ status: 'completed', checked: 2, disconnected: 0, unreachable: 1 })
    expect(expectStatus(await owner.get('/api/v1/accounts/health'), 200).body.data).toHaveLength(2)
  })

  test('an account that is removed during the check counts as checked, and a workspace without accounts is done at once', async () => {
    owner = await withWorkspace(t)
    expect(await start()).toMatchObject({ status: 'completed', total: 0 })
    const id = await playgroundAccount(owner)
    await start()
    expectStatus(await owner.delete(`/api/v1/accounts/${id}`), 204)
    await t.runJobs()
    expect(await read()).toMatchObject({ status: 'completed', checked: 1, disconnected: 0, unreachable: 0 })
  })

  test('403 for viewers and authors, and for tokens that may only read; both may read the progress', async () => {
    owner = await withWorkspace(t)
    for (const role of ['viewer', 'author'] as const) {
      const member = await memberOf(t, owner.workspace_id, role)
      expectProblem(await member.post('/api/v1/accounts/check'), 403, 'forbidden_role')
      expectStatus(await member.get('/api/v1/accounts/check'), 200)
    }
    const reader = await withToken(t, owner, ['accounts:read'])
    expectProblem(await reader.post('/api/v1/public/accounts/check'), 403, 'insufficient_scope')
    expectStatus(await reader.get('/api/v1/public/accounts/check'), 200)
  })
})
