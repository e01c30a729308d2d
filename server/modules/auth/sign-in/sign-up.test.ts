import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import type { ApiResponse } from '../../../../test/client.ts'
import { expectStatus, newAddress, PASSWORD, sessionCookie, signedIn } from '../../../../test/factories.ts'
import {
  lastMail,
  mailedCode,
  mailsTo,
  passwordOf,
  requestCode,
  requestReset,
  signIn,
  userOf,
  wrong,
} from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { askedScrypt } from '../../../../test/run/cheap-scrypt.ts'

const t = await testApp()

const signUp = (email: string, more: object = {}) =>
  t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...more })
const verify = (email: string, otp: string, password?: string) =>
  t.anyone.post('/api/auth/email-otp/verify-email', { email, otp, password })

describe('sign-up to sign-out', () => {
  test('a mailed code verifies the address, a cookie holds the session, and no response body contains the token', async () => {
    const email = newAddress()
    const responses: ApiResponse[] = []
    const keep = (response: ApiResponse, status: number) => {
      responses.push(expectStatus(response, status))
      return response
    }
    expect(keep(await signUp(email), 200).body).toEqual({ user: { email, name: 'Ada' } })
    expect(await lastMail(t, email)).toMatchObject({ state: 'kept', key: 'signup-otp', locale: 'en', to_name: 'Ada' })
    const code = await mailedCode(t, email)
    expect(code).toMatch(/^\d{6}$/)
    expectProblem(await verify(email, wrong(code)), 400, 'verification_failed')
    expect(keep(await verify(email, code), 200).body).toEqual({ status: true })
    expectProblem(await verify(email, code), 400, 'verification_failed')

    const signedIn = keep(await signIn(t, email), 200)
    const { id } = await userOf(t, email)
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
    for (const { body } of responses) expect(JSON.stringify(body)).not.toContain(sessions[0]?.token)
  })

  test('the cookie is Secure with the prefix __Secure- when Meydan is served over https', async () => {
    const secure = await testApp({ BASE_URL: 'https://meydan.test' })
    try {
      const person = await signedIn(secure)
      expectStatus(await person.get('/api/v1/me'), 200)
      const response = await secure.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
      expect(response.headers.getSetCookie().join()).toMatch(/^__Secure-meydan\.session_token=.*; Secure/)
    } finally {
      await secure.close()
    }
  })

  test('the letter case of an email address is ignored', async () => {
    const email = newAddress()
    expect(expectStatus(await signUp(email.toUpperCase()), 200).body.user.email).toBe(email)
    expectStatus(await verify(email.toUpperCase(), await mailedCode(t, email)), 200)
    expectStatus(await signIn(t, email.toUpperCase()), 200)
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
      const mail = await lastMail(t, email)
      expect(mail.subject).toMatch(subject)
      expect(mail.body_text).toContain(greeting)
    }
  })

  test('a name is shown in mails as text, without markup or links, and the link of Meydan is the only one', async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { name: '<b>Eve</b> https://evil.example' }), 200)
    expect((await lastMail(t, email)).body_html).toContain('Hello &lt;b&gt;Eve&lt;/b&gt; https://evil.example,')
    expect((await lastMail(t, email)).body_html).not.toContain('<a ')
    await requestReset(t, email)
    expect((await lastMail(t, email)).body_html).toContain('<a href="http://meydan.test/reset-password?token=')
  })
})

