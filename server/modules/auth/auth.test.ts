import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Answer } from '../../../test/client.ts'
import {
  expectStatus,
  PASSWORD,
  type Person,
  sessionCookie,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { requestCode, requestReset } from '../../../test/people.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'
import { hmac } from '../../lib/crypto/crypto.ts'
import { ensureConfiguredAdmin } from '../workspaces/setup.ts'
import { authSecret } from './better-auth/better-auth.ts'

let t: TestApp
/** A signed-in user, for tests where it does not matter who. */
let ada: Person
beforeAll(async () => {
  t = await testApp()
  ada = await signedIn(t)
})
afterAll(() => t.close())

const DAY = 86_400_000
const newAddress = () => `${randomBytes(5).toString('hex')}@example.com`
const signUp = (email: string, more: object = {}) =>
  t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...more })
const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
const verify = (email: string, otp: string, password?: string) =>
  t.anyone.post('/api/auth/email-otp/verify-email', { email, otp, password })
const resetPassword = (token: string, newPassword: string) =>
  t.anyone.post('/api/auth/reset-password', { token, newPassword })

const mailsTo = (email: string, app = t) =>
  app.deps.db.selectFrom('mail').selectAll().where('to_address', '=', email).orderBy('id').execute()
const lastMail = async (email: string, app = t) => {
  const mail = (await mailsTo(email, app)).at(-1)
  if (!mail) throw new Error(`no mail to ${email}`)
  return mail
}
const codeFor = async (email: string) => /\b\d{6}\b/.exec((await lastMail(email)).body_text)?.[0] ?? ''
const resetTokenFor = async (email: string) => /token=([\w-]+)/.exec((await lastMail(email)).body_text)?.[1] ?? ''
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const userOf = (email: string) =>
  t.deps.db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
const passwordOf = async (email: string) =>
  t.deps.db
    .selectFrom('credential')
    .select('password')
    .where('user_id', '=', (await userOf(email)).id)
    .execute()

