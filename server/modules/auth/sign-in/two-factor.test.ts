import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  PASSWORD,
  sessionCookie,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { auditOf, challenged, totp, withCookies, withTwoFactor, wrong } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

type Caller = { post: TestApp['anyone']['post'] }
const byTotp = (client: Caller, code: string, more: object = {}) =>
  client.post('/api/auth/two-factor/verify-totp', { code, ...more })
const byBackupCode = (client: Caller, code: string) => client.post('/api/auth/two-factor/verify-backup-code', { code })
const signIn = (email: string) => t.anyone.post('/api/auth/sign-in/email', { email, password: PASSWORD })
const factorOf = (user_id: string) =>
  t.deps.db.selectFrom('two_factor').selectAll().where('user_id', '=', user_id).executeTakeFirst()
const sessionsOf = (user_id: string) =>
  t.deps.db.selectFrom('session').select(['id', 'token']).where('user_id', '=', user_id).execute()

describe('turning on two-factor sign-in', () => {
  test('turning it on requires the password and a code, and keeps this session and all others', async () => {
    const before = await signedIn(t)
    const other = withCookies(t, expectStatus(await signIn(before.email), 200))
    const setUp = expectStatus(await before.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    const uri = new URL(setUp.body.totp_uri)
    expect(decodeURIComponent(uri.pathname)).toContain(`Meydan:${before.email}`)
    expect(uri.searchParams.get('issuer')).toBe('Meydan')
    expect(new Set(setUp.body.backup_codes).size).toBe(10)
    for (const code of setUp.body.backup_codes) expect(code).toMatch(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/)

    // It is off until it is confirmed.
    expect((await before.get('/api/v1/me')).body.two_factor_enabled).toBe(false)
    expect(expectStatus(await signIn(before.email), 200).body.user.id).toBe(before.id)
    const code = totp(setUp.body.totp_uri)
    expectProblem(await before.post('/api/v1/me/two-factor/confirm', { code: wrong(code, 7) }), 400, 'code_rejected')
    const confirmed = expectStatus(await before.post('/api/v1/me/two-factor/confirm', { code }), 200)
    expect(confirmed.body).toMatchObject({ id: before.id, two_factor_enabled: true })
    expect(confirmed.headers.get('etag')).toMatch(/^"\d+"$/)
    const person = withCookies(t, confirmed)
    expect(expectStatus(await person.get('/api/v1/me'), 200).body.two_factor_enabled).toBe(true)
    expectStatus(await other.get('/api/v1/me'), 200)
    expectProblem(await before.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await person.post('/api/v1/me/two-factor/confirm', { code }), 409, 'two_factor_on')
    expectProblem(await person.post('/api/v1/me/two-factor', { password: PASSWORD }), 409, 'two_factor_on')
  })

  test('the secret and the backup codes are stored encrypted, and no later response contains them', async () => {
    const { person, uri, backupCodes } = await withTwoFactor(t, await signedIn(t))
    const row = JSON.stringify(await factorOf(person.id))
    expect(row).not.toContain(backupCodes[0])
    expect(row).not.toContain(new URL(uri).searchParams.get('secret'))
    const responses = [await person.get('/api/v1/me'), await person.get('/api/v1/me/export')]
    for (const { body } of responses) expect(JSON.stringify(body)).not.toMatch(/otpauth|[A-Za-z0-9]{5}-[A-Za-z0-9]{5}"/)
  })

  test('403 for a wrong password, 409 before the set-up, 403 for a token', async () => {
    const person = await withWorkspace(t)
    expectProblem(await person.post('/api/v1/me/two-factor', { password: 'not the password' }), 403, 'password_wrong')
    expect(await factorOf(person.id)).toBeUndefined()
    expectProblem(await person.post('/api/v1/me/two-factor/confirm', { code: '123456' }), 409, 'two_factor_off')
    expectProblem(
      await person.call('DELETE', '/api/v1/me/two-factor', { body: { password: PASSWORD } }),
      409,
      'two_factor_off',
    )
    const renew = '/api/v1/me/two-factor/backup-codes'
    expectProblem(await person.post(renew, { password: PASSWORD }), 409, 'two_factor_off')
    const token = await withToken(t, person)
    expectProblem(await token.post('/api/v1/me/two-factor', { password: PASSWORD }), 403, 'token_not_accepted')
  })
})

describe('signing in with two factors', () => {
  test('the password opens only a challenge, and the code opens the session', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const before = await sessionsOf(person.id)
    const browser = await challenged(t, person.email)
    expect(await sessionsOf(person.id)).toEqual(before)
    expectProblem(await browser.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await byTotp(browser, wrong(totp(uri), 7)), 400, 'code_rejected')
    const signedIn_ = expectStatus(await byTotp(browser, totp(uri)), 200)
    expect(signedIn_.body).toEqual({
      user: { id: person.id, email: person.email, name: 'Ada', emailVerified: true },
    })
    expect(signedIn_.headers.get('cache-control')).toBe('no-store')
    expectStatus(await withCookies(t, signedIn_).get('/api/v1/me'), 200)
    // The challenge is spent.
    expect(expectProblem(await byTotp(browser, totp(uri, 1)), 400, 'code_rejected').state).toBe('ended')
  })

  test('a code is accepted once, for any challenge, and invalidates all earlier codes', async () => {
    const { person, uri, spent } = await withTwoFactor(t, await signedIn(t))
    expectProblem(await byTotp(await challenged(t, person.email), spent), 400, 'code_rejected')
    const code = totp(uri)
    expectStatus(await byTotp(await challenged(t, person.email), code), 200)
    const before = await sessionsOf(person.id)
    expectProblem(await byTotp(await challenged(t, person.email), code), 400, 'code_rejected')
    expectProblem(await byTotp(await challenged(t, person.email), totp(uri, -1)), 400, 'code_rejected')
    expect(await sessionsOf(person.id)).toEqual(before)
    expectStatus(await byTotp(await challenged(t, person.email), totp(uri, 1)), 200)
  })

  test('one of ten concurrent uses of a code succeeds, each with its own challenge', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const browsers = await Promise.all(Array.from({ length: 10 }, () => challenged(t, person.email)))
    const code = totp(uri)
    const responses = await Promise.all(browsers.map((browser) => byTotp(browser, code)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
  })

  test('of 200 concurrent wrong codes five are checked, and then the right one is rejected too', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const before = await sessionsOf(person.id)
    const browser = await challenged(t, person.email)
    const code = totp(uri)
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => byTotp(browser, wrong(code, index + 7))),
    )
    for (const response of responses) expectProblem(response, 400, 'code_rejected')
    expect((await factorOf(person.id))?.failed_verification_count).toBe(5)
    expect(expectProblem(await byTotp(browser, code), 400, 'code_rejected').state).toBe('ended')
    expect(await sessionsOf(person.id)).toEqual(before)
  })

  test('ten wrong codes over several challenges lock the account for 15 minutes', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const browsers = await Promise.all(Array.from({ length: 8 }, () => challenged(t, person.email)))
    const code = totp(uri)
    const responses = await Promise.all(
      browsers.flatMap((browser) => Array.from({ length: 10 }, (_, index) => byTotp(browser, wrong(code, index + 7)))),
    )
    for (const response of responses) expect([400, 429]).toContain(response.status)
    expect((await factorOf(person.id))?.failed_verification_count).toBe(10)
    const late = await byTotp(await challenged(t, person.email), totp(uri, 1))
    expectProblem(late, 429, 'too_many_requests')
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(800)
    const lateBackup = await byBackupCode(await challenged(t, person.email), 'aaaaa-bbbbb')
    expectProblem(lateBackup, 429, 'too_many_requests')
  })

  test('the session of another user beside the challenge changes neither the checked user nor the limit', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const eve = await signedIn(t, { name: 'Eve' })
    const setUp = expectStatus(await eve.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    const confirm = { code: totp(setUp.body.totp_uri, -1) }
    const session = sessionCookie(expectStatus(await eve.post('/api/v1/me/two-factor/confirm', confirm), 200).headers)
    const response = await t.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
    const challenge = response.headers.getSetCookie().find((cookie) => cookie.startsWith('meydan.two_factor='))
    const both = t.anyone.with({ cookie: `${challenge?.split(';', 1)[0]}; ${session}` })
    expectProblem(await byTotp(both, totp(setUp.body.totp_uri)), 400, 'code_rejected')
    expect(expectStatus(await byTotp(both, totp(uri)), 200).body.user.id).toBe(person.id)
    // A session alone has nothing to verify.
    const alone = t.anyone.with({ cookie: session })
    expect(expectProblem(await byTotp(alone, totp(setUp.body.totp_uri, 1)), 400, 'code_rejected').state).toBe('ended')
  })

  test('a trusted browser needs no code until two-factor sign-in is turned off or the password changes', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const trusted = expectStatus(await byTotp(await challenged(t, person.email), totp(uri), { trustDevice: true }), 200)
    const device = trusted.headers.getSetCookie().find((cookie) => cookie.startsWith('meydan.trust_device='))
    expect(device).toMatch(/HttpOnly/i)
    const again = await t.anyone.post(
      '/api/auth/sign-in/email',
      { email: person.email, password: PASSWORD },
      { cookie: device?.split(';', 1)[0] ?? '' },
    )
    expect(expectStatus(again, 200).body.user.id).toBe(person.id)
    const renewed = again.headers.getSetCookie().find((cookie) => cookie.startsWith('meydan.trust_device='))
    const change = { current_password: PASSWORD, new_password: 'another good password' }
    expectStatus(await person.post('/api/v1/me/password', change), 204)
    const after = await t.anyone.post(
      '/api/auth/sign-in/email',
      { email: person.email, password: 'another good password' },
      { cookie: renewed?.split(';', 1)[0] ?? '' },
    )
    expect(expectStatus(after, 200).body).toEqual({ two_factor_required: true })
  })

  test('400 for malformed codes, before the challenge is checked', async () => {
    for (const code of ['12345', 'abcdef', 123456])
      expectProblem(await byTotp(t.anyone, code as string), 400, 'validation_failed', '/code')
    expectProblem(await byBackupCode(t.anyone, '123456'), 400, 'validation_failed', '/code')
    expect(expectProblem(await byTotp(t.anyone, '123456'), 400, 'code_rejected').state).toBe('ended')
  })
})

