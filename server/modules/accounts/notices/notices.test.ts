import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { accountWithTimes, addToQueue } from '../../../../test/queue.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'

const t = await testApp()
const facebook = await facebookServer()
const instagram = await instagramServer()
Object.assign(t.deps.config.NETWORK_ORIGINS, { facebook: facebook.url, instagram: instagram.url })
await setUpApp(t, 'facebook', facebook.oauth)
await setUpApp(t, 'instagram', instagram.oauth)
await setUpApp(t, 'instagram_facebook', facebook.oauth)
facebook.addPage({ username: 'bakery', instagram: { id: '17841400000000001', username: 'bakery' } })
afterAll(() => facebook.close())
afterAll(() => instagram.close())
beforeEach(() => t.deps.db.deleteFrom('oauth_grant').execute())

async function connected(network: 'facebook' | 'instagram' | 'instagram_facebook', owner?: WorkspaceOwner) {
  const by = owner ?? (await withWorkspace(t))
  const { account_ids } = await connectByOAuth(by, network)
  const grant = await t.deps.db
    .selectFrom('oauth_grant')
    .select(['id', 'external_user_id'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { owner: by, account: String(account_ids[0]), person: String(grant.external_user_id) }
}

type Signing = { secret?: string; payload?: object | string; algorithm?: string }
function signed(user_id: string, { secret = facebook.oauth.client.client_secret, ...how }: Signing = {}) {
  const issued_at = Math.floor(t.clock.now().getTime() / 1000) + 1
  const fields = how.payload ?? { user_id, algorithm: how.algorithm ?? 'HMAC-SHA256', issued_at }
  const payload = Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)).toString('base64url')
  return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`
}

const send = async (path: string, signed_request: string, type = 'application/x-www-form-urlencoded') => {
  const body = new URLSearchParams({ signed_request }).toString()
  const response = await fetch(`${t.url}/network-notices/${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}
const statusOf = async (owner: WorkspaceOwner, account: string) =>
  expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body.status
const eventsOf = async (owner: WorkspaceOwner, type: string) =>
  (await owner.get(`/api/v1/events?type=${type}`)).body.data.length

describe('a deauthorize notice', () => {
  test('disconnects the accounts of the person in all workspaces, once', async () => {
    const first = await connected('facebook')
    const second = await connected('facebook')
    expect(second.person).toBe(first.person)
    const notice = signed(first.person)
    expectStatus(await send('facebook/deauthorize', notice), 200)
    for (const { owner, account } of [first, second]) {
      const { status, status_detail } = (await owner.get(`/api/v1/accounts/${account}`)).body
      expect([status, status_detail]).toEqual(['disconnected', expect.stringMatching(/removed Meydan/)])
    }
    expectStatus(await send('facebook/deauthorize', notice), 200)
    expect(await eventsOf(first.owner, 'account.disconnected')).toBe(1)
  })

  test('leaves a later sign-in of the person alone', async () => {
    const { owner, person } = await connected('facebook')
    const notice = signed(person)
    t.advance(60_000)
    const { account } = await connected('facebook', owner)
    expectStatus(await send('facebook/deauthorize', notice), 200)
    expect(await statusOf(owner, account)).toBe('connected')
  })

  test('names the person of Instagram by the id for the app', async () => {
    const { owner, account, person } = await connected('instagram')
    const { client_secret: secret } = instagram.oauth.client
    expectStatus(await send('instagram/deauthorize', signed(person, { secret })), 200)
    expect(await statusOf(owner, account)).toBe('disconnected')
  })

  test('of an app that serves several networks ends the sign-ins at all of them', async () => {
    const page = await connected('facebook')
    const linked = await connected('instagram_facebook')
    expectStatus(await send('instagram_facebook/deauthorize', signed(page.person)), 200)
    for (const { owner, account } of [page, linked]) expect(await statusOf(owner, account)).toBe('disconnected')
  })

  test('of an app does not end the sign-ins of another app of the same network', async () => {
    const { owner, account, person } = await connected('instagram_facebook')
    const other = facebook.oauth.addClient()
    const admin = await signedIn(t, { instanceAdmin: true })
    const put = (app: object) => admin.put('/api/v1/admin/network-apps/facebook', app)
    expectStatus(await put(other), 200)
    expectStatus(await send('facebook/deauthorize', signed(person, { secret: other.client_secret })), 200)
    expect(await statusOf(owner, account)).toBe('connected')
    const { client_id, client_secret } = facebook.oauth.client
    expectStatus(await put({ client_id, client_secret }), 200)
  })

  test('of an unknown person changes nothing', async () => {
    const { owner, account } = await connected('facebook')
    expectStatus(await send('facebook/deauthorize', signed('4711')), 200)
    expect(await statusOf(owner, account)).toBe('connected')
  })

  test('that the app did not sign is refused', async () => {
    const { owner, account, person } = await connected('facebook')
    const [signature, payload] = signed(person).split('.')
    const forged = [
      '',
      '.',
      'a.b',
      `${signature}`,
      `${signature}.${payload}.${payload}`,
      `${signature}.${payload}A`,
      `é.${payload}`,
      signed(person, { secret: 'another' }),
      signed(person, { algorithm: 'none' }),
      signed(person, { payload: 'null' }),
      signed(person, { payload: '{' }),
      signed(person, { payload: { algorithm: 'HMAC-SHA256' } }),
      signed(person, { payload: { algorithm: 'HMAC-SHA256', user_id: { $ne: 1 } } }),
      signed(person, { payload: { algorithm: 'HMAC-SHA256', user_id: person, issued_at: 9e12 } }),
    ]
    for (const request of forged)
      for (const notice of ['deauthorize', 'data-deletion'])
        expect(await send(`facebook/${notice}`, request)).toMatchObject({
          status: 400,
          body: { code: 'signature_invalid' },
        })
    // Signed by the app of another network.
    expectStatus(await send('instagram/deauthorize', signed(person)), 400)
    expect(await statusOf(owner, account)).toBe('connected')
  })

  test('is 404 for a network without notices or without an app, 415 for another type, 413 when it is large', async () => {
    for (const network of ['linkedin', 'threads', 'bluesky', 'nowhere', '__proto__'])
      expectStatus(await send(`${network}/deauthorize`, signed('1')), 404)
    expectStatus(await send('facebook/deauthorize', signed('1'), 'application/json'), 415)
    expectStatus(await send('facebook/deauthorize', 'a'.repeat(20_000)), 413)
  })
})

describe('a data deletion notice', () => {
  test('deletes the sign-in and the data of its accounts, and leads to a page that says so', async () => {
    const { owner, account, person } = await connected('facebook')
    await t.runJobs()
    const grouped = { name: 'Bakery', account_ids: [account] }
    const group = expectStatus(await owner.post('/api/v1/account-groups', grouped), 201).body.id
    const { body } = expectStatus(await send('facebook/data-deletion', signed(person)), 200)
    expect(body).toEqual({
      url: `${t.deps.baseUrl}/data-deletions/${body.confirmation_code}`,
      confirmation_code: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    })
    expectStatus(await owner.get(`/api/v1/accounts/${account}`), 404)
    const left = expectStatus(await owner.get(`/api/v1/account-groups/${group}`), 200).body
    expect(left).toMatchObject({ account_ids: [], version: 2 })
    expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', account_group_ids: [group] }), 201)
    expect(await t.deps.db.selectFrom('oauth_grant').select('id').execute()).toEqual([])
    const row = await t.deps.db.selectFrom('account').selectAll().where('id', '=', account).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ handle: '', name: 'Deleted account', avatar: null, credentials: null, url: null })
    expect(JSON.stringify(row)).not.toContain('bakery')
    expect(await eventsOf(owner, 'account.disconnected')).toBe(1)
    const audited = await owner.get('/api/v1/workspace/audit-log?action=account.data_deleted')
    expect(audited.body.data.length).toBe(1)

    const page = `${t.url}/data-deletions/${body.confirmation_code}`
    const english = await fetch(page)
    expect(english.headers.get('cache-control')).toBe('no-store')
    expect(await english.text()).toContain('data from your account at Facebook')
    expect(await (await fetch(page, { headers: { 'accept-language': 'tr' } })).text()).toContain('Verileriniz silindi')
  })

  test('ends the pause of the queue, so that posts with other accounts do not wait for it', async () => {
    const { owner, account, person } = await connected('facebook')
    const other = await accountWithTimes(owner)
    const post = expectStatus(await addToQueue(owner, [other, account]), 201).body
    expectStatus(await owner.post(`/api/v1/accounts/${account}/queue/pause`), 200)
    t.advance(Date.parse(post.scheduled_at) - t.clock.now().getTime() + 1000)
    expectStatus(await send('facebook/data-deletion', signed(person)), 200)
    const { held, scheduled_at } = expectStatus(await owner.get(`/api/v1/posts/${post.id}`), 200).body
    expect(held).toBeNull()
    expect(scheduled_at > t.clock.now().toISOString()).toBe(true)
    const { data } = (await owner.get('/api/v1/events?type=post.updated')).body
    expect(data.at(-1).data).toMatchObject({ change: 'released', by: null, post: { id: post.id } })
  })

  test('works after the deauthorize notice, and when it is repeated', async () => {
    const { account, owner, person } = await connected('facebook')
    expectStatus(await send('facebook/deauthorize', signed(person)), 200)
    expectStatus(await send('facebook/data-deletion', signed(person)), 200)
    expectStatus(await owner.get(`/api/v1/accounts/${account}`), 404)
    const again = expectStatus(await send('facebook/data-deletion', signed(person)), 200).body
    expect(await (await fetch(`${t.url}/data-deletions/${again.confirmation_code}`)).text()).toContain('No data')
  })

  test('keeps nothing from the person, who can connect the account again', async () => {
    const { owner, person } = await connected('facebook')
    expectStatus(await send('facebook/data-deletion', signed(person)), 200)
    t.advance(60_000)
    const { account } = await connected('facebook', owner)
    expect(await statusOf(owner, account)).toBe('connected')
  })

  test('an unknown code is 404', async () => {
    for (const code of ['a', 'a'.repeat(32), '%00', "'"]) {
      const { status } = await fetch(`${t.url}/data-deletions/${code}`)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  })
})