describe('sign-up to sign-out', () => {
  test('a mailed code verifies the address, a cookie holds the session, and no response body contains the token', async () => {
    const email = newAddress()
    const answers: Answer[] = []
    const keep = (answer: Answer, status: number) => {
      answers.push(expectStatus(answer, status))
      return answer
    }
    expect(keep(await signUp(email), 200).body).toEqual({ user: { email, name: 'Ada' } })
    expect(await lastMail(email)).toMatchObject({ state: 'kept', key: 'signup-otp', locale: 'en', to_name: 'Ada' })
    const code = await codeFor(email)
    expect(code).toMatch(/^\d{6}$/)
    expectProblem(await verify(email, wrong(code)), 400, 'verification_failed')
    expect(keep(await verify(email, code), 200).body).toEqual({ status: true })
    expectProblem(await verify(email, code), 400, 'verification_failed')

    const signedIn = keep(await signIn(email), 200)
    const { id } = await userOf(email)
    expect(signedIn.body).toEqual({ user: { id, email, name: 'Ada', emailVerified: true } })
    expect(signedIn.headers.get('cache-control')).toBe('no-store')
    const [cookie, ...others] = signedIn.headers.getSetCookie()
    expect(others).toEqual([expect.stringMatching(/^meydan\.known_browser=/)])
    expect(cookie).toMatch(/^meydan\.session_token=[^;]+;/)
    expect(cookie).toMatch(/; HttpOnly(;|$)/i)
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/i)
    expect(cookie).toMatch(/; Path=\/(;|$)/i)

    const person = t.anyone.with({ cookie: sessionCookie(signedIn.headers) })
    keep(await person.get('/api/v1/me'), 200)
    const sessions = await t.deps.db.selectFrom('session').select('token').where('user_id', '=', id).execute()
    expect(sessions).toHaveLength(1)
    const signedOut = keep(await person.post('/api/auth/sign-out'), 200)
    expect(signedOut.headers.getSetCookie().join()).toMatch(/meydan\.session_token=;.*Max-Age=0/i)
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(sessions[0]?.token)
  })

  test('the cookie is Secure with the prefix __Secure- when Meydan is served over https', async () => {
    const secure = await testApp({ BASE_URL: 'https://meydan.test' })
    try {
      const person = await signedIn(secure)
      expectStatus(await person.get('/api/v1/me'), 200)
      const answer = await secure.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
      expect(answer.headers.getSetCookie().join()).toMatch(/^__Secure-meydan\.session_token=.*; Secure/)
    } finally {
      await secure.close()
    }
  })

  test('the letter case of an email address is ignored', async () => {
    const email = newAddress()
    expect(expectStatus(await signUp(email.toUpperCase()), 200).body.user.email).toBe(email)
    expectStatus(await verify(email.toUpperCase(), await codeFor(email)), 200)
    expectStatus(await signIn(email.toUpperCase()), 200)
  })

  test('a recipient whose locale is Turkish gets mails in Turkish, and others in English', async () => {
    for (const [locale, subject, greeting] of [
      ['tr', /^Meydan kodunuz: \d{6}$/, 'Merhaba Ada,'],
      ['tr-TR', /^Meydan kodunuz: \d{6}$/, 'Merhaba Ada,'],
      ['en', /^\d{6} is your Meydan code$/, 'Hello Ada,'],
      ['fr', /^\d{6} is your Meydan code$/, 'Hello Ada,'],
    ] as const) {
      const email = newAddress()
      expectStatus(await signUp(email, { locale }), 200)
      const mail = await lastMail(email)
      expect(mail.subject).toMatch(subject)
      expect(mail.body_text).toContain(greeting)
    }
  })

  test('a name is shown in mails as text, without markup or links, and the link of Meydan is the only one', async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { name: '<b>Eve</b> https://evil.example' }), 200)
    expect((await lastMail(email)).body_html).toContain('Hello &lt;b&gt;Eve&lt;/b&gt; https://evil.example,')
    expect((await lastMail(email)).body_html).not.toContain('<a ')
    await requestReset(t, email)
    expect((await lastMail(email)).body_html).toContain('<a href="http://meydan.test/reset-password?token=')
  })
})

