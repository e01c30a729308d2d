import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { actionsOf, withCookies } from '../../../../test/people.ts'
import { expectProblem, withoutIds } from '../../../../test/problem.ts'
import { hmac } from '../../../lib/crypto/crypto.ts'
import { authSecret } from '../better-auth/auth-options.ts'

const t = await testApp()

const signInAgain = async (email: string, headers: Record<string, string> = {}) =>
  withCookies(
    t,
    expectStatus(await t.anyone.post('/api/auth/sign-in/email', { email, password: PASSWORD }, headers), 200),
  )
const list = async (person: { get: TestApp['anyone']['get'] }, query = '') =>
  expectStatus(await person.get(`/api/v1/me/sessions${query}`), 200).body

test('signing out with a token does not end the session of a cookie in the same request', async () => {
  const person = await withWorkspace(t)
  const { token } = await withToken(t, person)
  expectStatus(await person.post('/api/auth/sign-out', undefined, { authorization: `Bearer ${token}` }), 200)
  expectStatus(await person.get('/api/v1/me'), 200)
  expectStatus(await person.post('/api/auth/sign-out'), 200)
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})

describe('sessions', () => {
  test('signing out ends only this session, and is no error without one', async () => {
    const person = await signedIn(t)
    const other = await signInAgain(person.email)
    expectStatus(await other.post('/api/auth/sign-out'), 200)
    expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    expectStatus(await person.get('/api/v1/me'), 200)
    expectStatus(await t.anyone.post('/api/auth/sign-out'), 200)
    expectProblem(
      await t.anyone.post('/api/auth/sign-out', { callbackURL: 'x' }),
      400,
      'validation_failed',
      '/callbackURL',
    )
    expectProblem(await t.anyone.post('/api/auth/sign-out', [1]), 400, 'validation_failed', '')
    expectStatus(await t.anyone.post('/api/auth/sign-out', 'null'), 200)
  })

  test('a forged or malformed cookie gets 401 on every route, and never a 5xx', async () => {
    const { token } = await t.deps.db
      .selectFrom('session')
      .select('token')
      .where('user_id', '=', (await signedIn(t)).id)
      .executeTakeFirstOrThrow()
    const signed = (value: string, secret = authSecret(t.deps.keyring)) =>
      `meydan.session_token=${encodeURIComponent(`${value}.${hmac(secret, value).digest('base64')}`)}`
    expectStatus(await t.anyone.get('/api/v1/me', { cookie: signed(token) }), 200)
    for (const cookie of [
      signed(token, 'another secret'),
      `meydan.session_token=${token}`,
      `meydan.session_token=${token}.`,
      `meydan.session_token=.${token}`,
      signed(`${token}x`),
      signed('\0'),
      signed(''),
      signed("' or 1=1 --"),
      'meydan.session_token=%',
      'meydan.session_token=%00.%00',
      'meydan.session_token=%ed%a0%80.x',
      'meydan.session_token',
      '=;;;==;',
      `meydan.session_token=${'x.'.repeat(3000)}`,
    ]) {
      expectProblem(await t.anyone.get('/api/v1/me', { cookie }), 401, 'unauthenticated')
      expectStatus(await t.anyone.post('/api/auth/sign-out', undefined, { cookie }), 200)
    }
  })
})

describe('GET /me/sessions', () => {
  test("200 lists one's own sessions, newest first, marks the current one, and contains no token", async () => {
    const person = await signedIn(t)
    const phone = await signInAgain(person.email, { 'user-agent': 'A phone' })
    const { data, next_cursor } = await list(person)
    expect(next_cursor).toBeNull()
    expect(data.map((session: { current: boolean }) => session.current)).toEqual([false, true])
    expect(data[0]).toEqual({
      id: expect.any(String),
      ip_address: '127.0.0.1',
      user_agent: 'A phone',
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expect.any(String),
      current: false,
    })
    expect((await list(phone)).data.map((session: { current: boolean }) => session.current)).toEqual([true, false])
    const first = await list(phone, '?limit=1')
    const second = await list(phone, `?limit=1&cursor=${first.next_cursor}`)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id))
  })

  test('403 for tokens', async () => {
    const owner = await withWorkspace(t)
    const token = await withToken(t, owner)
    expectProblem(await token.get('/api/v1/me/sessions'), 403, 'token_not_accepted')
    expectProblem(await token.delete('/api/v1/me/sessions'), 403, 'token_not_accepted')
  })
})

describe('DELETE /me/sessions', () => {
  test('204 ends one session at once and keeps the others', async () => {
    const person = await signedIn(t)
    const phone = await signInAgain(person.email)
    expectStatus(await phone.get('/api/v1/me'), 200)
    const { id } = (await list(person)).data[0]
    expectStatus(await person.delete(`/api/v1/me/sessions/${id}`), 204)
    expectProblem(await phone.get('/api/v1/me'), 401, 'unauthenticated')
    expectStatus(await person.get('/api/v1/me'), 200)
    expectProblem(await person.delete(`/api/v1/me/sessions/${id}`), 404, 'not_found')
    expect(await actionsOf(t, person.id)).toEqual(['user.signed_in', 'user.session_ended'])
  })

  test('404 for the session of another user, which stays valid', async () => {
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const { id } = (await list(other)).data[0]
    const foreign = await person.delete(`/api/v1/me/sessions/${id}`)
    expectProblem(foreign, 404, 'not_found')
    const nothing = await person.delete('/api/v1/me/sessions/019a0000-0000-7000-8000-000000000000')
    expect(withoutIds(foreign)).toEqual(withoutIds(nothing))
    expectStatus(await other.get('/api/v1/me'), 200)
  })

  test('204 ends all sessions except the current one', async () => {
    const person = await signedIn(t)
    const others = [await signInAgain(person.email), await signInAgain(person.email)]
    expectStatus(await person.delete('/api/v1/me/sessions'), 204)
    for (const other of others) expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    expect((await list(person)).data).toHaveLength(1)
  })
})
