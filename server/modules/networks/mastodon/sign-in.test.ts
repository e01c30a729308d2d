import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import {
  connectByOAuth,
  followToCallback,
  signInAtNetwork,
  startedConnection,
} from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { networkServer } from '../../../../test/stand-ins/server.ts'
import { findDueGrants } from '../../accounts/grants/grants.jobs.ts'
import { redirectUri } from '../apps/apps.ts'

const t = await testApp()
const network = 'mastodon'
const wanted = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media', 'read:notifications']

type Options = NonNullable<Parameters<typeof mastodonServer>[0]>

async function withServer(options: Options = {}) {
  const server = await mastodonServer(options)
  onTestFinished(server.close)
  const owner = await withWorkspace(t)
  const begin = (instance = server.url) => owner.post('/api/v1/accounts/connections', { network, instance })
  const registrations = () => server.calls.filter(({ path }) => path === '/api/v1/apps')
  const rows = () => t.deps.db.selectFrom('server_app').selectAll().where('server', '=', server.url).execute()
  /** Makes the app one of a former address of this instance. */
  const moveApp = () =>
    t.deps.db
      .updateTable('server_app')
      .set({ redirect_uri: 'https://former.test/callback' })
      .where('server', '=', server.url)
      .execute()
  const callsTo = (path: string) => server.calls.filter((call) => call.path === path)
  return { server, owner, begin, registrations, rows, moveApp, callsTo }
}

async function signedInAt(owner: WorkspaceOwner, instance: string) {
  const { id, callback } = await signInAtNetwork(owner, network, instance)
  expectStatus(await owner.get(callback), 303)
  return expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200).body
}

