import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, openSession, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, setUpApp, signInAtNetwork, startedConnection } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'

const MINUTE = 60_000

const roles = ['501', '502'].map((id) => ({ id, name: `Page ${id}`, role: 'ADMINISTRATOR' }))
const server = await linkedinServer({ pages: { ada: roles, solo: roles.slice(0, 1), nobody: [] } })
afterAll(() => server.close())
const t = await testApp({ NETWORK_ORIGINS: `linkedin=${server.url}` })
await setUpApp(t, 'linkedin_page', server.oauth)

const network = 'linkedin_page'

async function signIn(person = 'ada', how = {}) {
  server.oauth.signInAs(person, how)
  const owner = await withWorkspace(t)
  const { id, callback } = await signInAtNetwork(owner, network)
  const read = async () => expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200).body
  return {
    owner,
    id,
    callback,
    read,
    choose: (...external_ids: string[]) => owner.post(`/api/v1/accounts/connections/${id}/choose`, { external_ids }),
  }
}

const urn = (id: string) => `urn:li:organization:${id}`

describe('POST /accounts/connections', () => {
  test('returns the page of the network, with a state that is stored as a hash only', async () => {
    const owner = await withWorkspace(t)
    const { id, authorize_url, status, expires_at } = await startedConnection(owner, network)
    const query = new URL(authorize_url).searchParams
    expect([status, query.get('redirect_uri')]).toEqual([
      'waiting',
      'http://meydan.test/api/v1/accounts/oauth/callback',
    ])
    expect(Date.parse(expires_at) - t.deps.clock.now().getTime()).toBe(15 * MINUTE)
    const row = await t.deps.db.selectFrom('account_connection').selectAll().where('id', '=', id).executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(query.get('state'))
  })

  test('a network that is not set up is refused, and listed as not available', async () => {
    const owner = await withWorkspace(t)
    expectProblem(await owner.post('/api/v1/accounts/connections', { network: 'linkedin' }), 409, 'network_not_set_up')
    const { data } = (await owner.get('/api/v1/accounts/networks')).body
    const availability = (id: string) => data.find((each: { id: string }) => each.id === id).connect
    expect(availability('linkedin')).toEqual({ kind: 'oauth2', available: false, app: null, instance: null })
    expect(availability(network)).toEqual({ kind: 'oauth2', available: true, app: 'instance', instance: null })
  })

  test('a network with a form is refused here, and one without there', async () => {
    const owner = await withWorkspace(t)
    expectProblem(await owner.post('/api/v1/accounts/connections', { network: 'playground' }), 400, 'validation_failed')
    expectProblem(await owner.post('/api/v1/accounts', { network }), 400, 'validation_failed')
  })
})