describe('POST /api/auth/sign-up/email', () => {
  test('a sign-up with a known address gets the response of a new one and changes nothing', async () => {
    const verified = await signedIn(t)
    const before = [await userOf(verified.email), await passwordOf(verified.email)]
    const known = await signUp(verified.email, { password: 'another password', name: 'Eve', locale: 'tr' })
    const unknown = await signUp(newAddress(), { password: 'another password', name: 'Eve', locale: 'tr' })
    const comparable = ({ status, headers, body }: Answer) => ({
      status,
      headers: [...headers.keys()].filter((name) => name !== 'content-length'),
      body: { ...body, user: { ...body.user, email: '' } },
    })
    expect(comparable(known)).toEqual(comparable(unknown))
    expect([await userOf(verified.email), await passwordOf(verified.email)]).toEqual(before)
    expectProblem(await signIn(verified.email, 'another password'), 401, 'sign_in_failed')
  })

  test('a new sign-up replaces an unverified one, so that nobody can prepare an account for another person', async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { password: 'chosen by an intruder' }), 200)
    const old = await codeFor(email)
    expectStatus(await signUp(email, { password: 'chosen by the owner' }), 200)
    const code = await codeFor(email)
    if (code !== old) expectProblem(await verify(email, old), 400, 'verification_failed')
    // Either of the two may read the code. Without the password it is refused, and stays valid.
    expect(expectProblem(await verify(email, code), 400, 'verification_failed').detail).toContain('password')
    expectProblem(await signIn(email, 'chosen by the owner'), 403, 'email_not_verified')
    expectStatus(await verify(email, code, 'chosen by the owner'), 200)
    expectProblem(await signIn(email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(email, 'chosen by the owner'), 200)
  })

  test("verifying with the password of one's own sign-up discards a later sign-up of somebody else", async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { password: 'chosen by the owner' }), 200)
    expectStatus(await signUp(email, { password: 'chosen by an intruder' }), 200)
    const body = { email, otp: await codeFor(email), password: 'chosen by the owner' }
    expectStatus(await t.anyone.post('/api/auth/email-otp/verify-email', body), 200)
    expectProblem(await signIn(email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(email, 'chosen by the owner'), 200)
  })

  test('twenty concurrent sign-ups with one address create one user, and none fails', async () => {
    const email = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(email)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
    const users = await t.deps.db.selectFrom('user').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
    expect(await passwordOf(email)).toHaveLength(1)
    expectStatus(await verify(email, await codeFor(email), PASSWORD), 200)
  })

  test('more concurrent sign-ups than database connections leave connections for other requests', async () => {
    let answered = 0
    const signUps = Array.from({ length: 25 }, () => signUp(newAddress()).finally(() => answered++))
    expectStatus(await t.anyone.get('/readyz'), 200)
    expect(answered).toBeLessThan(25)
    for (const answer of await Promise.all(signUps)) expectStatus(answer, 200)
  })

  test.each([
    ['no body', undefined, ''],
    ['an empty body', {}, '/email'],
    ['a list', [], ''],
    ['null', null, ''],
    ['a missing password', { email: 'a@example.com', name: 'A' }, '/password'],
    ['a short password', { email: 'a@example.com', name: 'A', password: '123456789' }, '/password'],
    ['a long password', { email: 'a@example.com', name: 'A', password: 'x'.repeat(201) }, '/password'],
    ['a password of another type', { email: 'a@example.com', name: 'A', password: 1234567890 }, '/password'],
    ['an invalid address', { email: 'nobody', name: 'A', password: PASSWORD }, '/email'],
    ['two addresses', { email: 'a@example.com, b@example.com', name: 'A', password: PASSWORD }, '/email'],
    ['an address at an IP', { email: 'a@1.2.3.4', name: 'A', password: PASSWORD }, '/email'],
    ['an address with a rare character', { email: 'a!b@example.com', name: 'A', password: PASSWORD }, '/email'],
    [
      'a line break in the address',
      { email: 'a@example.com\r\nBcc: b@x.org', name: 'A', password: PASSWORD },
      '/email',
    ],
    ['a line break in the name', { email: 'a@example.com', name: 'A\r\nBcc: b@x.org', password: PASSWORD }, '/name'],
    ['a direction override in the name', { email: 'a@example.com', name: 'A\u202eadA', password: PASSWORD }, '/name'],
    ['a direction mark in the name', { email: 'a@example.com', name: 'A\u200f', password: PASSWORD }, '/name'],
    ['a direction isolate in the name', { email: 'a@example.com', name: '\u2067A\u2069', password: PASSWORD }, '/name'],
    ['a direction override in the address', { email: 'a\u202e@example.com', name: 'A', password: PASSWORD }, '/email'],
    ['a direction isolate in the domain', { email: 'a@exa\u2066mple.com', name: 'A', password: PASSWORD }, '/email'],
    ['a blank name', { email: 'a@example.com', name: '  ', password: PASSWORD }, '/name'],
    ['an invalid locale', { email: 'a@example.com', name: 'A', password: PASSWORD, locale: 'tr_TR!' }, '/locale'],
    [
      'a locale that is not a language tag',
      { email: 'a@example.com', name: 'A', password: PASSWORD, locale: 'zz-ZZ-zz' },
      '/locale',
    ],
    ['an unknown field', { email: 'a@example.com', name: 'A', password: PASSWORD, role: 'x' }, '/role'],
    [
      'a field of better-auth',
      { email: 'a@x.com', name: 'A', password: PASSWORD, emailVerified: true },
      '/emailVerified',
    ],
    ['NUL', { email: 'a@example.com', name: 'A\0', password: PASSWORD }, '/name'],
    ['an unpaired surrogate', { email: 'a@example.com', name: 'A\ud800', password: PASSWORD }, '/name'],
  ])('400 for %s, with its pointer', async (_, body, pointer) => {
    expectProblem(await t.anyone.post('/api/auth/sign-up/email', body), 400, 'validation_failed', pointer)
  })

  test('the maximum length of a password counts characters, not bytes', async () => {
    const email = newAddress()
    const password = '🗝'.repeat(200)
    expectStatus(await signUp(email, { password }), 200)
    expectStatus(await verify(email, await codeFor(email)), 200)
    expectStatus(await signIn(email, password), 200)
  })
})

