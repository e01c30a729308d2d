import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, followToCallback, setUpApp, startedConnection } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { findDueGrants } from '../../accounts/grants/grants.jobs.ts'
import { openTokens } from '../../accounts/grants/grants.ts'
import { eraseDeletedWorkspaces } from '../../workspaces/deletion.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const path = '/api/v1/workspace/network-apps'

const t = await testApp()
const x = await xServer()
const facebook = await facebookServer()
afterAll(() => x.close())
afterAll(() => facebook.close())
Object.assign(t.deps.config.NETWORK_ORIGINS, { x: x.url, facebook: facebook.url })
facebook.addPage({ username: 'bakery' })
const admin = await setUpApp(t, 'x', x.oauth)
await setUpApp(t, 'facebook', facebook.oauth)

/** A workspace with its own app. */
async function withOwnApp(network: 'x' | 'facebook') {
  const owner = await withWorkspace(t)
  const app = { x, facebook }[network].oauth.addClient()
  expectStatus(await owner.put(`${path}/${network}`, app), 200)
  return { owner, app }
}

const clientOf = ({ authorize_url }: { authorize_url: string }) => new URL(authorize_url).searchParams.get('client_id')
const appOf = async (owner: WorkspaceOwner, network = 'x') =>
  expectStatus(await owner.get(`${path}/${network}`), 200).body
const connectOf = async (owner: WorkspaceOwner, network: string) => {
  const { data } = expectStatus(await owner.get('/api/v1/accounts/networks'), 200).body
  return data.find(({ id }: { id: string }) => id === network).connect
}
const isOffered = async (owner: WorkspaceOwner, network: string) => (await connectOf(owner, network)).available
const statusOf = async (owner: WorkspaceOwner, account: string | undefined) =>
  expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body
/** The access token of the only sign-in of a workspace. */
async function accessOf(workspace_id: string) {
  const grants = t.deps.db.selectFrom('oauth_grant').select(['id', 'tokens'])
  const grant = await grants.where('workspace_id', '=', workspace_id).executeTakeFirstOrThrow()
  return openTokens(t.deps, grant)?.tokens.access_token
}
async function renew() {
  await findDueGrants(t.deps)
  await t.runJobs()
}