describe('backup codes', () => {
  test('each backup code signs in once, also with ten concurrent uses', async () => {
    const { person, backupCodes } = await withTwoFactor(t, await signedIn(t))
    const [first = '', second = ''] = backupCodes
    expectStatus(await byBackupCode(await challenged(t, person.email), first), 200)
    expectProblem(await byBackupCode(await challenged(t, person.email), first), 400, 'code_rejected')
    const browsers = await Promise.all(Array.from({ length: 10 }, () => challenged(t, person.email)))
    const responses = await Promise.all(browsers.map((browser) => byBackupCode(browser, second)))
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    for (const response of responses) expect([200, 400]).toContain(response.status)
  })

  test('of 200 concurrent wrong backup codes five are checked', async () => {
    const { person, backupCodes } = await withTwoFactor(t, await signedIn(t))
    const browser = await challenged(t, person.email)
    const responses = await Promise.all(Array.from({ length: 200 }, () => byBackupCode(browser, 'aaaaa-bbbbb')))
    for (const response of responses) expectProblem(response, 400, 'code_rejected')
    expect((await factorOf(person.id))?.failed_verification_count).toBe(5)
    expectProblem(await byBackupCode(browser, backupCodes[0] ?? ''), 400, 'code_rejected')
  })

  test('new backup codes replace all former ones', async () => {
    const { person, backupCodes } = await withTwoFactor(t, await signedIn(t))
    const path = '/api/v1/me/two-factor/backup-codes'
    expectProblem(await person.post(path, { password: 'not the password' }), 403, 'password_wrong')
    const { body } = expectStatus(await person.post(path, { password: PASSWORD }), 200)
    expect(body.backup_codes).toHaveLength(10)
    expectProblem(await byBackupCode(await challenged(t, person.email), backupCodes[0] ?? ''), 400, 'code_rejected')
    expectStatus(await byBackupCode(await challenged(t, person.email), body.backup_codes[0]), 200)
  })
})

