import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer, type Failure } from '../../../../test/stand-ins/bluesky.ts'

const HOUR = 3600_000
const down: Failure = { kind: 'response', status: 503 }

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

/** Connects an account in its own workspace. */
async function connectAccount() {
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const { body: account } = expectStatus(
    await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields }),
    201,
  )
  return { owner, account, handle: fields.handle, check: () => owner.post(`/api/v1/accounts/${account.id}/check`) }
}

const accountEvents = async ({ workspace_id }: WorkspaceOwner) => {
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
async function whileRenewalsFail(failure: Failure, act: () => Promise<unknown>, after?: Promise<void>) {
  bluesky.expireSessions()
  bluesky.failSessions(failure, after)
  await act()
  bluesky.failSessions()
}

describe('account.refresh_failed', () => {
  test.each([
    ['the network is unreachable', down, 'network_unavailable'],
    ['the network limits the rate', { kind: 'response', status: 429 }, 'network_unavailable'],
    ['the connection breaks', { kind: 'hang_up', arrives: false }, 'network_unavailable'],
    ['the network refuses for another reason', { kind: 'response', status: 400, error: 'Nope' }, 'rejected_by_network'],
  ] as const)(
    'a failed renewal is reported when %s, and the account stays connected',
    async (_, failure, error_code) => {
      const { owner, account, check } = await connectAccount()
      await whileRenewalsFail(failure, async () => expectProblem(await check(), 400, 'account_unreachable'))
      expect(await accountEvents(owner)).toEqual([
        { type: 'account.refresh_failed', data: { account, error_code, error_message: expect.stringMatching(/./) } },
      ])
      const { body: log } = expectStatus(
        await owner.get('/api/v1/workspace/audit-log?action=account.refresh_failed'),
        200,
      )
      expect(log.data).toMatchObject([{ actor: null, target_id: account.id, details: { error_code } }])
      expectStatus(await check(), 200)
    },
  )

  test('a failed renewal is reported once when several posts and checks run into it together', async () => {
    const { owner, account, check } = await connectAccount()
    for (const content of ['One', 'Two'])
      expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [account.id], publish_now: true }), 201)
    await whileRenewalsFail(down, () => Promise.all([check(), t.runJobs(), check(), check(), check()]))
    expect(await accountEvents(owner)).toMatchObject([{ type: 'account.refresh_failed' }])
  })

  test('a failed renewal is reported again after an hour, or at once when a renewal succeeded in between', async () => {
    const { owner, check } = await connectAccount()
    const fail = () => whileRenewalsFail(down, check)
    await fail()
    t.advance(HOUR - 1)
    await fail()
    expect(await accountEvents(owner)).toHaveLength(1)
    t.advance(1)
    await fail()
    expect(await accountEvents(owner)).toHaveLength(2)
    expectStatus(await check(), 200)
    await fail()
    expect(await accountEvents(owner)).toHaveLength(3)
  })

  test('a failed renewal is reported again at once after the account was reconnected', async () => {
    const { owner, account, check, handle } = await connectAccount()
    await whileRenewalsFail(down, check)
    expectStatus(await owner.delete(`/api/v1/accounts/${account.id}`), 204)
    const again = { network: 'bluesky', service: bluesky.url, handle, app_password: 'app-password' }
    expect(expectStatus(await owner.post('/api/v1/accounts', again), 201).body.id).toBe(account.id)
    await whileRenewalsFail(down, check)
    expect((await accountEvents(owner)).map(({ type }) => type)).toEqual([
      'account.refresh_failed',
      'account.disconnected',
      'account.refresh_failed',
    ])
  })

  test('a failed renewal is not reported when the account was removed during it', async () => {
    const { owner, account, check } = await connectAccount()
    const { promise, resolve } = Promise.withResolvers<void>()
    const callsBefore = bluesky.count('refreshSession')
    await whileRenewalsFail(
      down,
      async () => {
        const checking = check()
        await bluesky.called('refreshSession', callsBefore + 1)
        expectStatus(await owner.delete(`/api/v1/accounts/${account.id}`), 204)
        resolve()
        await checking
      },
      promise,
    )
    expect((await accountEvents(owner)).map(({ type }) => type)).toEqual(['account.disconnected'])
  })

  test('refused credentials are reported as account.disconnected only', async () => {
    const { owner, handle, check } = await connectAccount()
    bluesky.changePassword(handle)
    expectStatus(await check(), 200)
    expect(await accountEvents(owner)).toMatchObject([
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

  test('nothing is reported when the app password opened a new session, or when no renewal was needed', async () => {
    const { owner, check } = await connectAccount()
    bluesky.expireSessions()
    expectStatus(await check(), 200)
    bluesky.failAlways(down)
    expectProblem(await check(), 400, 'account_unreachable')
    bluesky.failAlways()
    expect(await accountEvents(owner)).toEqual([])
  })
})