test('the app of a network shows the addresses for its notices', async () => {
  const admin = await signedIn(t, { instanceAdmin: true })
  const urisOf = async (network: string) => (await admin.get(`/api/v1/admin/network-apps/${network}`)).body.notice_uris
  expect(await urisOf('facebook')).toEqual({
    deauthorize: `${t.deps.baseUrl}/network-notices/facebook/deauthorize`,
    data_deletion: `${t.deps.baseUrl}/network-notices/facebook/data-deletion`,
  })
  expect(await urisOf('x')).toBeNull()
})

test('the privacy page names the instance and its operator, in the language of the browser', async () => {
  const admin = await signedIn(t, { instanceAdmin: true })
  const option = '/api/v1/options/app.contact'
  expectStatus(await admin.put(option, { value: 'Meydan <Ltd>\nIstanbul' }), 200)
  const page = await fetch(`${t.url}/privacy`)
  expect([page.status, page.headers.get('vary')]).toEqual([200, expect.stringContaining('accept-language')])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await page.text()
  expect(text).toContain('Privacy at Meydan')
  expect(text).toContain('Meydan &lt;Ltd&gt;<br>Istanbul')
  const turkish = await fetch(`${t.url}/privacy`, { headers: { 'accept-language': 'de, tr;q=0.8, en;q=0.5' } })
  expect(await turkish.text()).toContain('Meydan gizlilik bilgisi')
  expect((await admin.get('/api/v1/admin/network-apps/x')).body.privacy_uri).toBe(`${t.deps.baseUrl}/privacy`)
})
