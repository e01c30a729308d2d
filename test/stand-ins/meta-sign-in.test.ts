import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instagramServer } from './instagram.ts'
import { metaAccount } from './meta-account.ts'
import { threadsServer } from './threads.ts'

const DAY_MS = 24 * 3600_000

const networks = [
  {
    ...{ name: 'Instagram', create: instagramServer, prefix: 'ig' as const, version: '/v26.0' },
    ...{
      tokenIn: 'address' as const,
      basic: 'instagram_business_basic',
      publish: 'instagram_business_content_publish',
    },
  },
  {
    ...{ name: 'Threads', create: threadsServer, prefix: 'th' as const, version: '/v1.0' },
    ...{ tokenIn: 'header' as const, basic: 'threads_basic', publish: 'threads_content_publish' },
  },
]

describe.each(networks)('the sign-in of $name', ({ create, basic, publish, ...names }) => {
  let server: Awaited<ReturnType<typeof create>>
  let account: ReturnType<typeof metaAccount>
  beforeAll(async () => {
    server = await create()
    account = metaAccount(server, { ...names, scope: `${basic},${publish}` })
  })
  afterAll(() => server.close())

  test.each([
    ['another address', { redirect_uri: 'http://meydan.test/api/v1/accounts/oauth/callback/' }],
    ['another client', { client_id: 'other' }],
    ['a name that is not known', { prompt: 'consent' }],
  ])('shows an error to a person who comes with %s', async (_, changes) => {
    expect(await account.codeOf(changes)).toBeUndefined()
  })

  test('ends the address with a fragment of its own, also when the person refuses', async () => {
    server.oauth.signInAs('ada', { denied: true })
    const back = await account.codeOf()
    server.oauth.signInAs('ada')
    expect([back?.searchParams.get('error'), back?.hash]).toEqual(['access_denied', '#_'])
    expect((await account.codeOf())?.hash).toBe('#_')
  })

  test('takes a code once, with the same address, and reports errors in two fields', async () => {
    const code = (await account.codeOf())?.searchParams.get('code') ?? ''
    const other = await account.askToken({ code, redirect_uri: 'http://meydan.test/other' })
    expect(other).toMatchObject({ status: 400, body: { error_type: 'OAuthException', code: 400 } })
    expect((await account.askToken({ code, client_secret: 'other' })).status).toBe(400)
    expect((await account.askToken({ code, color: 'red' })).status).toBe(400)
    expect((await account.askToken({ code })).status).toBe(200)
    expect((await account.askToken({ code })).status).toBe(400)
  })

  test('takes a token of an hour only for its exchange, with the secret, once for each kind', async () => {
    const short = await account.shortToken()
    expect((await account.call(short, 'GET', '/me?fields=username')).body.error.code).toBe(190)
    expect((await account.exchange(short, { client_secret: 'other' })).body.error.code).toBe(101)
    expect((await account.exchange(short, { client_id: 'any' })).status).toBe(400)
    const { body } = await account.exchange(short)
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 5_184_000 })
    expect((await account.call(body.access_token, 'GET', '/me?fields=username')).body.username).toBe('ada')
    expect((await account.exchange(body.access_token)).status).toBe(400)
  })

  test('renews a token that is a day old, and not one that has ended', async () => {
    const token = await account.longToken()
    expect((await account.renew(token)).status).toBe(400)
    server.advance(DAY_MS)
    const renewed = (await account.renew(token)).body.access_token
    expect((await account.call(renewed, 'GET', '/me')).status).toBe(200)
    server.advance(61 * DAY_MS)
    expect((await account.renew(renewed)).body.error.code).toBe(190)
    expect((await account.call(renewed, 'GET', '/me')).body.error).toMatchObject({ type: 'OAuthException', code: 190 })
  })

  test('allows what the person left ticked, and no more', async () => {
    server.oauth.signInAs('ada', { scopes: [basic] })
    const token = await account.longToken()
    server.oauth.signInAs('ada')
    const { body } = await account.call(token, 'GET', '/me')
    const edge = names.prefix === 'ig' ? 'media_publish' : 'threads_publish'
    expect(await account.call(token, 'POST', `/${body.id}/${edge}`, { creation_id: '1' })).toMatchObject({
      ...{ status: 403, body: { error: { code: 200 } } },
    })
  })

  test('refuses a token in the address, a field that it does not have and a path that it does not know', async () => {
    const token = await account.longToken()
    for (const path of [`/me?access_token=${token}`, '/me?fields=color', '/me?color=red', '/me/colors'])
      expect((await account.call(token, 'GET', path)).body.error.code).toBe(100)
  })

  test('names how many calls are used in a header', async () => {
    const { headers } = await account.call(await account.longToken(), 'GET', '/me')
    const usage = JSON.parse(headers.get('x-business-use-case-usage') ?? '')
    expect(usage.me).toMatchObject([{ call_count: expect.any(Number), estimated_time_to_regain_access: 0 }])
  })
})