describe('GET /accounts/oauth/callback', () => {
  test('one account is connected at once', async () => {
    const { owner, id, callback, read } = await signIn('solo')
    const { headers } = expectStatus(await owner.get(callback), 303)
    const { slug } = (await owner.get('/api/v1/workspace')).body
    expect(headers.get('location')).toBe(`http://meydan.test/w/${slug}/accounts?connection=${id}`)
    const { status, account_ids } = await read()
    expect([status, account_ids.length]).toEqual(['connected', 1])
    const { body } = await owner.get(`/api/v1/accounts/${account_ids[0]}`)
    expect(body).toMatchObject({ network, name: 'Page 501', status: 'connected', form: {} })
  })

  test('of several accounts the user chooses, and the tokens leave the connection', async () => {
    const { owner, id, callback, read, choose } = await signIn()
    expectStatus(await owner.get(callback), 303)
    const { status, candidates } = await read()
    expect([status, candidates.map(({ external_id }: { external_id: string }) => external_id)]).toEqual([
      'choose',
      ['501', '502'].map(urn),
    ])
    expectProblem(await choose(urn('999')), 400, 'validation_failed')
    expect(expectStatus(await choose(urn('502')), 200).body).toMatchObject({ status: 'connected', candidates: [] })
    expectProblem(await choose(urn('501')), 409, 'invalid_transition')
    const row = t.deps.db.selectFrom('account_connection').select(['pending', 'code_verifier']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ pending: null, code_verifier: null })
  })

  test('nothing can be chosen before the network came back', async () => {
    const { owner, callback, read, choose } = await signIn()
    expectProblem(await choose(urn('501')), 409, 'invalid_transition')
    expectStatus(await owner.get(callback), 303)
    expect((await read()).status).toBe('choose')
    expectStatus(await choose(urn('501')), 200)
  })

  test('a role that is taken away while the network is asked connects nothing', async () => {
    const { workspace_id } = await withWorkspace(t)
    const member = await memberOf(t, workspace_id, 'editor')
    server.oauth.signInAs('solo')
    const { id, callback } = await signInAtNetwork(member, network)
    const release = server.hold('/v2/organizationalEntityAcls')
    const asked = server.calls.filter(({ path }) => path === '/v2/organizationalEntityAcls').length
    const returning = member.get(callback)
    await server.called('/v2/organizationalEntityAcls', asked + 1)
    await t.deps.db.updateTable('workspace_member').set({ role: 'viewer' }).where('user_id', '=', member.id).execute()
    release()
    expectStatus(await returning, 303)
    const row = t.deps.db.selectFrom('account_connection').select(['status', 'error_code']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ status: 'failed', error_code: 'not_allowed' })
  })

  test('a state works once, in 15 minutes, and only in the session that began it', async () => {
    const { owner, callback, read } = await signIn('solo')
    const ended = 'http://meydan.test/connection-ended'
    const location = async (who: { get: typeof owner.get }, path = callback) =>
      expectStatus(await who.get(path), 303).headers.get('location')
    expect(await location(t.anyone)).toBe(ended)
    expect(await location(await signedIn(t))).toBe(ended)
    // Another session of the same user.
    expect(await location(t.anyone.with(await openSession(t, owner.id)))).toBe(ended)
    expect(await location(owner, callback.replace(/state=[^&]+/, 'state=forged'))).toBe(ended)
    expect((await read()).status).toBe('waiting')
    expect(await location(owner)).toContain('/accounts?connection=')
    expect(await location(owner)).toBe(ended)
    expect((await read()).status).toBe('connected')
    const late = await signIn('solo')
    t.advance(16 * MINUTE)
    expect(await location(late.owner, late.callback)).toBe(ended)
    expect(await late.read()).toMatchObject({ status: 'failed', error: { code: 'expired' } })
  })

  test('a sign-in that a token began is completed in a session of its user', async () => {
    const owner = await withWorkspace(t)
    server.oauth.signInAs('solo')
    const token = await withToken(t, owner, ['accounts:write'])
    const { body } = expectStatus(await token.post('/api/v1/public/accounts/connections', { network }), 201)
    const { headers } = await fetch(body.authorize_url, { redirect: 'manual' })
    const { pathname, search } = new URL(headers.get('location') ?? '')
    expectStatus(await owner.get(`${pathname}${search}`), 303)
    const { status } = (await token.get(`/api/v1/public/accounts/connections/${body.id}`)).body
    expect(status).toBe('connected')
  })

  test.each([
    ['denied', 'ada', { denied: true }],
    ['scopes_missing', 'ada', { scopes: ['r_organization_social'] }],
    ['no_account', 'nobody', {}],
  ])('ends as %s, with the reason', async (code, person, how) => {
    const { owner, callback, read } = await signIn(person, how)
    expectStatus(await owner.get(callback), 303)
    const { status, error, account_ids } = await read()
    expect([status, error.code, account_ids]).toEqual(['failed', code, []])
    expect(error.message).toMatch(/\w{3}/)
  })

  test('an app whose secret was replaced at the network is shown to the instance admin', async () => {
    const other = await linkedinServer({ pages: { ada: roles } })
    const separate = await testApp({ NETWORK_ORIGINS: `linkedin=${other.url}` })
    const admin = await setUpApp(separate, network, other.oauth)
    const owner = await withWorkspace(separate)
    const { id, callback } = await signInAtNetwork(owner, network)
    other.oauth.client.client_secret = 'another-secret'
    expectStatus(await owner.get(callback), 303)
    const { body } = await owner.get(`/api/v1/accounts/connections/${id}`)
    expect(body).toMatchObject({ status: 'failed', error: { code: 'app_refused' } })
    const path = `/api/v1/admin/network-apps/${network}`
    expect((await admin.get(path)).body.refused_reason).toMatch(/client/)
    expect(expectStatus(await admin.post(`${path}/test`, {}), 200).body.ok).toBe(false)
    const client_id = other.oauth.client.client_id
    const changed = expectStatus(await admin.put(path, { client_id, client_secret: 'another-secret' }), 200).body
    expect(changed).toMatchObject({ refused_reason: null, client_secret: { set: true, last4: 'cret' } })
    expect(expectStatus(await admin.post(`${path}/test`, {}), 200).body).toEqual({ ok: true, message: null })
    await separate.close()
    other.close()
  })

  test('a member whose role was taken away meanwhile connects nothing', async () => {
    const { workspace_id } = await withWorkspace(t)
    const member = await memberOf(t, workspace_id, 'editor')
    server.oauth.signInAs('solo')
    const { id, callback } = await signInAtNetwork(member, network)
    await t.deps.db.updateTable('workspace_member').set({ role: 'viewer' }).where('user_id', '=', member.id).execute()
    expectStatus(await member.get(callback), 303)
    const row = t.deps.db.selectFrom('account_connection').select(['status', 'error_code']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ status: 'failed', error_code: 'not_allowed' })
  })
})