describe('the app of a workspace', () => {
  test('comes before that of the instance for its members, and for no other workspace', async () => {
    const { owner, app } = await withOwnApp('x')
    const other = await withWorkspace(t)
    expect(clientOf(await startedConnection(owner, 'x'))).toBe(app.client_id)
    expect(clientOf(await startedConnection(other, 'x'))).toBe(x.oauth.client.client_id)
    expect(await appOf(owner)).toMatchObject({
      client_id: app.client_id,
      client_secret: { set: true, last4: app.client_secret.slice(-4) },
      app_in_use: 'workspace',
      version: 1,
    })
    expect(await appOf(other)).toMatchObject({ client_id: null, client_secret: { set: false }, app_in_use: 'instance' })
    expectStatus(await owner.delete(`${path}/x`), 204)
    expectProblem(await owner.delete(`${path}/x`), 404, 'not_found')
    expect(clientOf(await startedConnection(owner, 'x'))).toBe(x.oauth.client.client_id)
  })

  test('whose key is lost is shown without its id, and is replaced with its secret', async () => {
    const { owner, app } = await withOwnApp('x')
    const rows = t.deps.db.updateTable('workspace_network_app').set({ client_id: 'sealed by a key that is lost' })
    await rows.where('workspace_id', '=', owner.workspace_id).execute()
    expect(await appOf(owner)).toMatchObject({ client_id: null, client_secret: { set: true }, app_in_use: 'workspace' })
    expectStatus(await owner.get(path), 200)
    const { client_id } = app
    expectProblem(await owner.put(`${path}/x`, { client_id }), 400, 'validation_failed', '/client_secret')
    expectStatus(await owner.put(`${path}/x`, app), 200)
    expect((await appOf(owner)).client_id).toBe(client_id)
  })

  test('offers a network that the instance has not set up, to this workspace alone', async () => {
    const owner = await withWorkspace(t)
    const other = await withWorkspace(t)
    expect((await appOf(owner, 'linkedin')).app_in_use).toBe('none')
    expectStatus(await owner.put(`${path}/linkedin`, { client_id: 'id', client_secret: 'secret' }), 200)
    expect([await isOffered(owner, 'linkedin'), await isOffered(other, 'linkedin')]).toEqual([true, false])
    expectProblem(await other.post('/api/v1/accounts/connections', { network: 'linkedin' }), 409, 'network_not_set_up')
  })

  test('completes the sign-ins that began with it, and leaves others with the app of the instance', async () => {
    const owner = await withWorkspace(t)
    const { id, authorize_url } = await startedConnection(owner, 'x')
    const callback = await followToCallback(authorize_url)
    expectStatus(await owner.put(`${path}/x`, x.oauth.addClient()), 200)
    expectStatus(await owner.get(callback), 303)
    expect((await owner.get(`/api/v1/accounts/connections/${id}`)).body.status).toBe('connected')
  })

  test('does not redeem the code of a sign-in that began with the app before it', async () => {
    const { owner } = await withOwnApp('x')
    const outcomeAfter = async (change: () => Promise<unknown>) => {
      const { id, authorize_url } = await startedConnection(owner, 'x')
      const callback = await followToCallback(authorize_url)
      await change()
      const calls = x.calls.length
      expectStatus(await owner.get(callback), 303)
      const { status, error } = (await owner.get(`/api/v1/accounts/connections/${id}`)).body
      return { status, code: error?.code, calls: x.calls.length - calls }
    }
    const refused = { status: 'failed', code: 'app_changed', calls: 0 }
    const other = x.oauth.addClient()
    expect(await outcomeAfter(() => owner.put(`${path}/x`, other))).toEqual(refused)
    expect((await appOf(owner)).refused_at).toBeNull()
    const { client_id } = other
    expect(await outcomeAfter(() => owner.put(`${path}/x`, { client_id }))).toMatchObject({ status: 'connected' })
    expect(await outcomeAfter(() => owner.delete(`${path}/x`))).toEqual(refused)
  })

  test('is named as that of a sign-in, before it begins and for each of its accounts', async () => {
    const { owner } = await withOwnApp('facebook')
    const other = await withWorkspace(t)
    const apps = []
    for (const one of [owner, other]) {
      const { account_ids, app } = await connectByOAuth(one, 'facebook')
      apps.push([(await connectOf(one, 'facebook')).app, app, (await statusOf(one, account_ids[0])).app])
    }
    expect(apps).toEqual([Array(3).fill('workspace'), Array(3).fill('instance')])
    for (const network of ['linkedin', 'playground']) expect((await connectOf(other, network)).app).toBeNull()
    const playground = expectStatus(await other.post('/api/v1/accounts', { network: 'playground' }), 201).body
    expect(playground.app).toBeNull()
    expect((await connectOf(other, 'mastodon')).app).toBe('instance')
  })

  test('is changed by nobody who has not seen its last version, and audited without its secret', async () => {
    const { owner } = await withOwnApp('x')
    const { headers } = await owner.get(`${path}/x`)
    const change = { client_id: 'changed' }
    const etag = { 'if-match': headers.get('etag') ?? '' }
    expectStatus(await owner.with(etag).put(`${path}/x`, change), 200)
    expectProblem(await owner.with(etag).put(`${path}/x`, change), 412, 'version_conflict')
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=network_app.changed')).body
    expect(data[0].details).toMatchObject({ network: 'x', after: { client_id: 'changed' } })
    expect(JSON.stringify(data)).not.toMatch(/secret-/)
    const first = await withWorkspace(t)
    expectProblem(await first.put(`${path}/x`, change), 400, 'validation_failed')
  })

  test('is tested by itself, and its refusal is shown on its page alone', async () => {
    const { owner, app } = await withOwnApp('x')
    expect((await owner.post(`${path}/x/test`, {})).body).toEqual({ ok: true, message: null })
    expectStatus(await owner.put(`${path}/x`, { ...app, client_secret: 'wrong' }), 200)
    expect((await owner.post(`${path}/x/test`, {})).body.ok).toBe(false)
    expect((await appOf(owner)).refused_at).not.toBeNull()
    expect((await admin.get('/api/v1/admin/network-apps/x')).body.refused_at).toBeNull()
    const { owner: other } = await withOwnApp('x')
    expect((await appOf(other)).refused_at).toBeNull()
    expectProblem(await (await withWorkspace(t)).post(`${path}/x/test`, {}), 409, 'network_not_set_up')
    expectProblem(await owner.get(`${path}/playground`), 404, 'not_found')
  })

  test('is for admins of the workspace, with a session', async () => {
    const { owner } = await withOwnApp('x')
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await editor.get(path), 403, 'forbidden_role')
    expectProblem(await editor.put(`${path}/x`, { client_id: 'a', client_secret: 'b' }), 403, 'forbidden_role')
    expectStatus(await (await memberOf(t, owner.workspace_id, 'admin')).get(path), 200)
  })
})