describe('turning off two-factor sign-in', () => {
  test('turning it off requires the password, and then the password alone signs in', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const waiting = await challenged(t, person.email)
    const off = (password: string) => person.call('DELETE', '/api/v1/me/two-factor', { body: { password } })
    expectProblem(await off('not the password'), 403, 'password_wrong')
    expect((await person.get('/api/v1/me')).body.two_factor_enabled).toBe(true)
    const response = expectStatus(await off(PASSWORD), 204)
    expect((await withCookies(t, response).get('/api/v1/me')).body.two_factor_enabled).toBe(false)
    expect(await factorOf(person.id)).toBeUndefined()
    expectProblem(await byTotp(waiting, totp(uri)), 400, 'code_rejected')
    expect(expectStatus(await signIn(person.email), 200).body.user.id).toBe(person.id)
  })
})

test('the audit log records each step with its method and without a code', async () => {
  const { person, uri, backupCodes } = await withTwoFactor(t, await signedIn(t))
  expectProblem(await byTotp(await challenged(t, person.email), wrong(totp(uri), 7)), 400, 'code_rejected')
  expectStatus(await byTotp(await challenged(t, person.email), totp(uri)), 200)
  expectStatus(await byBackupCode(await challenged(t, person.email), backupCodes[0] ?? ''), 200)
  expectStatus(await person.post('/api/v1/me/two-factor/backup-codes', { password: PASSWORD }), 200)
  expectStatus(await person.call('DELETE', '/api/v1/me/two-factor', { body: { password: PASSWORD } }), 204)
  const entries = await auditOf(t, person.id)
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['user.two_factor_enabled', {}],
    ['user.sign_in_failed', { method: 'totp', reason: 'code_rejected' }],
    ['user.signed_in', { method: 'totp' }],
    ['user.backup_code_used', {}],
    ['user.signed_in', { method: 'backup_code' }],
    ['user.backup_codes_renewed', {}],
    ['user.two_factor_disabled', {}],
  ])
  for (const { ip, workspace_id, target_id } of entries)
    expect({ ip, workspace_id, target_id }).toEqual({ ip: '127.0.0.1', workspace_id: null, target_id: person.id })
})