describe('POST /api/auth/sign-up/email', () => {
  test('each guess of a password takes 32 MiB of memory', async () => {
    expectStatus(await signUp(newAddress()), 200)
    expect(askedScrypt()).toMatchObject({ N: 2 ** 14, r: 16, p: 1 })
  })

  test('a sign-up with a known address gets the response of a new one and changes nothing', async () => {
    const verified = await signedIn(t)
    const before = [await userOf(t, verified.email), await passwordOf(t, verified.email)]
    const known = await signUp(verified.email, { password: 'another password', name: 'Eve', locale: 'tr' })
    const unknown = await signUp(newAddress(), { password: 'another password', name: 'Eve', locale: 'tr' })
    const comparable = ({ status, headers, body }: ApiResponse) => ({
      status,
      headers: [...headers.keys()].filter((name) => name !== 'content-length'),
      body: { ...body, user: { ...body.user, email: '' } },
    })
    expect(comparable(known)).toEqual(comparable(unknown))
    expect([await userOf(t, verified.email), await passwordOf(t, verified.email)]).toEqual(before)
    expectProblem(await signIn(t, verified.email, 'another password'), 401, 'sign_in_failed')
  })

  test('a new sign-up replaces an unverified one, so that nobody can prepare an account for another person', async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { password: 'chosen by an intruder' }), 200)
    const old = await mailedCode(t, email)
    expectStatus(await signUp(email, { password: 'chosen by the owner' }), 200)
    const code = await mailedCode(t, email)
    if (code !== old) expectProblem(await verify(email, old), 400, 'verification_failed')
    // Either of the two may read the code. Without the password it is refused, and stays valid.
    expect(expectProblem(await verify(email, code), 400, 'verification_failed').detail).toContain('password')
    expectProblem(await signIn(t, email, 'chosen by the owner'), 403, 'email_not_verified')
    expectStatus(await verify(email, code, 'chosen by the owner'), 200)
    expectProblem(await signIn(t, email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(t, email, 'chosen by the owner'), 200)
  })

  test("verifying with the password of one's own sign-up discards a later sign-up of somebody else", async () => {
    const email = newAddress()
    expectStatus(await signUp(email, { password: 'chosen by the owner' }), 200)
    expectStatus(await signUp(email, { password: 'chosen by an intruder' }), 200)
    const body = { email, otp: await mailedCode(t, email), password: 'chosen by the owner' }
    expectStatus(await t.anyone.post('/api/auth/email-otp/verify-email', body), 200)
    expectProblem(await signIn(t, email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(t, email, 'chosen by the owner'), 200)
  })

  test('twenty concurrent sign-ups with one address create one user, and none fails', async () => {
    const email = newAddress()
    const responses = await Promise.all(Array.from({ length: 20 }, () => signUp(email)))
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200))
    const users = await t.deps.db.selectFrom('user').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
    expect(await passwordOf(t, email)).toHaveLength(1)
    expectStatus(await verify(email, await mailedCode(t, email), PASSWORD), 200)
  })

  test('more concurrent sign-ups than database connections leave connections for other requests', async () => {
    let responded = 0
    const signUps = Array.from({ length: 25 }, () => signUp(newAddress()).finally(() => responded++))
    expectStatus(await t.anyone.get('/readyz'), 200)
    expect(responded).toBeLessThan(25)
    for (const response of await Promise.all(signUps)) expectStatus(response, 200)
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
    ['an address with a rare character', { email: 'a(b@example.com', name: 'A', password: PASSWORD }, '/email'],
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
    expectStatus(await verify(email, await mailedCode(t, email)), 200)
    expectStatus(await signIn(t, email, password), 200)
  })
})

describe('POST /api/auth/email-otp/verify-email', () => {
  test('the fourth guess of a code is rejected, right or wrong', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const code = await mailedCode(t, email)
    for (let guess = 0; guess < 3; guess++) expectProblem(await verify(email, wrong(code)), 400, 'verification_failed')
    expectProblem(await verify(email, code), 400, 'verification_failed')
    expect((await userOf(t, email)).email_verified).toBe(false)
  })

  test('of 200 concurrent guesses of a code at most three are checked', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const code = await mailedCode(t, email)
    const many = Promise.withResolvers<void>()
    let responded = 0
    const guesses = Array.from({ length: 199 }, async () => {
      const response = await verify(email, wrong(code))
      if (++responded === 50) many.resolve()
      return response
    })
    await many.promise
    guesses.push(verify(email, code))
    for (const response of await Promise.all(guesses)) expectProblem(response, 400, 'verification_failed')
    expect((await userOf(t, email)).email_verified).toBe(false)
  })

  test('a new code replaces the former one, which is rejected', async () => {
    const email = newAddress()
    expectStatus(await signUp(email), 200)
    const former = await mailedCode(t, email)
    expect((await requestCode(t, email)).body).toEqual({ success: true })
    expect(await mailsTo(t, email)).toHaveLength(2)
    const code = await mailedCode(t, email)
    if (code !== former) expectProblem(await verify(email, former), 400, 'verification_failed')
    expectStatus(await verify(email, code), 200)
  })

  test('requesting a code for an address without an account gets the same response and sends no mail', async () => {
    const email = newAddress()
    expect((await requestCode(t, email)).body).toEqual({ success: true })
    expect(await mailsTo(t, email)).toEqual([])
    expectProblem(await verify(email, '123456'), 400, 'verification_failed')
  })

  test('400 for a code of any purpose other than verifying the address', async () => {
    const body = { email: newAddress(), type: 'sign-in' }
    const response = await t.anyone.post('/api/auth/email-otp/send-verification-otp', body)
    expectProblem(response, 400, 'validation_failed', '/type')
  })

  test.each(['12345', '1234567', '12345a', '١٢٣٤٥٦', 123456])('400 for the code %j', async (otp) => {
    const response = await t.anyone.post('/api/auth/email-otp/verify-email', { email: newAddress(), otp })
    expectProblem(response, 400, 'validation_failed', '/otp')
  })
})