describe('POST /api/auth/email-otp/verify-email', () => {
  test('the fourth guess of a code is rejected, right or wrong', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const code = await codeFor(email)
    for (let guess = 0; guess < 3; guess++) expectProblem(await verify(email, wrong(code)), 400, 'verification_failed')
    expectProblem(await verify(email, code), 400, 'verification_failed')
    expect((await userOf(email)).email_verified).toBe(false)
  })

  test('of 200 concurrent guesses of a code at most three are checked', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const code = await codeFor(email)
    const many = Promise.withResolvers<void>()
    let answered = 0
    const guesses = Array.from({ length: 199 }, async () => {
      const answer = await verify(email, wrong(code))
      if (++answered === 50) many.resolve()
      return answer
    })
    await many.promise
    guesses.push(verify(email, code))
    for (const answer of await Promise.all(guesses)) expectProblem(answer, 400, 'verification_failed')
    expect((await userOf(email)).email_verified).toBe(false)
  })

  test('a new code replaces the former one, which is rejected', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const former = await codeFor(email)
    expect((await requestCode(t, email)).body).toEqual({ success: true })
    expect(await mailsTo(email)).toHaveLength(2)
    const code = await codeFor(email)
    if (code !== former) expectProblem(await verify(email, former), 400, 'verification_failed')
    expectStatus(await verify(email, code), 200)
  })

  test('requesting a code for an address without an account gets the same response and sends no mail', async () => {
    const email = newAddress()
    expect((await requestCode(t, email)).body).toEqual({ success: true })
    expect(await mailsTo(email)).toEqual([])
    expectProblem(await verify(email, '123456'), 400, 'verification_failed')
  })

  test('400 for a code of any purpose other than verifying the address', async () => {
    const body = { email: newAddress(), type: 'sign-in' }
    const answer = await t.anyone.post('/api/auth/email-otp/send-verification-otp', body)
    expectProblem(answer, 400, 'validation_failed', '/type')
  })

  test.each(['12345', '1234567', '12345a', '١٢٣٤٥٦', 123456])('400 for the code %j', async (otp) => {
    const answer = await t.anyone.post('/api/auth/email-otp/verify-email', { email: newAddress(), otp })
    expectProblem(answer, 400, 'validation_failed', '/otp')
  })
})

describe('POST /api/auth/sign-in/email', () => {
  test('403 email_not_verified before the address is verified, and only with the right password', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    expectProblem(await signIn(email), 403, 'email_not_verified')
    expectProblem(await signIn(email, 'a wrong password'), 401, 'sign_in_failed')
  })

  test('a wrong password and an unknown address get the same response', async () => {
    const { email } = ada
    const known = await signIn(email, 'a wrong password')
    expectProblem(known, 401, 'sign_in_failed')
    const unknown = await signIn(newAddress(), 'a wrong password')
    expect(withoutIds(unknown)).toEqual(withoutIds(known))
    expect(unknown.headers.getSetCookie()).toEqual([])
  })

  test('400 for a redirect in the request', async () => {
    const { email } = ada
    const body = { email, password: PASSWORD, callbackURL: 'https://evil.example' }
    const answer = await t.anyone.post('/api/auth/sign-in/email', body)
    expectProblem(answer, 400, 'validation_failed', '/callbackURL')
  })
})

