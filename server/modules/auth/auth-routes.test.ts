import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, PASSWORD, signedIn } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

/** A signed-in user, for tests where it does not matter who. */
const t = await testApp()
const ada = await signedIn(t)

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
