import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'
import { findApp, findProvider } from '../../networks/apps/apps.ts'
import { renewTokens } from '../../networks/oauth/token-requests.ts'
import { findDueGrants, remindOfEndingGrants } from './grants.jobs.ts'
import { openTokens, readGrantOf, takeLease } from './grants.ts'
import { liveTokens } from './renewal.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const pages = { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] }

const t = await testApp()
const second = await testApp({}, { beside: t })
afterAll(() => second.close())

/** Runs the jobs of a minute. */
async function runMinute() {
  await findDueGrants(t.deps)
  await t.runJobs()
}

/** An account of a network whose access tokens last 60 days. `refresh`: what becomes of refresh tokens. */
async function connected({ refresh = 'reusable' }: { refresh?: 'none' | 'reusable' | 'single_use' } = {}) {
  const server = await linkedinServer({ pages, refresh })
  for (const { deps } of [t, second]) Object.assign(deps.config.NETWORK_ORIGINS, { linkedin: server.url })
  await setUpApp(t, 'linkedin_page', server.oauth)
  const owner = await withWorkspace(t)
  const { account_ids } = await connectByOAuth(owner, 'linkedin_page')
  const id = String(account_ids[0])
  const events = async (type: string) =>
    (
      await t.deps.db
        .selectFrom('event')
        .select('id')
        .where('type', '=', type)
        .where('workspace_id', '=', owner.workspace_id)
        .execute()
    ).length
  return {
    server,
    owner,
    id,
    account: async () =>
      t.deps.db.selectFrom('account').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
    events,
    /** Keys of the mails to the owner, oldest first. */
    mails: async () =>
      (
        await t.deps.db.selectFrom('mail').select('key').where('to_address', '=', owner.email).orderBy('id').execute()
      ).map(({ key }) => key),
    /** Lets the clock of both nodes go on. */
    advance: (ms: number) => {
      for (const app of [t, second]) app.advance(ms)
    },
    /** Tokens of as many calls at once, on two nodes. */
    tokens: (calls: number) =>
      Promise.all(
        Array.from({ length: calls }, async (_, index) => {
          const { access_token } = await liveTokens((index % 2 ? t : second).deps, id)
          return access_token
        }),
      ),
  }
}

describe('tokens', () => {
  test('are renewed at about half of their time, once', async () => {
    const { server, advance, account } = await connected()
    advance(20 * DAY)
    await runMinute()
    expect(server.oauth.renewals()).toBe(0)
    advance(15 * DAY)
    for (let minute = 0; minute < 3; minute++) await runMinute()
    expect(server.oauth.renewals()).toBe(1)
    expect((await account()).status).toBe('connected')
    server.close()
  })

  test('50 calls on two nodes with a token that has ended make one renewal', async () => {
    const { server, advance, tokens } = await connected({ refresh: 'single_use' })
    advance(61 * DAY)
    const found = await tokens(50)
    expect(new Set(found).size).toBe(1)
    expect(server.oauth.renewals()).toBe(1)
    server.close()
  })

  test('a rejected token is renewed once, and the call repeated', async () => {
    const { server, owner, id, account } = await connected()
    server.oauth.endAccess()
    expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 200)
    expect((await account()).status).toBe('connected')
    expect(server.oauth.renewals()).toBe(1)
    server.close()
  })

  test('a renewal without a response is tried again, and reported once an hour', async () => {
    const { server, advance, account, events } = await connected()
    advance(35 * DAY)
    server.failAlways({ kind: 'response', status: 503 })
    for (let attempt = 0; attempt < 3; attempt++) {
      await runMinute()
      advance(6 * MINUTE)
    }
    expect([(await account()).status, await events('account.refresh_failed')]).toEqual(['connected', 1])
    server.failAlways()
    await runMinute()
    expect(server.oauth.renewals()).toBe(1)
    server.close()
  })

  test('an app that the network refuses disconnects no account, and is shown to the instance admin', async () => {
    const { server, advance, account } = await connected()
    advance(35 * DAY)
    server.oauth.client.client_secret = 'replaced'
    await runMinute()
    expect((await account()).status).toBe('connected')
    const row = await t.deps.db.selectFrom('network_app').select('refused_at').executeTakeFirstOrThrow()
    expect(row.refused_at).not.toBeNull()
    server.close()
  })

  test('a grant that was withdrawn disconnects its account, with one event', async () => {
    const { server, advance, account, events } = await connected()
    server.oauth.endGrants()
    advance(35 * DAY)
    for (let minute = 0; minute < 3; minute++) await runMinute()
    expect([(await account()).status, await events('account.disconnected')]).toEqual(['disconnected', 1])
    server.close()
  })

  test('a sign-in that the network does not renew ends with its token, of which a mail reminds ten days before', async () => {
    const { server, owner, id, advance, account, events, mails } = await connected({ refresh: 'none' })
    const { sign_in_ends_at } = (await owner.get(`/api/v1/accounts/${id}`)).body
    expect(Date.parse(sign_in_ends_at) - t.deps.clock.now().getTime()).toBe(60 * DAY)
    advance(49 * DAY)
    await remindOfEndingGrants(t.deps)
    expect(await mails()).toEqual([])
    advance(2 * DAY)
    for (let hour = 0; hour < 2; hour++) await remindOfEndingGrants(t.deps)
    expect(await mails()).toEqual(['account-ending'])
    advance(8 * DAY)
    await runMinute()
    expect((await account()).status).toBe('connected')
    advance(2 * DAY)
    await runMinute()
    expect([(await account()).status, await events('account.disconnected')]).toEqual(['disconnected', 1])
    expect(await mails()).toEqual(['account-ending', 'account-disconnected'])
    server.close()
  })
})

describe('a node that dies between the response of a renewal and its write', () => {
  /** Renews as a node does, and forgets the response, as after `kill -9`. */
  async function renewAndDie(id: string) {
    const { deps } = t
    const grant = await readGrantOf(deps.db, id)
    const { provider } = findProvider('linkedin_page')
    const app = await findApp(deps, { network: 'linkedin_page', workspace_id: null })
    const tokens = grant && openTokens(deps, grant)?.tokens
    if (!grant || !app || !tokens) throw new Error('The account has no grant')
    const now = deps.clock.now()
    expect(await takeLease(deps.db, grant, now, new Date(now.getTime() + MINUTE))).toBe(true)
    await renewTokens(deps, provider, app, tokens)
  }

  test('renews with the former token where the network allows it', async () => {
    const { server, advance, account, id } = await connected({ refresh: 'reusable' })
    advance(61 * DAY)
    await renewAndDie(id)
    advance(2 * MINUTE)
    await runMinute()
    expect([(await account()).status, server.oauth.renewals()]).toEqual(['connected', 2])
    server.close()
  })

  test('asks for one sign-in where a refresh token counts once', async () => {
    const { server, advance, account, events, id } = await connected({ refresh: 'single_use' })
    advance(61 * DAY)
    await renewAndDie(id)
    advance(2 * MINUTE)
    for (let minute = 0; minute < 3; minute++) await runMinute()
    expect([(await account()).status, await events('account.disconnected')]).toEqual(['disconnected', 1])
    server.close()
  })
})
