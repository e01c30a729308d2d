import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, sessionCookie, signedIn } from '../../../../test/factories.ts'
import { lastMail, mailedToken, mailsTo, requestReset, signIn } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

/** A signed-in user, for tests where it does not matter who. */
const t = await testApp()
const ada = await signedIn(t)

const resetPassword = (token: string, newPassword: string) =>
  t.anyone.post('/api/auth/reset-password', { token, newPassword })

describe('POST /api/auth/reset-password', () => {
  test('200 sets a new password once and ends all sessions, and the former password is rejected', async () => {
    const person = await signedIn(t)
    const other = t.anyone.with({ cookie: sessionCookie((await signIn(t, person.email)).headers) })
    expect((await requestReset(t, person.email)).body).toEqual({ status: true })
    expect(await lastMail(t, person.email)).toMatchObject({ key: 'password-reset', state: 'kept' })
    expect((await lastMail(t, person.email)).body_text).toContain('http://meydan.test/reset-password?token=')
    const token = await mailedToken(t, person.email)
    expectStatus(await person.get('/api/v1/me'), 200)

    expectProblem(await resetPassword(token, 'short'), 400, 'validation_failed', '/newPassword')
    expect(expectStatus(await resetPassword(token, 'a brand new password'), 200).body).toEqual({ status: true })
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await signIn(t, person.email), 401, 'sign_in_failed')
    expectStatus(await signIn(t, person.email, 'a brand new password'), 200)
    expectProblem(await resetPassword(token, 'yet another password'), 400, 'verification_failed')
    expectStatus(await signIn(t, person.email, 'a brand new password'), 200)
  })

  test('one of ten concurrent uses of a reset link succeeds', async () => {
    const person = await signedIn(t)
    await requestReset(t, person.email)
    const token = await mailedToken(t, person.email)
    const passwords = Array.from({ length: 10 }, (_, index) => `new password number ${index}`)
    const responses = await Promise.all(passwords.map((password) => resetPassword(token, password)))
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(400)])
    const winner = passwords[responses.findIndex((response) => response.status === 200)] ?? ''
    expectStatus(await signIn(t, person.email, winner), 200)
  })

  test('requesting a reset for an unknown address gets the same response and sends no mail', async () => {
    const [known, email] = [await requestReset(t, ada.email), newAddress()]
    const unknown = await requestReset(t, email)
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await mailsTo(t, email)).toEqual([])
  })

  test('400 for a token that was never issued', async () => {
    expectProblem(await resetPassword('x'.repeat(24), 'a brand new password'), 400, 'verification_failed')
    expectProblem(await resetPassword('../../x', 'a brand new password'), 400, 'validation_failed', '/token')
  })
})
