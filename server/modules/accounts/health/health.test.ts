import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import type { Client } from '../../../../test/client.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { connectByOAuthTo } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'
import { seal } from '../../../lib/crypto/crypto.ts'

const DAY = 86_400_000
const HOUR = 3600_000

const t = await testApp()

const list = async (person: Pick<Client, 'get'>) =>
  expectStatus(await person.get('/api/v1/accounts/health'), 200).body.data

/** The only account of a workspace, and the codes of its reasons. */
async function healthOf(person: Pick<Client, 'get'>) {
  const [health] = await list(person)
  return { ...health, codes: health.reasons.map(({ code }: { code: string }) => code) }
}

async function linkedin() {
  const server = await linkedinServer()
  onTestFinished(server.close)
  return connectByOAuthTo(t, server, 'linkedin')
}

const schedule = async (owner: WorkspaceOwner, account: string, ms: number) =>
  expectStatus(
    await owner.post('/api/v1/posts', {
      content: 'Later',
      account_ids: [account],
      scheduled_at: new Date(t.clock.now().getTime() + ms).toISOString(),
    }),
    201,
  ).body

describe('GET /accounts/health', () => {
  test('200 returns an account without problems as ok, with what is scheduled there', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    const other = await playgroundAccount(owner)
    const { scheduled_at } = await schedule(owner, id, HOUR)
    await schedule(owner, id, 2 * HOUR)
    expectStatus(await owner.post('/api/v1/posts', { content: 'Draft', account_ids: [id] }), 201)
    expect(await list(owner)).toMatchObject([
      { account_id: other, state: 'ok', scheduled_posts: 0, next_post_at: null },
      {
        account_id: id,
        network: 'playground',
        state: 'ok',
        reasons: [],
        sign_in_ends_at: null,
        sign_in_days_left: null,
        scheduled_posts: 2,
        next_post_at: scheduled_at,
      },
    ])
  })

  test('a sign-in that the network does not renew needs attention ten days before its end, and then is disconnected', async () => {
    const { owner, account, server } = await linkedin()
    const before = await healthOf(owner)
    expect(before).toMatchObject({ state: 'ok', codes: [] })
    const left = before.sign_in_days_left
    expect(left).toBeGreaterThan(10)
    // A token outlasts the session.
    const token = await withToken(t, owner, ['accounts:read'])
    const read = { get: (path: string) => token.get(path.replace('/api/v1/', '/api/v1/public/')) }
    t.advance((left - 11) * DAY)
    expect(await healthOf(read)).toMatchObject({ state: 'ok', sign_in_days_left: 11 })
    t.advance(DAY + HOUR)
    expect(await healthOf(read)).toMatchObject({
      state: 'needs_attention',
      codes: ['sign_in_ends_soon'],
      sign_in_days_left: 9,
    })
    await t.deps.db
      .updateTable('account')
      .set({ status: 'disconnected', status_detail: 'The sign-in at the network has ended.' })
      .where('id', '=', account)
      .execute()
    expect(await healthOf(read)).toMatchObject({
      state: 'disconnected',
      reasons: [{ code: 'sign_in_ended', message: 'The sign-in at the network has ended.' }],
    })
    server.close()
  })

  test('permissions that were not granted are named: those that publishing needs, and optional ones', async () => {
    const server = await facebookServer()
    onTestFinished(server.close)
    server.addPage({ username: 'bakery' })
    const publish = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts']
    server.oauth.signInAs('ada', { scopes: publish })
    const { owner } = await connectByOAuthTo(t, server, 'facebook')
    expect(await healthOf(owner)).toMatchObject({
      state: 'ok',
      reasons: [
        { code: 'optional_permission_missing', permissions: ['pages_manage_engagement', 'business_management'] },
      ],
    })
    const [grant] = await t.deps.db
      .selectFrom('oauth_grant')
      .select('id')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    const tokens = { access_token: 'a', refresh_token: null, expires_in: null, scopes: publish.slice(0, 2) }
    const secrets = JSON.stringify({ tokens, client_id: 'id-of-the-app' })
    await t.deps.db
      .updateTable('oauth_grant')
      .set({ tokens: seal(t.deps.keyring, secrets, `oauth_grant|${grant?.id}|tokens`) })
      .where('id', '=', String(grant?.id))
      .execute()
    const health = await healthOf(owner)
    expect(health).toMatchObject({
      state: 'needs_attention',
      codes: ['permission_missing', 'optional_permission_missing'],
    })
    expect(health.reasons[0].permissions).toEqual(['pages_manage_posts'])
  })

  test('the app of the network is a reason when it is refused or no longer set up', async () => {
    const { owner } = await linkedin()
    const app = t.deps.db.updateTable('network_app').where('network', '=', 'linkedin')
    await app.set({ refused_at: t.clock.now(), refused_reason: 'Client authentication failed' }).execute()
    expect(await healthOf(owner)).toMatchObject({
      state: 'needs_attention',
      reasons: [{ code: 'app_refused', message: 'Client authentication failed' }],
    })
    await t.deps.db.deleteFrom('network_app').where('network', '=', 'linkedin').execute()
    expect(await healthOf(owner)).toMatchObject({ state: 'needs_attention', codes: ['app_missing'] })
  })

  test('a pause is a reason, by its cause', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    expectStatus(await owner.patch(`/api/v1/accounts/${id}`, { paused: true }), 200)
    expect(await healthOf(owner)).toMatchObject({ state: 'needs_attention', codes: ['paused_by_member'] })
    await t.deps.db.updateTable('account').set({ paused_by: 'plan' }).where('id', '=', id).execute()
    expect(await healthOf(owner)).toMatchObject({ state: 'needs_attention', codes: ['paused_by_limit'] })
  })

  test('a failed post is a reason until a later one is published', async () => {
    const { owner, account, server } = await linkedin()
    const publish = async (content: string) => {
      const { body } = expectStatus(
        await owner.post('/api/v1/posts', { content, account_ids: [account], publish_now: true }),
        201,
      )
      await t.runJobs()
      return body.id
    }
    server.fault('refused')
    const post_id = await publish('Refused')
    expect(await healthOf(owner)).toMatchObject({
      state: 'needs_attention',
      reasons: [{ code: 'last_publish_failed', post_id, message: expect.stringMatching(/./) }],
    })
    t.advance(1000)
    await publish('Taken')
    expect(await healthOf(owner)).toMatchObject({ state: 'ok', codes: [] })
  })

  test('200 for members of every role and tokens that may read accounts; accounts of others are not listed', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    await playgroundAccount(await withWorkspace(t))
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expect((await list(viewer)).map((health: { account_id: string }) => health.account_id)).toEqual([id])
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.get('/api/v1/public/accounts/health'), 403, 'insufficient_scope')
  })
})