async function publish(owner: WorkspaceOwner, account: string) {
  const post = { content: 'Hello', account_ids: [account], publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return (await owner.get(`/api/v1/posts/${body.id}`)).body
}

describe('the app at a server', () => {
  test('is registered at the first sign-in with the redirect address, and used by all workspaces', async () => {
    const { server, owner, registrations, rows } = await withServer()
    const { authorize_url } = await startedConnection(owner, network, server.url)
    await startedConnection(await withWorkspace(t), network, server.url)
    expect(registrations().map(({ fields }) => fields)).toEqual([
      {
        client_name: 'Meydan',
        redirect_uris: redirectUri(t.deps, server.url),
        scopes: wanted.join(' '),
        website: 'http://meydan.test',
      },
    ])
    const [app] = [...server.signIn.apps.values()]
    const query = new URL(authorize_url).searchParams
    expect(query.get('client_id')).toBe(app?.client_id)
    expect([query.get('scope'), query.get('code_challenge_method')]).toEqual([wanted.join(' '), 'S256'])
    expect(query.has('force_login')).toBe(false)
    const [row, ...more] = await rows()
    expect(more).toEqual([])
    expect(JSON.stringify(row)).not.toContain(app?.client_secret)
    expect(JSON.stringify(row)).not.toContain(app?.client_id)
    const { data } = (await owner.get('/api/v1/workspace/audit-log')).body
    expect(data.map(({ action }: { action: string }) => action)).toContain('server_app.registered')
  })

  test.each(['mastodon', 'mastodon42', 'pleroma', 'gotosocial', 'pixelfed'] as const)(
    'is registered again when %s has forgotten it',
    async (software) => {
      const { server, owner, registrations, rows } = await withServer({ software })
      await startedConnection(owner, network, server.url)
      await startedConnection(owner, network, server.url)
      expect(registrations()).toHaveLength(1)
      server.signIn.forgetApps()
      expect((await signedInAt(owner, server.url)).status).toBe('connected')
      expect(registrations()).toHaveLength(2)
      expect((await rows()).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1)
    },
  )

  test('that is forgotten during the sign-in ends it with what to do', async () => {
    const { server, owner } = await withServer()
    const { id, callback } = await signInAtNetwork(owner, network, server.url)
    server.signIn.forgetApps()
    expectStatus(await owner.get(callback), 303)
    const { body } = await owner.get(`/api/v1/accounts/connections/${id}`)
    expect(body).toMatchObject({ status: 'failed', instance: server.url, error: { code: 'app_forgotten' } })
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
  })

  test('is another one for another address of this instance', async () => {
    const { server, owner, registrations, rows, moveApp } = await withServer()
    await startedConnection(owner, network, server.url)
    await moveApp()
    await startedConnection(owner, network, server.url)
    expect(registrations()).toHaveLength(2)
    expect((await rows()).map(({ redirect_uri }) => redirect_uri).sort()).toEqual([
      redirectUri(t.deps, server.url),
      'https://former.test/callback',
    ])
  })
})

describe('naming a server', () => {
  test('by its address, that of a profile, or a handle', async () => {
    const { server, begin, registrations } = await withServer()
    const { host } = new URL(server.url)
    for (const instance of [server.url, `  ${server.url}/@ada/1 `, server.url.toUpperCase()])
      expect(expectStatus(await begin(instance), 201).body.instance).toBe(server.url)
    expect(registrations()).toHaveLength(1)
    // Without a scheme it is https, which the stand-in does not speak.
    for (const instance of [host, `@ada@${host}`, `ada@${host}`])
      expectProblem(await begin(instance), 400, 'account_unreachable', '/instance')
  })

  test('by the host of handles, which sends WebFinger to the server', async () => {
    const { server, begin } = await withServer()
    const host = await networkServer({
      handle: ({ path, query }) =>
        path === '/.well-known/webfinger'
          ? { status: 301, headers: { location: `${server.url}${path}?${query}` } }
          : { status: 404 },
      errorOf: (status) => ({ status }),
      isPost: () => false,
      isUpload: () => false,
      failures: {},
      endTokens: () => undefined,
      stored: () => [],
    })
    onTestFinished(host.close)
    expect(expectStatus(await begin(`${host.url}/@ada`), 201).body.instance).toBe(server.url)
  })

  test.each([
    ['http://10.0.0.1', 'url_not_allowed'],
    ['169.254.169.254', 'url_not_allowed'],
    ['localhost:22', 'url_not_allowed'],
    ['https://ada:secret@social.example.com', 'url_not_allowed'],
    ['two words', 'url_not_allowed'],
    ['ftp://social.example.com', 'url_not_allowed'],
    ['bücher.invalid', 'account_unreachable'],
  ] as const)('%s is refused with what to do', async (instance, code) => {
    const { begin } = await withServer()
    const { detail } = expectProblem(await begin(instance), 400, code, '/instance')
    expect(detail).toMatch(/\.$/)
  })

  test('is required where there are several, and refused where there is one', async () => {
    const owner = await withWorkspace(t)
    const begin = (body: object) => owner.post('/api/v1/accounts/connections', body)
    expectProblem(await begin({ network }), 400, 'validation_failed', '/instance')
    expectProblem(await begin({ network: 'x', instance: 'x.com' }), 400, 'validation_failed', '/instance')
    expectProblem(await begin({ network, instance: '' }), 400, 'validation_failed', '/instance')
  })

  test('that is no such server, refuses apps, or has had too many calls is refused with the reason', async () => {
    const { server, begin } = await withServer()
    const refused = async (code: 'account_refused' | 'account_unreachable') =>
      expectProblem(await begin(), 400, code, '/instance').detail
    server.failAlways({ kind: 'garbage' })
    expect(await refused('account_unreachable')).toMatch(/does not speak the API/)
    server.failAlways({ kind: 'flood' })
    expect(await refused('account_unreachable')).toMatch(/could not be reached/)
    server.failAlways({ kind: 'hang_up', arrives: false })
    expect(await refused('account_unreachable')).toMatch(/could not be reached/)
    server.failAlways({ kind: 'response', status: 429, error: 'Too many requests' })
    expect(await refused('account_unreachable')).toMatch(/Try again in a few minutes/)
    server.failAlways({ kind: 'response', status: 403, error: 'Apps are closed' })
    expect(await refused('account_refused')).toBe('The server refused Meydan: Apps are closed')
  })
})

describe('signing in', () => {
  test.each([
    ['mastodon', wanted],
    ['mastodon42', wanted],
    ['pleroma', wanted],
    ['gotosocial', wanted],
    ['pixelfed', ['read', 'write']],
    ['sharkey', wanted],
  ] as const)('at %s connects the account, which publishes', async (software, scopes) => {
    const { server, owner, registrations, callsTo } = await withServer({ software })
    const { status, account_ids } = await signedInAt(owner, server.url)
    expect([status, account_ids.length]).toEqual(['connected', 1])
    expect(String(registrations()[0]?.fields.scopes).split(' ')).toEqual(scopes)
    const { body } = await owner.get(`/api/v1/accounts/${account_ids[0]}`)
    const { host } = new URL(server.url)
    expect(body).toMatchObject({
      ...{ handle: `ada@${host}`, connected_by: 'sign_in', form: { instance: server.url }, sign_in_ends_at: null },
      limits: { media: { required: software === 'pixelfed' } },
    })
    const { data } = (await owner.get('/api/v1/accounts/health')).body
    expect(data).toMatchObject([{ state: 'ok', reasons: [], instance: server.url }])
    expectStatus(await owner.post(`/api/v1/accounts/${account_ids[0]}/check`), 200)
    if (software !== 'pixelfed') expect((await publish(owner, account_ids[0])).status).toBe('published')
    expect(callsTo('/oauth/token')[0]?.fields.code_verifier).toMatch(/^[\w-]{43}$/)
  })

  test('asks for wide permissions at a server that knows no others', async () => {
    const signInRules = { metadata: false, scopes: ['read', 'write', 'follow'] }
    const { server, owner, registrations } = await withServer({ signInRules })
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
    expect(registrations().map(({ fields }) => fields.scopes)).toEqual([wanted.join(' '), 'read write'])
  })

  test('asks for the permissions that a server lists', async () => {
    const { server, owner, registrations } = await withServer({
      signInRules: { scopes: ['read', 'write', 'read:accounts', 'write:statuses'] },
    })
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
    expect(registrations().map(({ fields }) => fields.scopes)).toEqual(['read:accounts read write:statuses write'])
  })

  test('is refused before its code is sent on when another server sent the browser back', async () => {
    const [hostile, honest] = [await withServer(), await withServer()]
    const { owner, server, callsTo } = hostile
    const { id, callback } = await signInAtNetwork(owner, network, server.url)
    const { pathname } = new URL(redirectUri(t.deps, honest.server.url))
    expectStatus(await owner.get(callback.replace(/^[^?]+/, pathname)), 303)
    const other = await signInAtNetwork(owner, network, server.url)
    expectStatus(await owner.get(`${other.callback}&iss=${encodeURIComponent(honest.server.url)}`), 303)
    for (const each of [id, other.id]) {
      const { body } = await owner.get(`/api/v1/accounts/connections/${each}`)
      expect(body).toMatchObject({ status: 'failed', error: { code: 'refused' } })
      expect(body.error.message).toMatch(/Another server/)
    }
    expect(callsTo('/oauth/token').filter(({ fields }) => fields.grant_type === 'authorization_code')).toEqual([])
    const named = await signInAtNetwork(owner, network, server.url)
    expectStatus(await owner.get(`${named.callback}&iss=${encodeURIComponent(`${server.url}/`)}`), 303)
    expect((await owner.get(`/api/v1/accounts/connections/${named.id}`)).body.status).toBe('connected')
  })

  test('at a server that announces to name itself is refused when the redirect does not', async () => {
    const signInRules = { announcesIssuer: true, namesIssuer: true }
    const { server, owner, callsTo } = await withServer({ signInRules })
    const { id, callback } = await signInAtNetwork(owner, network, server.url)
    expectStatus(await owner.get(callback.replace(/&iss=[^&]+/, '')), 303)
    const { body } = await owner.get(`/api/v1/accounts/connections/${id}`)
    expect(body).toMatchObject({ status: 'failed', error: { code: 'refused' } })
    expect(callsTo('/oauth/token').filter(({ fields }) => fields.grant_type === 'authorization_code')).toEqual([])
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
  })

  test.each([
    ['names itself unannounced', 'mastodon', { namesIssuer: true }],
    ['announces the sign-in of another API', 'sharkey', { metadata: true, announcesIssuer: true }],
  ] as const)('at a server that %s completes', async (_, software, signInRules) => {
    const { server, owner } = await withServer({ software, signInRules })
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
  })

  test('of two people at once completes at a server on which an app is for one sign-in', async () => {
    const { server, owner } = await withServer({ software: 'sharkey' })
    const second = await withWorkspace(t)
    const first = await signInAtNetwork(owner, network, server.url)
    expect((await signedInAt(second, server.url)).status).toBe('connected')
    expectStatus(await owner.get(first.callback), 303)
    expect((await owner.get(`/api/v1/accounts/connections/${first.id}`)).body.status).toBe('connected')
  })

  test('begins anew at a server on which an app is for one sign-in', async () => {
    const { server, owner, registrations } = await withServer({ software: 'sharkey' })
    for (const _ of [1, 2]) expect((await signedInAt(owner, server.url)).status).toBe('connected')
    expect(registrations()).toHaveLength(2)
  })

  test.each([
    ['denied', { denied: true }],
    ['scopes_missing', { scopes: ['read:accounts', 'read:statuses', 'write:media'] }],
  ])('ends as %s, with the reason', async (code, how) => {
    const { server, owner } = await withServer()
    server.signIn.signInAs('ada', how)
    const { status, error } = await signedInAt(owner, server.url)
    expect([status, error.code]).toEqual(['failed', code])
    expect(error.message).toMatch(code === 'denied' ? /denied/ : /write:statuses/)
  })

  test('without the permission for notifications publishes, and says so', async () => {
    const { server, owner } = await withServer()
    server.signIn.signInAs('ada', { scopes: wanted.slice(0, 4) })
    expect((await signedInAt(owner, server.url)).status).toBe('connected')
    const { data } = (await owner.get('/api/v1/accounts/health')).body
    const reasons = [{ code: 'optional_permission_missing', permissions: ['read:notifications'] }]
    expect(data).toMatchObject([{ state: 'ok', reasons }])
  })

  test('with a code that was used, a wrong verifier or another state connects nothing', async () => {
    const { server, owner } = await withServer()
    const of = (url: string) => new URL(url, 'http://meydan.test').searchParams
    const first = await signInAtNetwork(owner, network, server.url)
    const second = await startedConnection(owner, network, server.url)
    const state = new URL(second.authorize_url).searchParams.get('state') ?? ''
    const stranger = await memberOf(t, owner.workspace_id, 'editor')
    for (const [who, path] of [
      [stranger, first.callback],
      [owner, first.callback.replace(/state=[^&]+/, 'state=forged')],
    ] as const)
      expect((await who.get(path)).headers.get('location')).toBe('http://meydan.test/connection-ended')
    // The code of the first sign-in with the verifier of the second.
    const mixed = `${first.callback.replace(/\?.*$/, '')}?code=${of(first.callback).get('code')}&state=${state}`
    expectStatus(await owner.get(mixed), 303)
    const { body } = await owner.get(`/api/v1/accounts/connections/${second.id}`)
    expect(body).toMatchObject({ status: 'failed', error: { code: 'refused' } })
    expect(body.error.message).toMatch(/invalid, expired, revoked/)
    expectStatus(await owner.get(first.callback), 303)
    const used = await startedConnection(owner, network, server.url)
    const again = await followToCallback(used.authorize_url)
    expectStatus(await owner.get(again.replace(/code=[^&]+/, `code=${of(first.callback).get('code')}`)), 303)
    const { error } = (await owner.get(`/api/v1/accounts/connections/${used.id}`)).body
    expect(error.code).toBe('refused')
    expect((await owner.get('/api/v1/accounts')).body.data).toHaveLength(1)
  })
})

describe('an account that signed in', () => {
  test('is disconnected when its token is revoked, and mended by the same person alone', async () => {
    const { server, owner } = await withServer()
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    const [account] = account_ids
    server.endTokens()
    expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200)
    const read = async () => (await owner.get(`/api/v1/accounts/${account}`)).body
    expect((await read()).status).toBe('disconnected')
    server.signIn.signInAs('bruno')
    const other = await connectByOAuth(owner, network, server.url)
    expect(other.account_ids).not.toContain(account)
    expect((await read()).status).toBe('disconnected')
    server.signIn.signInAs('ada')
    expect((await connectByOAuth(owner, network, server.url)).account_ids).toEqual([account])
    expect((await read()).status).toBe('connected')
    expect((await publish(owner, account)).status).toBe('published')
  })

  test('takes the place of one that was connected with a token, and the other way round', async () => {
    const { server, owner } = await withServer()
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    server.endTokens()
    expectStatus(await owner.post(`/api/v1/accounts/${account_ids[0]}/check`), 200)
    const [token] = [...server.signIn.tokens.keys()]
    server.signIn.give(token ?? '', 'ada', ['read', 'write'])
    const form = { network, server: server.url, access_token: token }
    const { body } = expectStatus(await owner.post('/api/v1/accounts', form), 201)
    expect(body).toMatchObject({ id: account_ids[0], connected_by: 'form' })
    expect((await publish(owner, body.id)).status).toBe('published')
    expect((await connectByOAuth(owner, network, server.url)).account_ids).toEqual([body.id])
    expect((await owner.get(`/api/v1/accounts/${body.id}`)).body.connected_by).toBe('sign_in')
    expect((await publish(owner, body.id)).status).toBe('published')
  })

  test.each(['pleroma', 'pixelfed'] as const)('has its token renewed before it ends, on %s', async (software) => {
    const { server, owner, callsTo } = await withServer({ software })
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    const [former] = [...server.signIn.tokens.keys()]
    const days = software === 'pleroma' ? 0.6 : 200
    t.advance(days * 86_400_000)
    await findDueGrants(t.deps)
    await t.runJobs()
    expect(callsTo('/oauth/token').filter(({ fields }) => fields.grant_type === 'refresh_token')).toHaveLength(1)
    expect([...server.signIn.tokens.keys()]).not.toContain(former)
    const row = t.deps.db.selectFrom('account').select('status').where('id', '=', account_ids[0])
    expect(await row.executeTakeFirst()).toEqual({ status: 'connected' })
  })

  test('is disconnected when its server has forgotten the app that would renew its token', async () => {
    const { server, owner } = await withServer({ software: 'pleroma' })
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    server.signIn.forgetApps()
    server.endTokens()
    expectStatus(await owner.post(`/api/v1/accounts/${account_ids[0]}/check`), 200)
    expect((await owner.get(`/api/v1/accounts/${account_ids[0]}`)).body.status).toBe('disconnected')
  })

  test('has its token revoked at the server when it is disconnected', async () => {
    const { server, owner, callsTo, moveApp } = await withServer()
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    const [token] = [...server.signIn.tokens.keys()]
    // The app of a former address of this instance revokes what it issued.
    await moveApp()
    expectStatus(await owner.delete(`/api/v1/accounts/${account_ids[0]}`), 204)
    await t.runJobs()
    expect(callsTo('/oauth/revoke').map(({ fields }) => fields.token)).toEqual([token])
    expect(server.signIn.tokens.size).toBe(0)
    const grants = t.deps.db.selectFrom('oauth_grant').select('id').where('server', '=', server.url)
    expect(await grants.execute()).toEqual([])
  })
})