describe('POST /api/auth/reset-password', () => {
  test('200 sets a new password once and ends all sessions, and the former password is rejected', async () => {
    const person = await signedIn(t)
    const other = t.anyone.with({ cookie: sessionCookie((await signIn(person.email)).headers) })
    expect((await requestReset(t, person.email)).body).toEqual({ status: true })
    expect(await lastMail(person.email)).toMatchObject({ key: 'password-reset', state: 'kept' })
    expect((await lastMail(person.email)).body_text).toContain('http://meydan.test/reset-password?token=')
    const token = await resetTokenFor(person.email)
    expectStatus(await person.get('/api/v1/me'), 200)

    expectProblem(await resetPassword(token, 'short'), 400, 'validation_failed', '/newPassword')
    expect(expectStatus(await resetPassword(token, 'a brand new password'), 200).body).toEqual({ status: true })
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await signIn(person.email), 401, 'sign_in_failed')
    expectStatus(await signIn(person.email, 'a brand new password'), 200)
    expectProblem(await resetPassword(token, 'yet another password'), 400, 'verification_failed')
    expectStatus(await signIn(person.email, 'a brand new password'), 200)
  })

  test('one of ten concurrent uses of a reset link succeeds', async () => {
    const person = await signedIn(t)
    await requestReset(t, person.email)
    const token = await resetTokenFor(person.email)
    const passwords = Array.from({ length: 10 }, (_, index) => `new password number ${index}`)
    const answers = await Promise.all(passwords.map((password) => resetPassword(token, password)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(400)])
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)] ?? ''
    expectStatus(await signIn(person.email, winner), 200)
  })

  test('requesting a reset for an unknown address gets the same response and sends no mail', async () => {
    const [known, email] = [await requestReset(t, ada.email), newAddress()]
    const unknown = await requestReset(t, email)
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await mailsTo(email)).toEqual([])
  })

  test('400 for a token that was never issued', async () => {
    expectProblem(await resetPassword('x'.repeat(24), 'a brand new password'), 400, 'verification_failed')
    expectProblem(await resetPassword('../../x', 'a brand new password'), 400, 'validation_failed', '/token')
  })
})

