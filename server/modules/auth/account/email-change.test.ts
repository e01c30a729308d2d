import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn } from '../../../../test/factories.ts'
import { actionsOf, auditOf, mailedCode, mailsTo, requestReset, withCookies, wrong } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

const requestChange = (person: Person, email: string, password = PASSWORD) =>
  person.post('/api/v1/me/email', { email, password })
const confirm = (person: Person, old_code: string, new_code: string) =>
  person.post('/api/v1/me/email/confirm', { old_code, new_code })
const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
/** Requests a change and reads both mailboxes. */
async function requestCodes(person: Person, email = newAddress()) {
  expectStatus(await requestChange(person, email), 202)
  return { email, old: await mailedCode(t, person.email), new: await mailedCode(t, email) }
}
const emailOf = async ({ id }: Person) =>
  (await t.deps.db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

describe('POST /me/email', () => {
  test('202 mails a code to each of the two addresses and changes nothing yet', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    const { body } = expectStatus(await requestChange(person, email.toUpperCase()), 202)
    expect(body).toEqual({ email, expires_at: new Date(t.clock.now().getTime() + 3_600_000).toISOString() })
    expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual({ email: person.email, pending: body })
    for (const address of [person.email, email]) {
      const [mail, ...more] = await mailsTo(t, address)
      expect(more).toEqual([])
      expect(mail).toMatchObject({ key: 'email-change', locale: 'en' })
      expect(mail?.body_text).toContain(email)
    }
    expect(await mailedCode(t, person.email)).not.toBe('')
    expect(await emailOf(person)).toBe(person.email)
  })

  test('202 for an address that has an account, which gets the same response and mails', async () => {
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const taken = expectStatus(await requestChange(person, other.email), 202)
    expect(await mailsTo(t, other.email)).toHaveLength(1)
    const free = expectStatus(await requestChange(person, newAddress()), 202)
    expect({ ...taken.body, email: '' }).toEqual({ ...free.body, email: '' })
    expect([...taken.headers.keys()]).toEqual([...free.headers.keys()])
  })

  test('403 for a wrong password, without a mail, and 400 for the current address', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    expectProblem(await requestChange(person, email, 'not the password'), 403, 'password_wrong')
    expectProblem(await requestChange(person, person.email), 400, 'validation_failed', '/email')
    expect([await mailsTo(t, email), await mailsTo(t, person.email)]).toEqual([[], []])
    expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual({
      email: expect.any(String),
      pending: null,
    })
  })

  test.each([
    'a@example.com\r\nBcc: b@example.com',
    'a\u202e@example.com',
    'a@exam\u200eple.com',
    'a@b',
    'a b@example.com',
  ])('400 for the address %j', async (email) => {
    expectProblem(await requestChange(await signedIn(t), email), 400, 'validation_failed', '/email')
  })

  test('a new request replaces the former one, whose codes are rejected', async () => {
    const person = await signedIn(t)
    const first = await requestCodes(person)
    const second = await requestCodes(person)
    expectProblem(await confirm(person, first.old, first.new), 400, 'code_rejected')
    expect(await emailOf(person)).toBe(person.email)
    expectStatus(await confirm(person, second.old, second.new), 200)
    expect(await emailOf(person)).toBe(second.email)
  })
})

