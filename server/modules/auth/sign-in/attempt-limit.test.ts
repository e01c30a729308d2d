import { afterEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import type { ApiResponse, Client } from '../../../../test/client.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn } from '../../../../test/factories.ts'
import {
  challenged,
  mailedCode,
  mailedToken,
  mailsTo,
  requestEmailChange,
  signUp,
  totp,
  withCookies,
  wrong,
} from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { deleteExpiredAuthRows } from './attempt-limit.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NEW_PASSWORD = 'another good password'

let apps: TestApp[] = []
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()))
  apps = []
})
/** An instance behind a proxy: the header of a client says its address. */
async function limited(RATE_LIMIT_AUTH = '10') {
  const app = await testApp({ RATE_LIMIT_AUTH, TRUST_PROXY: 'true' })
  apps.push(app)
  return app
}
const ofIp = (ip: string) => ({ 'x-forwarded-for': ip })
const ip4 = (index: number) => `198.51.${Math.floor(index / 250)}.${index % 250}`
const signIn = (from: Client, email: string, password = 'a wrong guess') =>
  from.post('/api/auth/sign-in/email', { email, password })
const verify = (from: Client, email: string, otp = '123456') =>
  from.post('/api/auth/email-otp/verify-email', { email, otp })
const requestReset = (from: Client, email: string) => from.post('/api/auth/request-password-reset', { email })
const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status)
const repeat = async (times: number, call: (index: number) => Promise<ApiResponse>) => {
  const responses: ApiResponse[] = []
  for (let index = 0; index < times; index++) responses.push(await call(index))
  return responses
}
const count = (responses: ApiResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

describe('an address', () => {
  test('ten sign-ins a minute are checked for an address and a network, and other networks are not affected', async () => {
    const t = await limited()
    const { email } = await signedIn(t)
    const guesser = t.anyone.with(ofIp('198.51.100.1'))
    const guesses = await Promise.all(Array.from({ length: 60 }, () => signIn(guesser, email)))
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([10, 50])
    const refused = await signIn(guesser, email.toUpperCase(), PASSWORD)
    expectProblem(refused, 429, 'too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBe(60)
    expectStatus(await signIn(t.anyone.with(ofIp('203.0.113.9')), email, PASSWORD), 200)
    t.advance(MINUTE + 1)
    expectStatus(await signIn(guesser, email, PASSWORD), 200)
  })

  test('a network has thirty failures a day with an address, and sign-ins that succeed do not count', async () => {
    const t = await limited('2')
    const { email } = await signedIn(t)
    const from = t.anyone.with(ofIp('198.51.100.1'))
    const attempt = (password?: string) => {
      t.advance(MINUTE)
      return signIn(from, email, password)
    }
    expect(count(await repeat(8, () => attempt(PASSWORD)), 200)).toBe(8)
    expect(count(await repeat(6, () => attempt()), 401)).toBe(6)
    const refused = await attempt(PASSWORD)
    expectProblem(refused, 429, 'too_many_requests')
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=6;w=86400')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(DAY / 1000 - 30 * 60)
    t.advance(DAY)
    expectStatus(await attempt(PASSWORD), 200)
  })

  test('guesses from any number of networks are bounded by the minute and by the day', async () => {
    const t = await limited('1')
    const { email } = await signedIn(t)
    let ips = 0
    const guess = () => signIn(t.anyone.with(ofIp(ip4(++ips))), email)
    expect(statuses(await repeat(6, guess))).toEqual([401, 401, 401, 401, 401, 429])
    let checked = 5
    for (let minute = 0; minute < 8; minute++) {
      t.advance(MINUTE)
      checked += count(await repeat(5, guess), 401)
    }
    expect(checked).toBe(30)
    const refused = await guess()
    expectProblem(refused, 429, 'too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(DAY / 1000 - 20 * 60)
  })

  test('every response of a sign-in has the remaining limit', async () => {
    const t = await limited()
    const [from, email] = [t.anyone.with(ofIp('198.51.100.1')), newAddress()]
    const first = await signIn(from, email)
    expect(first.headers.get('ratelimit-policy')).toBe('"auth";q=10;w=60')
    expect(first.headers.get('ratelimit')).toBe('"auth";r=9;t=60')
    t.advance(20_000)
    for (const { headers } of await repeat(9, () => signIn(from, email)))
      expect(headers.get('ratelimit')).toMatch(/^"auth";r=\d;t=40$/)
    const refused = await signIn(from, email)
    expect(refused.headers.get('ratelimit')).toBe('"auth";r=0;t=40')
    expect(refused.headers.get('retry-after')).toBe('40')
  })
})

describe('a network', () => {
  test('an address counts whatever the client puts in front of it in X-Forwarded-For', async () => {
    const t = await limited('1')
    const responses = await repeat(7, (index) =>
      signIn(t.anyone.with(ofIp(`${ip4(index)}, 203.0.113.5`)), newAddress()),
    )
    expect(statuses(responses)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expectProblem(await signIn(t.anyone.with(ofIp('203.0.113.6')), newAddress()), 401, 'sign_in_failed')
  })

  test('an IPv6 /64 counts as one client, and its /48 has three times the limit of a /64', async () => {
    const t = await limited('1')
    const from = (ip: string) => signIn(t.anyone.with(ofIp(ip)), newAddress())
    const inOne = await repeat(6, (index) => from(`2001:db8:1:2::${index}`))
    expect(statuses(inOne)).toEqual([401, 401, 401, 401, 401, 429])
    // Calls beyond the limit of the /64 count for the /48 too.
    const inOthers = await repeat(12, (index) => from(`2001:db8:1:${index + 10}::1`))
    expect([count(inOthers, 401), count(inOthers, 429)]).toEqual([9, 3])
    expectProblem(await from('2001:db8:2:1::1'), 401, 'sign_in_failed')
    const mapped = ['::ffff:198.51.100.7', '198.51.100.7', '::ffff:c633:6407']
    const responses = await repeat(6, (index) => from(mapped[index % 3] ?? ''))
    expect(statuses(responses)).toEqual([401, 401, 401, 401, 401, 429])
  })
})

describe('nobody is locked out by others', () => {
  /** Uses up what all networks together may try with an address. */
  const exhaust = (t: TestApp, email: string) =>
    repeat(6, (index) => signIn(t.anyone.with(ofIp(ip4(100 + index))), email))
  const stranger = (t: TestApp) => t.anyone.with(ofIp('203.0.113.1'))

  test('the right password passes in a browser that signed in before, from any network, with limits of its own', async () => {
    const t = await limited('1')
    const { email } = await signedIn(t)
    const response = expectStatus(await signIn(stranger(t), email, PASSWORD), 200)
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('meydan.known_browser='))
    expect(cookie).toMatch(/; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Lax$/)
    await exhaust(t, email)
    t.advance(30_000)
    expectProblem(await signIn(t.anyone.with(ofIp('203.0.113.2')), email, PASSWORD), 429, 'too_many_requests')
    const known = withCookies(t, response).with(ofIp('203.0.113.2'))
    expectStatus(await signIn(known, email, PASSWORD), 200)
    expectProblem(await signIn(known, email), 429, 'too_many_requests')
    t.advance(30_000)
    for (let guess = 0; guess < 3; guess++) {
      t.advance(MINUTE)
      expectProblem(await signIn(known, email), 401, 'sign_in_failed')
    }
    t.advance(MINUTE)
    const refused = await signIn(known, email, PASSWORD)
    expect(Number(expectStatus(refused, 429).headers.get('retry-after'))).toBeGreaterThan(3600)
  })

  test('the cookie of a known browser is of no use for another account, altered, or after a new password', async () => {
    const t = await limited('1')
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const response = expectStatus(await signIn(stranger(t), person.email, PASSWORD), 200)
    const known = withCookies(t, response)
    await exhaust(t, other.email)
    expectProblem(await signIn(known.with(ofIp('203.0.113.2')), other.email, PASSWORD), 429, 'too_many_requests')
    await exhaust(t, person.email)
    const altered = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]?.replace(/=..../, '=AAAA'))
    const forged = t.anyone.with({ ...ofIp('203.0.113.2'), cookie: altered.join('; ') })
    expectProblem(await signIn(forged, person.email, PASSWORD), 429, 'too_many_requests')
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    const changed = expectStatus(await person.post('/api/v1/me/password', change), 204)
    expectProblem(await signIn(known.with(ofIp('203.0.113.3')), person.email, NEW_PASSWORD), 429, 'too_many_requests')
    // The browser in which the password was changed stays known.
    expectStatus(await signIn(withCookies(t, changed), person.email, NEW_PASSWORD), 200)
  })

  test('wrong sign-ins close neither the reset nor codes, and after a reset the new password passes', async () => {
    const t = await limited('1')
    const { email } = await signedIn(t)
    await exhaust(t, email)
    expectProblem(await signIn(stranger(t), email, PASSWORD), 429, 'too_many_requests')
    expectProblem(await verify(stranger(t), email), 400, 'verification_failed')
    expectStatus(await requestReset(stranger(t), email), 200)
    await t.runJobs()
    const reset = { token: await mailedToken(t, email), newPassword: NEW_PASSWORD }
    const response = expectStatus(await stranger(t).post('/api/auth/reset-password', reset), 200)
    expectStatus(await signIn(withCookies(t, response), email, NEW_PASSWORD), 200)
  })

  test('a second step makes the browser known too', async () => {
    const t = await limited('2')
    const person = await signedIn(t)
    const setUp = expectStatus(await person.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    expectStatus(await person.post('/api/v1/me/two-factor/confirm', { code: totp(setUp.body.totp_uri, -1) }), 200)
    const first = await signIn(stranger(t), person.email, PASSWORD)
    expect(expectStatus(first, 200).headers.getSetCookie().join()).not.toContain('known_browser')
    const code = totp(setUp.body.totp_uri)
    const second = await withCookies(t, first).post('/api/auth/two-factor/verify-totp', { code })
    expect(expectStatus(second, 200).headers.getSetCookie().join()).toContain('meydan.known_browser=')
  })
})

describe('codes and mails', () => {
  test('a mailed code can be guessed a few times a day from a network, and from all networks together', async () => {
    const t = await limited('2')
    const email = newAddress()
    let ips = 0
    const guessFrom = (ip: string) => () => {
      t.advance(MINUTE)
      return verify(t.anyone.with(ofIp(ip)), email)
    }
    expect(statuses(await repeat(4, guessFrom('203.0.113.1')))).toEqual([400, 400, 400, 429])
    const others = await repeat(12, () => guessFrom(ip4(++ips))())
    expect([count(others, 400), count(others, 429)]).toEqual([7, 5])
    const refused = await guessFrom(ip4(++ips))()
    expectProblem(refused, 429, 'too_many_requests')
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=10;w=86400')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  })

  test('the right code does not count as a guess', async () => {
    const t = await limited('1')
    const email = newAddress()
    await signUp(t, email)
    const code = await mailedCode(t, email)
    expectProblem(await verify(t.anyone, email, wrong(code)), 400, 'verification_failed')
    t.advance(MINUTE)
    expectStatus(await verify(t.anyone, email, code), 200)
    t.advance(MINUTE)
    expectProblem(await verify(t.anyone, email, code), 400, 'verification_failed')
    t.advance(MINUTE)
    expectProblem(await verify(t.anyone, email, code), 429, 'too_many_requests')
  })

  test('mails count for the mailbox: addresses with another tag, or other dots at Gmail, are the same one', async () => {
    const t = await limited('2')
    const name = newAddress().slice(0, 10)
    const requests = [`${name}@example.com`, `${name}+1@example.com`, `${name.toUpperCase()}+b+c@Example.com`]
    const responses = await repeat(3, (index) => requestReset(t.anyone, requests[index] ?? ''))
    expect(statuses(responses)).toEqual([200, 200, 429])
    expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"mail";q=2;w=3600')
    const atGmail = [
      `${name}@gmail.com`,
      `a+x@gmail.com`,
      `${name}+1@googlemail.com`,
      `${name.slice(0, 3)}.${name.slice(3)}@gmail.com`,
    ]
    expect(statuses(await repeat(4, (index) => requestReset(t.anyone, atGmail[index] ?? '')))).toEqual([
      200, 200, 200, 429,
    ])
    const code = (email: string) =>
      t.anyone.post('/api/auth/email-otp/send-verification-otp', { email, type: 'email-verification' })
    expect(statuses(await repeat(3, (index) => code(requests[index] ?? '')))).toEqual([200, 200, 429])
    // The account keeps the address as written.
    expectStatus(await requestReset(t.anyone.with(ofIp('203.0.113.1')), `${name}+1@example.com`), 200)
  })

  test('all networks together can have a mailbox mailed twenty times an hour, and a known browser still can', async () => {
    const t = await limited('1')
    const { email } = await signedIn(t)
    const known = withCookies(t, expectStatus(await signIn(t.anyone, email, PASSWORD), 200))
    const responses = await repeat(4, (index) => requestReset(t.anyone.with(ofIp(ip4(index))), email))
    expect(statuses(responses)).toEqual([200, 200, 429, 429])
    expectStatus(await requestReset(known.with(ofIp(ip4(9))), email), 200)
    t.advance(60 * MINUTE)
    expectStatus(await requestReset(t.anyone.with(ofIp(ip4(10))), email), 200)
    await t.runJobs()
    expect(await mailsTo(t, email)).toHaveLength(4)
  })

  test('a change of address has limits of its own for its codes, and mails a stranger only so often', async () => {
    const t = await limited('1')
    const person = await signedIn(t)
    const to = newAddress()
    await requestEmailChange(person, to)
    const confirm = { old_code: '000000', new_code: '000000' }
    for (let guess = 0; guess < 5; guess++) {
      expectProblem(await person.post('/api/v1/me/email/confirm', confirm), 400, 'code_rejected')
      expectProblem(await person.post('/api/v1/me/email/confirm', confirm), 429, 'too_many_requests')
      t.advance(MINUTE)
    }
    const refused = await person.post('/api/v1/me/email/confirm', confirm)
    expect(Number(expectStatus(refused, 429).headers.get('retry-after'))).toBeGreaterThan(80_000)
    const again = await person.post('/api/v1/me/email', { email: to.replace('@', '+1@'), password: PASSWORD })
    expectProblem(again, 429, 'too_many_requests')
    expect(again.headers.get('ratelimit-policy')).toBe('"auth";q=1;w=60, "mail";q=1;w=3600')
  })
})

describe('a signed-in user', () => {
  test("attempts with a user's password or code count for that user, whatever the IP", async () => {
    const t = await limited()
    let ips = 0
    const newIp = () => ofIp(ip4(++ips))
    const person: Person = await signedIn(t)
    const refused = { password: 'not the password' }
    const routes = [
      () => person.post('/api/v1/me/password', { current_password: 'wrong', new_password: PASSWORD }, newIp()),
      () => person.post('/api/v1/me/email', { email: newAddress(), ...refused }, newIp()),
      () => person.post('/api/v1/me/two-factor', refused, newIp()),
      () => person.call('DELETE', '/api/v1/me', { body: refused, headers: newIp() }),
    ]
    const responses = await repeat(12, async (index) => expectResponse(await routes[index % routes.length]?.()))
    expect(statuses(responses)).toEqual([...Array(10).fill(403), 429, 429])
    expect(responses[0]?.headers.get('ratelimit')).toMatch(/"auth";r=9;t=\d+$/)

    t.advance(MINUTE + 1)
    const setUp = expectStatus(await person.post('/api/v1/me/two-factor', { password: PASSWORD }, newIp()), 200)
    const code = totp(setUp.body.totp_uri, -1)
    expectStatus(await person.post('/api/v1/me/two-factor/confirm', { code }, newIp()), 200)
    t.advance(MINUTE + 1)
    const browsers = [await challenged(t, person.email, newIp()), await challenged(t, person.email, newIp())]
    const guess = { code: totp(setUp.body.totp_uri, 0) === '000000' ? '000001' : '000000' }
    const guesses = await repeat(12, async (index) =>
      expectResponse(await browsers[index % 2]?.post('/api/auth/two-factor/verify-totp', guess, newIp())),
    )
    expect(statuses(guesses)).toEqual([...Array(10).fill(400), 429, 429])
  })

  test('a stolen session has a hundred guesses a day at the password', async () => {
    const t = await limited('1')
    const person = await signedIn(t)
    const body = { current_password: 'wrong', new_password: PASSWORD }
    const responses = await repeat(11, () => {
      t.advance(MINUTE)
      return person.post('/api/v1/me/password', body)
    })
    expect(statuses(responses)).toEqual([...Array(10).fill(403), 429])
  })

  test('a refusal is stored for its Idempotency-Key, and the attempt still counts', async () => {
    const t = await limited()
    const person = await signedIn(t)
    const body = { current_password: 'not the password', new_password: PASSWORD }
    const key = { 'idempotency-key': 'once' }
    expectProblem(await person.post('/api/v1/me/password', body, key), 403, 'password_wrong')
    const second = await person.post('/api/v1/me/password', body)
    expect(second.headers.get('ratelimit')).toMatch(/"auth";r=8;/)
  })
})

test('counts are kept until their windows end, and deleted afterwards', async () => {
  const t = await limited()
  expectProblem(await signIn(t.anyone, newAddress()), 401, 'sign_in_failed')
  const rows = async () => (await t.deps.db.selectFrom('auth_attempt').select('key').execute()).length
  expect(await rows()).toBe(6)
  await deleteExpiredAuthRows(t.deps.db, new Date(t.clock.now().getTime() + 2 * MINUTE))
  expect(await rows()).toBe(3)
  await deleteExpiredAuthRows(t.deps.db, new Date(t.clock.now().getTime() + DAY + 1))
  expect(await rows()).toBe(0)
})

function expectResponse(response: ApiResponse | undefined) {
  if (!response) throw new Error('no call was made')
  return response
}
