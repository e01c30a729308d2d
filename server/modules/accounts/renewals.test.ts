import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { blueskyServer, type Mishap } from '../../../test/stand-ins/bluesky.ts'

const HOUR = 3600_000
const down: Mishap = { kind: 'answer', status: 503 }

let t: TestApp
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
beforeAll(async () => {
  t = await testApp()
  bluesky = await blueskyServer()
})
afterAll(async () => {
  await t.close()
  bluesky.close()
})

/** Connects an account in its own workspace. */
async function connected() {
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const { body: account } = expectStatus(
    await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields }),
    201,
  )
  return { owner, account, handle: fields.handle, check: () => owner.post(`/api/v1/accounts/${account.id}/check`) }
}

const told = async ({ workspace_id }: WorkspaceOwner) => {
  const events = await t.deps.db
    .selectFrom('event')
    .select(['type', 'payload'])
    .where('workspace_id', '=', workspace_id)
    .where('type', 'like', 'account.%')
    .orderBy('id')
    .execute()
  return events.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }))
}

/** Expires all sessions, and makes renewals fail while `act` runs. */
async function withoutRenewal(mishap: Mishap, act: () => Promise<unknown>, after?: Promise<void>) {
  bluesky.expireSessions()
  bluesky.failSessions(mishap, after)
  await act()
  bluesky.failSessions()
}

describe('a session that cannot be renewed', () => {
  test.each([
    ['the network is down', down, 'network_unavailable'],
    ['it asks to wait', { kind: 'answer', status: 429 }, 'network_unavailable'],
    ['it hangs up', { kind: 'hang_up', arrives: false }, 'network_unavailable'],
    ['it refuses for another reason', { kind: 'answer', status: 400, error: 'Nope' }, 'rejected_by_network'],
  ] as const)('is told when %s, and the account stays connected', async (_, mishap, error_code) => {
    const { owner, account, check } = await connected()
    await withoutRenewal(mishap, async () => expectProblem(await check(), 400, 'account_unreachable'))
    expect(await told(owner)).toEqual([
      { type: 'account.refresh_failed', data: { account, error_code, error_message: expect.stringMatching(/./) } },
    ])
    const { body: log } = expectStatus(
      await owner.get('/api/v1/workspace/audit-log?action=account.refresh_failed'),
      200,
    )
    expect(log.data).toMatchObject([{ actor: null, target_id: account.id, details: { error_code } }])
    expectStatus(await check(), 200)
  })

  test('is told once by posts and checks that find out together', async () => {
    const { owner, account, check } = await connected()
    for (const content of ['One', 'Two'])
      expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [account.id], publish_now: true }), 201)
    await withoutRenewal(down, () => Promise.all([check(), t.runJobs(), check(), check(), check()]))
    expect(await told(owner)).toMatchObject([{ type: 'account.refresh_failed' }])
  })

  test('is told again an hour later, and at once when one was renewed in between', async () => {
    const { owner, check } = await connected()
    const fail = () => withoutRenewal(down, check)
    await fail()
    t.advance(HOUR - 1)
    await fail()
    expect(await told(owner)).toHaveLength(1)
    t.advance(1)
    await fail()
    expect(await told(owner)).toHaveLength(2)
    expectStatus(await check(), 200)
    await fail()
    expect(await told(owner)).toHaveLength(3)
  })

  test('is told again at once of an account that was connected anew', async () => {
    const { owner, account, check, handle } = await connected()
    await withoutRenewal(down, check)
    expectStatus(await owner.delete(`/api/v1/accounts/${account.id}`), 204)
    const again = { network: 'bluesky', service: bluesky.url, handle, app_password: 'app-password' }
    expect(expectStatus(await owner.post('/api/v1/accounts', again), 201).body.id).toBe(account.id)
    await withoutRenewal(down, check)
    expect((await told(owner)).map(({ type }) => type)).toEqual([
      'account.refresh_failed',
      'account.disconnected',
      'account.refresh_failed',
    ])
  })

  test('is not told of an account that was removed meanwhile', async () => {
    const { owner, account, check } = await connected()
    const { promise, resolve } = Promise.withResolvers<void>()
    const asked = bluesky.count('refreshSession')
    await withoutRenewal(
      down,
      async () => {
        const checking = check()
        await bluesky.called('refreshSession', asked + 1)
        expectStatus(await owner.delete(`/api/v1/accounts/${account.id}`), 204)
        resolve()
        await checking
      },
      promise,
    )
    expect((await told(owner)).map(({ type }) => type)).toEqual(['account.disconnected'])
  })

  test('is told as account.disconnected alone when the credentials are no longer accepted', async () => {
    const { owner, handle, check } = await connected()
    bluesky.changePassword(handle)
    expectStatus(await check(), 200)
    expect(await told(owner)).toMatchObject([
      {
        type: 'account.disconnected',
        data: {
          reason: 'refused_by_network',
          by: null,
          account: { handle, status_detail: expect.stringMatching(/./) },
        },
      },
    ])
  })

  test('is not told when a session was made with the app password instead, or when nothing had to be renewed', async () => {
    const { owner, check } = await connected()
    bluesky.expireSessions()
    expectStatus(await check(), 200)
    bluesky.failWholly(down)
    expectProblem(await check(), 400, 'account_unreachable')
    bluesky.failWholly()
    expect(await told(owner)).toEqual([])
  })
})