describe('sessions', () => {
  test('signing out ends only this session, and is no error without one', async () => {
    const person = await signedIn(t)
    const other = t.anyone.with({ cookie: sessionCookie((await signIn(person.email)).headers) })
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

describe('requests from another site', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['the same host on another port', { origin: 'http://meydan.test:81' }],
    ['the same host with another scheme', { origin: 'https://meydan.test' }],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site cross-site from its own origin', { 'sec-fetch-site': 'cross-site', origin: 'http://meydan.test' }],
  ])('403 cross_origin for %s', async (_, headers: Record<string, string>) => {
    const signIn = { email: ada.email, password: PASSWORD }
    expectProblem(await t.anyone.post('/api/auth/sign-in/email', signIn, headers), 403, 'cross_origin')
    expectProblem(await ada.post('/api/auth/sign-out', undefined, headers), 403, 'cross_origin')
    expectProblem(await ada.patch('/api/v1/me', { name: 'Eve' }, headers), 403, 'cross_origin')
    expectStatus(await ada.get('/api/v1/me', headers), 200)
  })

  test.each([
    ['no browser headers', () => ({})],
    ['the origin of the called address', () => ({ origin: t.url })],
    ['the origin of BASE_URL', () => ({ origin: 'http://meydan.test' })],
    ['Sec-Fetch-Site same-origin', () => ({ 'sec-fetch-site': 'same-origin', origin: 'http://whatever.test' })],
    ['Sec-Fetch-Site none', () => ({ 'sec-fetch-site': 'none' })],
  ])('a request with %s is accepted', async (_, headers) => {
    const signIn = { email: ada.email, password: PASSWORD }
    expectStatus(await t.anyone.post('/api/auth/sign-in/email', signIn, headers()), 200)
    expectStatus(await ada.patch('/api/v1/me', { name: 'Ada' }, headers()), 200)
  })
})

describe('routes under /api/auth', () => {
  test.each([
    'sign-in/email',
    'sign-up/email',
    'sign-out',
    'email-otp/send-verification-otp',
    'email-otp/verify-email',
    'request-password-reset',
    'reset-password',
  ])('%s gets a problem document for malformed input', async (authRoute) => {
    const path = `/api/auth/${authRoute}`
    const text = (body: string, type = 'application/json') =>
      t.anyone.call('POST', path, { body, headers: { 'content-type': type } })
    expectProblem(await text('{"email":'), 400, 'malformed_json')
    expectProblem(
      await text('email=a%40example.com', 'application/x-www-form-urlencoded'),
      415,
      'unsupported_media_type',
    )
    expectProblem(await text('"text"'), 400, 'validation_failed', '')
    expectProblem(await text('{"email":"a\\u0000@example.com"}'), 400, 'validation_failed', '/email')
    expectProblem(await text('{"no":1}'), 400, 'validation_failed', '/no')
    const wrongMethod = await t.anyone.get(path)
    expectProblem(wrongMethod, 405, 'method_not_allowed')
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  })

  test.each([
    'GET get-session',
    'GET list-sessions',
    'GET ok',
    'GET error',
    'GET verify-email?token=x',
    'GET reset-password/x?callbackURL=/',
    'POST update-user',
    'POST change-email',
    'POST change-password',
    'POST delete-user',
    'POST sign-in/social',
    'POST sign-in/email-otp',
    'POST email-otp/check-verification-otp',
    'POST email-otp/reset-password',
    'POST verify-password',
  ])('404 for the route of better-auth %s', async (authRoute) => {
    const [method = '', path] = authRoute.split(' ')
    expectProblem(await ada.call(method, `/api/auth/${path}`, {}), 404, 'not_found')
  })
})

describe('GET /me', () => {
  test('200 returns exactly the public fields', async () => {
    const person = await signedIn(t)
    const { body } = expectStatus(await person.get('/api/v1/me'), 200)
    expect(body).toEqual({
      id: person.id,
      email: person.email,
      name: 'Ada',
      locale: 'en',
      timezone: 'UTC',
      is_instance_admin: false,
      two_factor_enabled: false,
      mail_post_failures: true,
      workspace_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await (await signedIn(t, { instanceAdmin: true })).get('/api/v1/me')).body.is_instance_admin).toBe(true)
  })

  test('200 with a token without scopes, 403 with a token that has scopes', async () => {
    const owner = await withWorkspace(t)
    expect((await (await withToken(t, owner)).get('/api/v1/me')).body.id).toBe(owner.id)
    expectProblem(await (await withToken(t, owner, ['posts:read'])).get('/api/v1/me'), 403, 'token_not_accepted')
  })

  test('401 without credentials', async () => {
    expectProblem(await t.anyone.get('/api/v1/me'), 401, 'unauthenticated')
  })
})

describe('PATCH /me', () => {
  test('200 changes name, locale, time zone and workspace, and nothing else', async () => {
    const owner = await withWorkspace(t)
    const before = (await owner.get('/api/v1/me')).body
    const change = {
      name: 'Ada Lovelace',
      locale: 'tr-TR',
      timezone: 'Europe/Istanbul',
      workspace_id: owner.workspace_id,
    }
    expect(expectStatus(await owner.patch('/api/v1/me', change), 200).body).toEqual({ ...before, ...change })
    expect((await owner.get('/api/v1/me')).body).toEqual({ ...before, ...change })
    expect(expectStatus(await owner.patch('/api/v1/me', { name: 'Ada' }), 200).body.locale).toBe('tr-TR')
  })

  test('a locale is stored in its canonical form, also at sign-up', async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { locale: 'zh-hant-tw' }), 200)
    expect(await t.deps.db.selectFrom('user').select('locale').where('email', '=', email).execute()).toEqual([
      { locale: 'zh-Hant-TW' },
    ])
    const person = await signedIn(t)
    expect(expectStatus(await person.patch('/api/v1/me', { locale: 'en-gb' }), 200).body.locale).toBe('en-GB')
  })

  test('400 for each invalid field, with its pointer', async () => {
    const stranger = await withWorkspace(t)
    for (const [body, pointer, code] of [
      [{}, '', 'validation_failed'],
      [{ name: '' }, '/name', 'validation_failed'],
      [{ name: 'x'.repeat(81) }, '/name', 'validation_failed'],
      [{ locale: 'turkish!' }, '/locale', 'validation_failed'],
      [{ locale: 'zz-ZZ-zz' }, '/locale', 'validation_failed'],
      [{ timezone: 'Mars/Olympus' }, '/timezone', 'validation_failed'],
      [{ timezone: '' }, '/timezone', 'validation_failed'],
      [{ timezone: '+03:00' }, '/timezone', 'validation_failed'],
      [{ workspace_id: 'not-an-id' }, '/workspace_id', 'validation_failed'],
      [{ workspace_id: stranger.workspace_id }, '/workspace_id', 'validation_failed'],
      [{ email: 'other@example.com' }, '/email', 'read_only'],
      [{ is_instance_admin: true }, '/is_instance_admin', 'read_only'],
      [{ nickname: 'x' }, '/nickname', 'validation_failed'],
      [{ name: 'A\udc00' }, '/name', 'validation_failed'],
    ] as const)
      expectProblem(await ada.patch('/api/v1/me', body), 400, code, pointer)
    expect((await ada.get('/api/v1/me')).body).toMatchObject({ name: 'Ada', email: ada.email })
  })

  test('403 with a token, 401 without credentials', async () => {
    const token = await withToken(t, await withWorkspace(t))
    expectProblem(await token.patch('/api/v1/me', { name: 'Eve' }), 403, 'token_not_accepted')
    expectProblem(await t.anyone.patch('/api/v1/me', { name: 'Eve' }), 401, 'unauthenticated')
  })
})