describe('tokens', () => {
  test('are renewed with the app that issued them, also once the workspace has its own, until that app is changed', async () => {
    const before = await withWorkspace(t)
    const { account_ids: issuedByInstance } = await connectByOAuth(before, 'x')
    expectStatus(await before.put(`${path}/x`, x.oauth.addClient()), 200)
    const { owner, app } = await withOwnApp('x')
    const { account_ids: issuedByOwn } = await connectByOAuth(owner, 'x')
    const accessTokens = () => [before.workspace_id, owner.workspace_id].map((id) => accessOf(id))
    const former = await Promise.all(accessTokens())
    t.advance(DAY)
    await renew()
    const renewed = await Promise.all(accessTokens())
    expect(renewed.filter((token) => former.includes(token))).toEqual([])
    expect((await statusOf(before, issuedByInstance[0])).status).toBe('connected')
    expect((await statusOf(owner, issuedByOwn[0])).status).toBe('connected')

    expectStatus(await owner.put(`${path}/x`, x.oauth.addClient()), 200)
    t.advance(DAY)
    await renew()
    expect(await statusOf(owner, issuedByOwn[0])).toMatchObject({
      status: 'disconnected',
      status_detail: expect.stringMatching(/no longer set up\. Sign in again/),
    })
    expect(x.oauth.grants.filter(({ client_id }) => client_id === app.client_id).every(({ ended }) => !ended)).toBe(
      true,
    )
  })

  test('whose app was deleted are used until their end, and no longer', async () => {
    const { owner } = await withOwnApp('x')
    const { account_ids } = await connectByOAuth(owner, 'x')
    expectStatus(await owner.delete(`${path}/x`), 204)
    const statusAfter = async (ms: number) => {
      t.advance(ms)
      await renew()
      return (await statusOf(owner, account_ids[0])).status
    }
    // Tokens of two hours are renewed at about half of their time.
    expect(await statusAfter(1.5 * HOUR)).toBe('connected')
    expect(await statusAfter(HOUR)).toBe('disconnected')
  })

  test('of an erased workspace are revoked with its app, which is erased', async () => {
    const { owner, app } = await withOwnApp('x')
    await connectByOAuth(owner, 'x')
    const grant = x.oauth.grants.find(({ client_id }) => client_id === app.client_id)
    await t.deps.db
      .updateTable('workspace')
      .set({ deleted_at: new Date(0) })
      .where('id', '=', owner.workspace_id)
      .execute()
    await eraseDeletedWorkspaces(t.deps)
    await t.runJobs()
    expect(grant?.ended).toBe(true)
    const left = t.deps.db.selectFrom('workspace_network_app').select('id')
    expect(await left.where('workspace_id', '=', owner.workspace_id).execute()).toEqual([])
  })
})

describe('a notice', () => {
  function signed(user_id: string, secret: string) {
    const issued_at = Math.floor(t.clock.now().getTime() / 1000) + 1
    const payload = Buffer.from(JSON.stringify({ user_id, algorithm: 'HMAC-SHA256', issued_at })).toString('base64url')
    return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`
  }
  const send = async (url: string, signed_request: string) => {
    const response = await fetch(`${t.url}${new URL(url, t.url).pathname}`, {
      method: 'POST',
      body: new URLSearchParams({ signed_request }),
    })
    return { status: response.status, body: await response.json() }
  }

  test('is signed by the app of its address, and concerns the sign-ins with it alone', async () => {
    const { owner, app } = await withOwnApp('facebook')
    const { owner: other, app: otherApp } = await withOwnApp('facebook')
    const shared = await withWorkspace(t)
    const accounts: string[] = []
    for (const one of [owner, other, shared])
      accounts.push(String((await connectByOAuth(one, 'facebook')).account_ids[0]))
    const grants = await t.deps.db
      .selectFrom('oauth_grant')
      .select('external_user_id')
      .where('network', '=', 'facebook')
      .execute()
    const person = String(grants[0]?.external_user_id)
    const statuses = async () => [
      (await statusOf(owner, accounts[0])).status,
      (await statusOf(other, accounts[1])).status,
      (await statusOf(shared, accounts[2])).status,
    ]
    const { deauthorize, data_deletion } = (await appOf(owner, 'facebook')).notice_uris
    for (const secret of [facebook.oauth.client.client_secret, otherApp.client_secret])
      for (const url of [deauthorize, data_deletion])
        expect(await send(url, signed(person, secret))).toMatchObject({
          status: 400,
          body: { code: 'signature_invalid' },
        })
    expectStatus(await send('/network-notices/facebook/deauthorize', signed(person, app.client_secret)), 400)
    expectStatus(await send('/network-notices/facebook/nobody/deauthorize', signed(person, app.client_secret)), 404)
    expect(await statuses()).toEqual(['connected', 'connected', 'connected'])

    expectStatus(await send(deauthorize, signed(person, app.client_secret)), 200)
    expect(await statuses()).toEqual(['disconnected', 'connected', 'connected'])
    const { client_secret } = facebook.oauth.client
    expectStatus(await send('/network-notices/facebook/deauthorize', signed(person, client_secret)), 200)
    expect(await statuses()).toEqual(['disconnected', 'connected', 'disconnected'])
    expectStatus(await send(data_deletion, signed(person, app.client_secret)), 200)
    expectStatus(await owner.get(`/api/v1/accounts/${accounts[0]}`), 404)
    expect((await statusOf(other, accounts[1])).status).toBe('connected')
  })
})
