import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../../test/factories.ts'
import { followToCallback, signInAtNetwork } from '../../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { blueskyServer } from '../../../../../test/stand-ins/bluesky.ts'
import { accountNumbers, postNumbers } from '../../../../../test/stand-ins/numbers.ts'
import { findDueGrants } from '../../../accounts/grants/grants.jobs.ts'
import { findDueAccountMetrics } from '../../../accounts/metrics/read-metrics.ts'
import { findDuePostMetrics } from '../../../posts/metrics/read-metrics.ts'
import { redirectUri } from '../../apps/apps.ts'

const network = 'bluesky'
const MINUTE = 60_000
const publicApp = await testApp({ BASE_URL: 'https://meydan.test' })
const localApp = await testApp({ BASE_URL: 'http://localhost:4321' })

async function withServer(t = publicApp) {
  const owner = await withWorkspace(t)
  const server = await blueskyServer({
    fetchClient: async (client_id) => {
      const { status, headers, body } = await owner.get(new URL(client_id).pathname)
      return { status, type: headers.get('content-type') ?? '', body }
    },
  })
  onTestFinished(server.close)
  for (const key of ['bluesky.directory', 'bluesky.handles']) t.deps.config.NETWORK_ORIGINS[key] = server.url
  const { handle } = server.addAccount()
  const did = server.didOf(handle)
  server.signIn.named = did
  const begin = (instance: string) => owner.post('/api/v1/accounts/connections', { network, instance })
  const connection = async (id: string) => expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200).body
  const signIn = async (instance = handle) => {
    const { id, callback } = await signInAtNetwork(owner, network, instance)
    expectStatus(await owner.get(callback, { host: new URL(t.deps.baseUrl).host }), 303)
    return connection(id)
  }
  const connected = async () => {
    const found = await signIn()
    expect(found).toMatchObject({ status: 'connected', error: null })
    return String(found.account_ids[0])
  }
  const account = async (id: string) => (await owner.get(`/api/v1/accounts/${id}`)).body
  const start = async (account_id: string, content = 'Hello') =>
    expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [account_id], publish_now: true }), 201).body
  const publish = async (account_id: string, content?: string) => {
    const { id } = await start(account_id, content)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${id}`)).body
  }
  const posts = () => [...server.records.values()].filter(({ uri }) => uri.includes('/app.bsky.feed.post/'))
  const callsTo = (path: string) => server.calls.filter(({ name }) => name === path)
  const renew = async () => {
    await findDueGrants(t.deps)
    await t.runJobs()
  }
  return {
    t,
    owner,
    server,
    handle,
    did,
    begin,
    connection,
    signIn,
    connected,
    account,
    start,
    publish,
    posts,
    callsTo,
    renew,
  }
}

describe('signing in at Bluesky', () => {
  test.each([
    ['with a public address, as a client with a key', publicApp],
    ['at the loopback interface, as a public client', localApp],
  ])('%s connects the account of a handle, which publishes', async (_, t) => {
    const { owner, handle, did, connected, account, publish, posts, server } = await withServer(t)
    const id = await connected()
    expect(await account(id)).toMatchObject({
      handle,
      connected_by: 'sign_in',
      status: 'connected',
      form: { instance: did },
    })
    const { data } = (await owner.get('/api/v1/accounts/health')).body
    expect(data).toMatchObject([{ state: 'ok', reasons: [], instance: server.url }])
    expect((await publish(id)).status).toBe('published')
    expect(posts()).toMatchObject([{ uri: expect.stringContaining(`at://${did}/`), value: { text: 'Hello' } }])
    expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 200)
    const [row] = await t.deps.db.selectFrom('oauth_grant').selectAll().where('server', '=', server.url).execute()
    expect(JSON.stringify(row)).not.toMatch(/acc-|ref-|"d"/)
  })

  test('pushes the request, and leaves nothing of it in the address', async () => {
    const { t, server, handle, did, begin, callsTo } = await withServer()
    const { authorize_url, instance } = expectStatus(await begin(` @${handle} `), 201).body
    expect(instance).toBe(server.url)
    const query = new URL(authorize_url).searchParams
    expect([...query.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect(query.get('client_id')).toMatch(/^https:\/\/meydan\.test\/api\/v1\/accounts\/oauth\/clients\/[\w-]{22}$/)
    // The first call has no nonce yet.
    expect(callsTo('/oauth/par').at(-1)?.body).toMatchObject({
      ...{ redirect_uri: redirectUri(t.deps, server.url), login_hint: did, code_challenge_method: 'S256' },
      ...{ scope: 'atproto transition:generic', response_type: 'code' },
    })
  })

  test('describes the client with its public key alone, under the address that servers know it by', async () => {
    const { owner, begin, handle } = await withServer()
    const path = '/api/v1/accounts/oauth/clients'
    expectStatus(await owner.get(`${path}/unknown`), 404)
    const { authorize_url } = expectStatus(await begin(handle), 201).body
    const client_id = new URL(authorize_url).searchParams.get('client_id') ?? ''
    const { body, headers } = expectStatus(await owner.get(new URL(client_id).pathname), 200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toMatchObject({
      client_id,
      dpop_bound_access_tokens: true,
      token_endpoint_auth_method: 'private_key_jwt',
    })
    expect(Object.keys(body.jwks.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(body.jwks.keys).toHaveLength(1)
  })

  test('at a server that is named by its address connects who signs in there', async () => {
    const { server, signIn, did } = await withServer()
    server.signIn.signInAs({ did })
    expect((await signIn(server.url)).status).toBe('connected')
  })

  test('as another account than the one that was named connects nothing, and ends those tokens', async () => {
    const { server, signIn, account } = await withServer()
    const { handle } = server.addAccount()
    server.signIn.signInAs({ did: server.didOf(handle) })
    const { status, error } = await signIn()
    expect([status, error.code]).toEqual(['failed', 'refused'])
    expect(error.message).toMatch(/Another account/)
    expect(server.signIn.grants().map(({ ended }) => ended)).toEqual([true])
    expect((await account('')).data ?? []).toEqual([])
  })

  test('refuses tokens of an account whose document names another server', async () => {
    const { server, signIn } = await withServer()
    const other = await blueskyServer()
    onTestFinished(other.close)
    const { handle } = server.addAccount()
    server.moveAccount(server.didOf(handle), other.url)
    server.signIn.signInAs({ did: server.didOf(handle) })
    const { status, error } = await signIn(server.url)
    expect([status, error.code]).toEqual(['failed', 'refused'])
    expect(error.message).toMatch(/no longer on the server/)
  })

  test.each([
    ['another issuer', 'https://honest.example'],
    ['no issuer', ''],
  ])('is refused before its code is sent on when the callback names %s', async (_, issuer) => {
    const { server, signIn, callsTo } = await withServer()
    server.signIn.rules.issuer = issuer
    const { status, error } = await signIn()
    expect([status, error.code]).toEqual(['failed', 'refused'])
    expect(callsTo('/oauth/token')).toEqual([])
  })

  test.each([
    ['denied', { denied: true }, /rejected/],
    ['scopes_missing', { scopes: 'atproto' }, /transition:generic/],
  ])('ends as %s, with the reason', async (code, how, message) => {
    const { server, signIn } = await withServer()
    server.signIn.signInAs(how)
    const { status, error } = await signIn()
    expect([status, error.code]).toEqual(['failed', code])
    expect(error.message).toMatch(message)
  })

  test('works once', async () => {
    const { owner, connection, handle } = await withServer()
    const { id, callback } = await signInAtNetwork(owner, network, handle)
    expectStatus(await owner.get(callback), 303)
    expect((await owner.get(callback)).headers.get('location')).toMatch(/connection-ended$/)
    expect((await connection(id)).status).toBe('connected')
  })

  test('at the loopback interface comes back to the address that has the session', async () => {
    const { t, owner, handle } = await withServer(localApp)
    const { callback } = await signInAtNetwork(owner, network, handle)
    const sent = await owner.get(callback, { host: '127.0.0.1:4321' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${t.deps.baseUrl}${callback}`])
  })

  test.each([
    ['two words', 'account_refused'],
    ['localhost', 'account_refused'],
    ['did:key:zQ3sh', 'account_refused'],
    ['http://10.0.0.1', 'url_not_allowed'],
    ['https://ada:secret@bsky.example', 'url_not_allowed'],
    ['http://127.0.0.1:1', 'account_unreachable'],
  ] as const)('%s is refused with what to do', async (instance, code) => {
    const { begin } = await withServer()
    expect(expectProblem(await begin(instance), 400, code, '/instance').detail).toMatch(/\.$|reached/)
  })

  test('refuses a handle that its account does not have', async () => {
    const { begin, server } = await withServer()
    server.signIn.named = server.didOf(server.addAccount().handle)
    expectProblem(await begin('somebody.else.test'), 400, 'account_unreachable', '/instance')
  })

  test('is not offered where servers cannot read who Meydan is, and app passwords are', async () => {
    const t = await testApp({ BASE_URL: 'http://meydan.test' })
    onTestFinished(t.close)
    const owner = await withWorkspace(t)
    const { data } = (await owner.get('/api/v1/accounts/networks')).body
    const { connect, form } = data.find(({ id }: { id: string }) => id === network)
    expect([connect.available, form.map(({ key }: { key: string }) => key)]).toEqual([
      false,
      ['handle', 'app_password', 'service'],
    ])
    const refused = await owner.post('/api/v1/accounts/connections', { network, instance: 'ada.example.com' })
    expect(expectProblem(refused, 409, 'network_not_set_up').detail).toMatch(/app password/)
  })

  test('takes the place of an app password, and the other way round', async () => {
    const { t, owner, server, signIn, account, publish } = await withServer()
    const fields = server.addAccount()
    server.signIn.named = server.didOf(fields.handle)
    const form = { network, service: server.url, ...fields }
    const { id } = expectStatus(await owner.post('/api/v1/accounts', form), 201).body
    expect((await signIn(fields.handle)).account_ids).toEqual([id])
    expect(await account(id)).toMatchObject({ connected_by: 'sign_in' })
    server.changePassword(fields.handle)
    expect((await publish(id)).status).toBe('published')
    server.signIn.endGrants()
    t.advance(31 * MINUTE)
    await publish(id, 'Later')
    expect(await account(id)).toMatchObject({ status: 'disconnected' })
    const again = await owner.post('/api/v1/accounts', { ...form, app_password: 'another' })
    expect(expectStatus(again, 201).body.id).toBe(id)
    expect((await publish(id, 'Again')).status).toBe('published')
  })
})

describe('tokens of Bluesky', () => {
  test('50 posts at once on a token that has ended make one renewal', async () => {
    const { t, server, connected, start, posts } = await withServer()
    const id = await connected()
    server.signIn.endAccess()
    t.advance(31 * MINUTE)
    await Promise.all(Array.from({ length: 50 }, (_, index) => start(id, `Post ${index}`)))
    await t.runJobs()
    expect(posts()).toHaveLength(50)
    expect(server.signIn.renewals()).toBe(1)
    expect(server.signIn.grants().map(({ ended }) => ended)).toEqual([false])
  })

  test('that the server rejects are renewed once, and the call repeated', async () => {
    const { server, connected, publish } = await withServer()
    const id = await connected()
    server.signIn.endAccess()
    expect((await publish(id)).status).toBe('published')
    expect(server.signIn.renewals()).toBe(1)
  })

  test('are proven with the nonce that the server asks for', async () => {
    const { server, connected, publish, posts } = await withServer()
    const id = await connected()
    for (const content of ['One', 'Two']) {
      server.signIn.forgetNonces()
      expect((await publish(id, content)).status).toBe('published')
    }
    expect(posts()).toHaveLength(2)
  })

  test('that nobody uses are renewed once a day, again and again', async () => {
    const { t, server, connected, renew } = await withServer()
    await connected()
    t.advance(12 * 60 * MINUTE)
    await renew()
    expect(server.signIn.renewals()).toBe(0)
    for (let day = 1; day <= 3; day++) {
      t.advance(27 * 60 * MINUTE)
      await renew()
      expect(server.signIn.renewals()).toBe(day)
    }
    expect(server.signIn.grants().map(({ ended }) => ended)).toEqual([false])
  })

  test('whose renewal did not arrive are renewed by the next attempt', async () => {
    const { t, owner, server, connected, publish, account } = await withServer()
    const id = await connected()
    server.signIn.endAccess()
    t.advance(31 * MINUTE)
    server.failSignIn('/oauth/token', { kind: 'hang_up', arrives: false })
    const post = await publish(id)
    expect([post.status, (await account(id)).status]).toEqual(['publishing', 'connected'])
    server.failSignIn()
    t.advance(10 * MINUTE)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    expect([server.signIn.renewals(), (await account(id)).status]).toEqual([1, 'connected'])
  })

  test('whose renewal was lost on its way back end the sign-in, with what to do, and a new one revives it', async () => {
    const { t, owner, server, connected, signIn, publish, account, renew } = await withServer()
    const id = await connected()
    server.signIn.endAccess()
    t.advance(31 * MINUTE)
    server.failSignIn('/oauth/token', { kind: 'hang_up', arrives: true })
    await publish(id)
    server.failSignIn()
    t.advance(10 * MINUTE)
    await renew()
    expect(await account(id)).toMatchObject({ status: 'disconnected' })
    const { data } = (await owner.get('/api/v1/accounts/health')).body
    expect(data).toMatchObject([{ state: 'disconnected', reasons: [{ code: 'sign_in_ended' }] }])
    expect((await signIn()).account_ids).toEqual([id])
    expect((await publish(id, 'Again')).status).toBe('published')
  })

  test('of a grant that its owner withdrew disconnect the account', async () => {
    const { server, connected, publish, account } = await withServer()
    const id = await connected()
    server.signIn.endGrants()
    expect((await publish(id)).status).toBe('failed')
    expect(await account(id)).toMatchObject({ status: 'disconnected' })
  })

  test('end at the server once no account uses them', async () => {
    const { t, owner, server, connected } = await withServer()
    const id = await connected()
    expectStatus(await owner.delete(`/api/v1/accounts/${id}`), 204)
    await t.runJobs()
    expect(server.signIn.grants().map(({ ended }) => ended)).toEqual([true])
    expect(await t.deps.db.selectFrom('oauth_grant').select('id').where('server', '=', server.url).execute()).toEqual(
      [],
    )
  })

  test('read the numbers of posts and of the account', async () => {
    const { t, owner, connected, publish } = await withServer()
    const id = await connected()
    const post = await publish(id)
    t.advance(2 * 60 * MINUTE)
    await findDueAccountMetrics(t.deps)
    await findDuePostMetrics(t.deps)
    await t.runJobs()
    const { likes, quotes } = postNumbers
    const { targets } = (await owner.get(`/api/v1/posts/${post.id}/metrics`)).body
    expect(targets).toMatchObject([{ state: 'read', metrics: { likes, quotes } }])
    const { body } = await owner.get(`/api/v1/accounts/${id}/metrics`)
    expect(body).toMatchObject({ metrics: { followers: accountNumbers.followers } })
  })
})

test('a code of another sign-in connects nothing', async () => {
  const { owner, connection, handle, begin } = await withServer()
  const first = expectStatus(await begin(handle), 201).body
  const second = expectStatus(await begin(handle), 201).body
  const [one, two] = [await followToCallback(first.authorize_url), await followToCallback(second.authorize_url)]
  const swapped = new URL(one, 'https://meydan.test')
  swapped.searchParams.set('code', new URL(two, 'https://meydan.test').searchParams.get('code') ?? '')
  expectStatus(await owner.get(`${swapped.pathname}${swapped.search}`), 303)
  expect(await connection(first.id)).toMatchObject({ status: 'failed', error: { code: 'refused' } })
})