describe('the admin named by ADMIN_EMAIL', () => {
  const configured = (email: string) => ({
    ...t.deps,
    config: { ...t.deps.config, ADMIN_EMAIL: email, ADMIN_PASSWORD: 'password of the admin' },
  })

  test('the admin is created when no such user exists, and can sign in', async () => {
    const email = newAddress()
    await ensureConfiguredAdmin(configured(email))
    await ensureConfiguredAdmin(configured(email))
    expectStatus(await signIn(email, 'password of the admin'), 200)
    expect(await userOf(email)).toMatchObject({ is_instance_admin: true, email_verified: true })
  })

  test('a verified user becomes instance admin and keeps password and sessions', async () => {
    const person = await signedIn(t)
    await ensureConfiguredAdmin(configured(person.email))
    expect(expectStatus(await person.get('/api/v1/me'), 200).body.is_instance_admin).toBe(true)
    expectStatus(await signIn(person.email), 200)
    expectProblem(await signIn(person.email, 'password of the admin'), 401, 'sign_in_failed')
  })

  test('an unverified user becomes instance admin with this password and loses all sessions', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const { id } = await userOf(email)
    const session = { user_id: id, token: randomBytes(16).toString('hex'), expires_at: new Date(Date.now() + DAY) }
    await t.deps.db.insertInto('session').values(session).execute()
    await ensureConfiguredAdmin(configured(email))
    expect(await t.deps.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual([])
    expectProblem(await signIn(email), 401, 'sign_in_failed')
    expectStatus(await signIn(email, 'password of the admin'), 200)
    expect(await userOf(email)).toMatchObject({ id, is_instance_admin: true, email_verified: true })
  })

  test('nodes that start at the same time create the admin once', async () => {
    const email = newAddress()
    await Promise.all(Array.from({ length: 5 }, () => ensureConfiguredAdmin(configured(email))))
    expect(await passwordOf(email)).toHaveLength(1)
    expectStatus(await signIn(email, 'password of the admin'), 200)
  })
})