describe('POST /me/email/confirm', () => {
  test('200 with both codes changes the address and ends other sessions and mailed reset links', async () => {
    const person = await signedIn(t)
    const other = withCookies(t, expectStatus(await signIn(person.email), 200))
    await requestReset(t, person.email)
    const link = /token=([\w-]+)/.exec((await mailsTo(t, person.email)).at(-1)?.body_text ?? '')?.[1]
    const codes = await requestCodes(person)
    const response = expectStatus(await confirm(person, codes.old, codes.new), 200)
    expect(response.body).toMatchObject({ id: person.id, email: codes.email })
    expectStatus(await person.get('/api/v1/me'), 200)
    expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    const reset = { token: link, newPassword: 'a brand new password' }
    expectProblem(await t.anyone.post('/api/auth/reset-password', reset), 400, 'verification_failed')
    expectProblem(await signIn(person.email), 401, 'sign_in_failed')
    expectStatus(await signIn(codes.email), 200)
    expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
    expect(await actionsOf(t, person.id)).toEqual([
      'user.signed_in',
      'user.password_reset_requested',
      'user.email_change_requested',
      'user.email_changed',
      'user.signed_in',
    ])
  })

  test('both codes are required, and each is valid only for its own address', async () => {
    const person = await signedIn(t)
    const codes = await requestCodes(person)
    for (const [old_code, new_code] of [
      [codes.old, wrong(codes.new)],
      [wrong(codes.old), codes.new],
      [codes.new, codes.old],
    ] as const)
      if (old_code !== codes.old || new_code !== codes.new)
        expectProblem(await confirm(person, old_code, new_code), 400, 'code_rejected')
    expect(await emailOf(person)).toBe(person.email)
    expectStatus(await confirm(person, codes.old, codes.new), 200)
  })

  test('of 200 concurrent wrong guesses five are checked, and then the right codes are rejected too', async () => {
    const person = await signedIn(t)
    const codes = await requestCodes(person)
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => confirm(person, wrong(codes.old, index + 1), codes.new)),
    )
    for (const response of responses) expectProblem(response, 400, 'code_rejected')
    const row = await t.deps.db.selectFrom('email_change').select('attempts').where('user_id', '=', person.id).execute()
    expect(row).toEqual([{ attempts: 5 }])
    expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
    expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual({
      email: expect.any(String),
      pending: null,
    })
    expect(await emailOf(person)).toBe(person.email)
  })

  test('codes expire after an hour', async () => {
    const own = await testApp()
    try {
      const person = await signedIn(own)
      const email = newAddress()
      expectStatus(await requestChange(person, email), 202)
      const [old_code, new_code] = [await mailedCode(own, person.email), await mailedCode(own, email)]
      own.advance(3_601_000)
      expectProblem(await confirm(person, old_code, new_code), 400, 'code_rejected')
      expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual({
        email: expect.any(String),
        pending: null,
      })
    } finally {
      await own.close()
    }
  })

  test('400 when the address got an account meanwhile, with the response of a wrong code', async () => {
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const codes = await requestCodes(person, other.email)
    const taken = expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
    const third = await signedIn(t)
    const { old: right, new: also } = await requestCodes(third)
    const plain = expectProblem(await confirm(third, wrong(right), also), 400, 'code_rejected')
    expect(taken.detail).toBe(plain.detail)
    expect([await emailOf(person), await emailOf(other)]).toEqual([person.email, other.email])
  })

  test('one of two users who change to the same address at the same time succeeds', async () => {
    const people = await Promise.all([signedIn(t), signedIn(t), signedIn(t)])
    const email = newAddress()
    const codes: { old: string; new: string }[] = []
    for (const person of people) codes.push(await requestCodes(person, email))
    const responses = await Promise.all(
      people.map((person, index) => confirm(person, codes[index]?.old ?? '', codes[index]?.new ?? '')),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await Promise.all(people.map(emailOf))).filter((address) => address === email)).toHaveLength(1)
  })

  test('an unverified sign-up with the address gives way to the user who proves to own it', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Eve' }), 200)
    const codes = await requestCodes(person, email)
    expectStatus(await confirm(person, codes.old, codes.new), 200)
    expect(await emailOf(person)).toBe(email)
  })
})

test('DELETE /me/email cancels the request', async () => {
  const person = await signedIn(t)
  const codes = await requestCodes(person)
  expectStatus(await person.delete('/api/v1/me/email'), 204)
  expectStatus(await person.delete('/api/v1/me/email'), 204)
  const noted = (await auditOf(t, person.id)).filter(({ action }) => action === 'user.email_change_canceled')
  expect(noted).toMatchObject([{ details: { email: expect.any(String) }, ip: '127.0.0.1', workspace_id: null }])
  expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual({
    email: expect.any(String),
    pending: null,
  })
  expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
})

test('codes are stored hashed', async () => {
  const person = await signedIn(t)
  const codes = await requestCodes(person)
  const row = await t.deps.db.selectFrom('email_change').selectAll().where('user_id', '=', person.id).execute()
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`${codes.old}|${codes.new}`))
})
