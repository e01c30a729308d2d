import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, type Person, signedIn } from '../../../../test/factories.ts'
import { challenged, mailedCode, mailsTo, requestReset, totp, waiting, withTwoFactor } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { signInGrants } from './sign-in-grants.ts'

const NEW_PASSWORD = 'another good password'

const t = await testApp()

const resetTokens = async (email: string) =>
  (await mailsTo(t, email)).flatMap(({ body_text }) => /token=([\w-]+)/.exec(body_text)?.[1] ?? [])

/** Changes that must leave nothing open that the former password, or access to the former address, had opened. */
const changes: Record<string, (person: Person) => Promise<unknown>> = {
  'a changed password': async (person) =>
    expectStatus(
      await person.post('/api/v1/me/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }),
      204,
    ),
  'a reset password': async ({ email }) => {
    const token = (await resetTokens(email))[0]
    expectStatus(await t.anyone.post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD }), 200)
  },
  'a changed e-mail address': async (person) => {
    const email = `new-${person.email}`
    expectStatus(await person.post('/api/v1/me/email', { email, password: PASSWORD }), 202)
    const codes = { old_code: await mailedCode(t, person.email), new_code: await mailedCode(t, email) }
    expectStatus(await person.post('/api/v1/me/email/confirm', codes), 200)
  },
}

/** A user with two-factor sign-in who has every grant. */
async function withEveryGrant() {
  const { person, uri, backupCodes } = await withTwoFactor(t, await signedIn(t))
  for (let link = 0; link < 2; link++) await requestReset(t, person.email)
  const browser = await challenged(t, person.email)
  const trust = { code: totp(uri), trustDevice: true }
  expectStatus(await browser.post('/api/auth/two-factor/verify-totp', trust), 200)
  const challenge = await challenged(t, person.email)
  return { person, challenge, backupCode: backupCodes[0] ?? '' }
}

const grantsOf = async (user_id: string) =>
  (await t.deps.db.selectFrom('verification').select('identifier').where('value', '=', user_id).execute()).map(
    ({ identifier }) => identifier,
  )
const kindsOf = (identifiers: string[]) => {
  const kinds = Object.entries(signInGrants).filter(([, prefix]) =>
    identifiers.some((identifier) => identifier.startsWith(prefix)),
  )
  return kinds.map(([kind]) => kind)
}

test.each([
  ['without a second factor', () => signedIn(t)],
  ['with a second factor', async () => (await withTwoFactor(t, await signedIn(t))).person],
])('a sign-in %s fails if the password is changed while the former one is checked', async (_, make) => {
  const person = await make()
  const body = { email: person.email, password: PASSWORD }
  const hash = await (await t.deps.auth.$context).password.hash(NEW_PASSWORD)
  const before = await grantsOf(person.id)
  const { signingIn } = await t.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('user').select('id').where('id', '=', person.id).forUpdate().execute()
    await tx.updateTable('credential').set({ password: hash }).where('user_id', '=', person.id).execute()
    const signingIn = t.anyone.post('/api/auth/sign-in/email', body)
    await until(async () => expect(await waiting(t)).toBe(1))
    return { signingIn }
  })
  expectProblem(await signingIn, 401, 'sign_in_failed')
  expect(await grantsOf(person.id)).toEqual(before)
  expectStatus(await t.anyone.post('/api/auth/sign-in/email', { ...body, password: NEW_PASSWORD }), 200)
})

describe.each(Object.entries(changes))('%s', (_, change) => {
  test('revokes every kind of grant, so that a pending second factor opens no session', async () => {
    const { person, challenge, backupCode } = await withEveryGrant()
    const before = await grantsOf(person.id)
    expect(kindsOf(before)).toEqual(Object.keys(signInGrants))
    await change(person)
    // The browser that made the change is known anew.
    const after = await grantsOf(person.id)
    expect(after.filter((grant) => before.includes(grant))).toEqual([])
    expect(['', 'knownBrowser']).toContain(kindsOf(after).join())
    const response = await challenge.post('/api/auth/two-factor/verify-backup-code', { code: backupCode })
    expect(expectProblem(response, 400, 'code_rejected').state).toBe('ended')
  })
})

test('ending all other sessions ends a sign-in that waits for its second factor', async () => {
  const { person, challenge, backupCode } = await withEveryGrant()
  expectStatus(await person.call('DELETE', '/api/v1/me/sessions'), 204)
  const response = await challenge.post('/api/auth/two-factor/verify-backup-code', { code: backupCode })
  expect(expectProblem(response, 400, 'code_rejected').state).toBe('ended')
})