describe('mail through an SMTP server', () => {
  type Sent = { recipients: string[]; raw: string }
  const sent: Sent[] = []
  let refuse: string | undefined
  let mailing: TestApp
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuse === undefined ? null : Object.assign(new Error(refuse), { responseCode: 450 })),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        sent.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  const signUp = (email: string, name = 'Ada') =>
    mailing.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name })
  const sentTo = (email: string) => sent.filter(({ recipients }) => recipients.includes(email))
  /** Header fields of a message, with folded lines joined. */
  const headersOf = ({ raw }: Sent) => (raw.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const address = server.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    mailing = await testApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Meydan <post@meydan.test>' })
  })
  afterAll(async () => {
    await mailing.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('a mail is queued in the transaction of the sign-up and sent by a job', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const { subject, ...queued } = await lastMail(email, mailing)
    expect(queued).toMatchObject({ state: 'queued', sent_at: null })
    expect(sentTo(email)).toEqual([])
    await mailing.runJobs()
    const mail = await lastMail(email, mailing)
    expect(mail).toMatchObject({ state: 'sent', error: null, sent_at: mailing.clock.now() })
    await mailing.runJobs()
    const [message, ...more] = sentTo(email)
    expect(more).toEqual([])
    expect(message?.recipients).toEqual([email])
    expect(headersOf(message as Sent)).toEqual(
      expect.arrayContaining([
        `To: Ada <${email}>`,
        'From: Meydan <post@meydan.test>',
        `Subject: ${subject}`,
        `Message-ID: <${mail.id}@meydan.test>`,
      ]),
    )
  })

  test('a mail that the server rejects stays queued with the reason and is sent again', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    refuse = 'greylisted, come back later'
    await mailing.runJobs()
    expect(await lastMail(email, mailing)).toMatchObject({
      state: 'queued',
      error: expect.stringContaining('greylisted'),
    })
    refuse = undefined
    await mailing.runJobs()
    expect(sentTo(email)).toEqual([])
    await mailing.advance(60_000)
    await mailing.runJobs()
    expect(await lastMail(email, mailing)).toMatchObject({ state: 'sent', error: null })
    expect(sentTo(email)).toHaveLength(1)
  })

  test('a mail fails after ten rejected attempts', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    refuse = 'no such mailbox'
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect((await lastMail(email, mailing)).state).toBe('queued')
      await mailing.runJobs()
      await mailing.advance(DAY)
    }
    refuse = undefined
    expect(await lastMail(email, mailing)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no such mailbox'),
    })
    await mailing.advance(DAY)
    await mailing.runJobs()
    expect(sentTo(email)).toEqual([])
  })

  test.each([
    ['commas and brackets', 'Eve, <eve@evil.example>, Eve'],
    ['quotes', 'Eve" <eve@evil.example>, "x'],
    ['a backslash and a quote', 'Eve\\", eve@evil.example, "'],
    ['letters of other scripts', 'Şule "Ğ", eve@evil.example'],
    ['a comment', '(Eve) eve@evil.example ('],
  ])('a name with %s adds no recipient and no header', async (_, name) => {
    const email = newAddress()
    expectStatus(await signUp(email, name), 200)
    await mailing.runJobs()
    const [message] = sentTo(email)
    expect(message?.recipients).toEqual([email])
    const headers = headersOf(message as Sent)
    expect(headers.map((line) => line.split(':', 1)[0]?.toLowerCase()).sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    )
    const to = headers.find((line) => line.startsWith('To: ')) ?? ''
    // Outside of quotes and encoded words there is only the one address.
    const bare = to
      .slice(4)
      .replace(/"(\\.|[^"\\])*"/g, '')
      .replace(/=\?[^?]*\?[BQ]\?[^?]*\?=/gi, '')
    expect(bare.trim()).toBe(`<${email}>`)
  })
})