describe('signing in again', () => {
  test('revives a disconnected account, and renews a connected one, under its id', async () => {
    server.oauth.signInAs('solo')
    const owner = await withWorkspace(t)
    const first = await connectByOAuth(owner, network)
    const again = await connectByOAuth(owner, network)
    expect(again.account_ids).toEqual(first.account_ids)
    const [account] = first.account_ids
    expectStatus(await owner.delete(`/api/v1/accounts/${account}`), 204)
    const third = await connectByOAuth(owner, network)
    expect(third.account_ids).toEqual(first.account_ids)
    const grants = t.deps.db.selectFrom('oauth_grant').select('id').where('workspace_id', '=', owner.workspace_id)
    expect((await grants.execute()).length).toBe(1)
  })

  test('two people connect one network at once, each their own account', async () => {
    const people = await Promise.all(
      ['ada', 'solo'].map(async (person) => {
        const owner = await withWorkspace(t)
        return { person, owner }
      }),
    )
    const signIns = []
    for (const { person, owner } of people) {
      server.oauth.signInAs(person)
      signIns.push({ owner, ...(await signInAtNetwork(owner, network)) })
    }
    await Promise.all(signIns.map(async ({ owner, callback }) => expectStatus(await owner.get(callback), 303)))
    const found = await Promise.all(
      signIns.map(async ({ owner, id }) => (await owner.get(`/api/v1/accounts/connections/${id}`)).body),
    )
    expect(found.map(({ status, candidates }) => [status, candidates.length])).toEqual([
      ['choose', 2],
      ['connected', 0],
    ])
  })

  test('the last account of a sign-in takes its tokens along', async () => {
    server.oauth.signInAs('ada')
    const owner = await withWorkspace(t)
    const { account_ids } = await connectByOAuth(owner, network)
    const grants = t.deps.db.selectFrom('oauth_grant').select('id').where('workspace_id', '=', owner.workspace_id)
    for (const left of [1, 0]) {
      expectStatus(await owner.delete(`/api/v1/accounts/${account_ids[left]}`), 204)
      expect((await grants.execute()).length).toBe(left)
    }
  })
})
