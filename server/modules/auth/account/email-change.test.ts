import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn } from '../../../../test/factories.ts'
import { actionsOf, auditOf, mailedCode, mailsTo, withCookies, wrong } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const ask = (person: Person, email: string, password = PASSWORD) => person.post('/api/v1/me/email', { email, password })
const confirm = (person: Person, old_code: string, new_code: string) =>
  person.post('/api/v1/me/email/confirm', { old_code, new_code })
const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
/** Requests a change and reads both mailboxes. */
async function asked(person: Person, email = newAddress()) {
  expectStatus(await ask(person, email), 202)
  return { email, old: await mailedCode(t, person.email), new: await mailedCode(t, email) }
}
const emailOf = async ({ id }: Person) =>
  (await t.deps.db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

describe('POST /me/email', () => {
  test('202: a code to each of both addresses; nothing changes yet', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    const { body } = expectStatus(await ask(person, email.toUpperCase()), 202)
    expect(body).toEqual({ email, expires_at: new Date(t.clock.now().getTime() + 3_600_000).toISOString() })
    expect(expectStatus(await person.get('/api/v1/me/email'), 200).body).toEqual(body)
    for (const address of [person.email, email]) {
      const [mail, ...more] = await mailsTo(t, address)
      expect(more).toEqual([])
      expect(mail).toMatchObject({ key: 'email-change', locale: 'en' })
      expect(mail?.body_text).toContain(email)
    }
    expect(await mailedCode(t, person.email)).not.toBe('')
    expect(await emailOf(person)).toBe(person.email)
  })

  test('an address that has an account is answered and mailed like any other', async () => {
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const taken = expectStatus(await ask(person, other.email), 202)
    expect(await mailsTo(t, other.email)).toHaveLength(1)
    const free = expectStatus(await ask(person, newAddress()), 202)
    expect({ ...taken.body, email: '' }).toEqual({ ...free.body, email: '' })
    expect([...taken.headers.keys()]).toEqual([...free.headers.keys()])
  })

  test('a wrong password: 403, and nothing is mailed; the own address: 400', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    expectProblem(await ask(person, email, 'not the password'), 403, 'password_wrong')
    expectProblem(await ask(person, person.email), 400, 'validation_failed', '/email')
    expect([await mailsTo(t, email), await mailsTo(t, person.email)]).toEqual([[], []])
    expectProblem(await person.get('/api/v1/me/email'), 404, 'not_found')
  })

  test.each([
    'a@example.com\r\nBcc: b@example.com',
    'a\u202e@example.com',
    'a@exam\u200eple.com',
    'a@b',
    'a b@example.com',
  ])('the address %j is refused', async (email) => {
    expectProblem(await ask(await signedIn(t), email), 400, 'validation_failed', '/email')
  })

  test('a new request takes the place of the former one, whose codes are dead', async () => {
    const person = await signedIn(t)
    const first = await asked(person)
    const second = await asked(person)
    expectProblem(await confirm(person, first.old, first.new), 400, 'code_rejected')
    expect(await emailOf(person)).toBe(person.email)
    expectStatus(await confirm(person, second.old, second.new), 200)
    expect(await emailOf(person)).toBe(second.email)
  })
})

describe('POST /me/email/confirm', () => {
  test('both codes: the address changes, other sessions and mailed reset links end', async () => {
    const person = await signedIn(t)
    const other = withCookies(t, expectStatus(await signIn(person.email), 200))
    expectStatus(await t.anyone.post('/api/auth/request-password-reset', { email: person.email }), 200)
    const link = /token=([\w-]+)/.exec((await mailsTo(t, person.email)).at(-1)?.body_text ?? '')?.[1]
    const codes = await asked(person)
    const answer = expectStatus(await confirm(person, codes.old, codes.new), 200)
    expect(answer.body).toMatchObject({ id: person.id, email: codes.email })
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

  test('one right code is none, and each code is for its own mailbox', async () => {
    const person = await signedIn(t)
    const codes = await asked(person)
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

  test('200 guesses at once: five are looked at, then the right codes help no more', async () => {
    const person = await signedIn(t)
    const codes = await asked(person)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => confirm(person, wrong(codes.old, index + 1), codes.new)),
    )
    for (const answer of answers) expectProblem(answer, 400, 'code_rejected')
    const row = await t.deps.db.selectFrom('email_change').select('attempts').where('user_id', '=', person.id).execute()
    expect(row).toEqual([{ attempts: 5 }])
    expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
    expectProblem(await person.get('/api/v1/me/email'), 404, 'not_found')
    expect(await emailOf(person)).toBe(person.email)
  })

  test('codes are good for an hour', async () => {
    const own = await testApp()
    try {
      const person = await signedIn(own)
      const email = newAddress()
      expectStatus(await ask(person, email), 202)
      const [old_code, new_code] = [await mailedCode(own, person.email), await mailedCode(own, email)]
      own.advance(3_601_000)
      expectProblem(await confirm(person, old_code, new_code), 400, 'code_rejected')
      expectProblem(await person.get('/api/v1/me/email'), 404, 'not_found')
    } finally {
      await own.close()
    }
  })

  test('an address that got an account meanwhile: refused like a wrong code, and nothing changes', async () => {
    const [person, other] = [await signedIn(t), await signedIn(t)]
    const codes = await asked(person, other.email)
    const taken = expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
    const third = await signedIn(t)
    const { old: right, new: also } = await asked(third)
    const plain = expectProblem(await confirm(third, wrong(right), also), 400, 'code_rejected')
    expect(taken.detail).toBe(plain.detail)
    expect([await emailOf(person), await emailOf(other)]).toEqual([person.email, other.email])
  })

  test('two who change to one address at once: one gets it', async () => {
    const people = await Promise.all([signedIn(t), signedIn(t), signedIn(t)])
    const email = newAddress()
    const codes: { old: string; new: string }[] = []
    for (const person of people) codes.push(await asked(person, email))
    const answers = await Promise.all(
      people.map((person, index) => confirm(person, codes[index]?.old ?? '', codes[index]?.new ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await Promise.all(people.map(emailOf))).filter((address) => address === email)).toHaveLength(1)
  })

  test('who signed up with the address and never proved it does not keep it from its owner', async () => {
    const person = await signedIn(t)
    const email = newAddress()
    expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Eve' }), 200)
    const codes = await asked(person, email)
    expectStatus(await confirm(person, codes.old, codes.new), 200)
    expect(await emailOf(person)).toBe(email)
  })
})

test('DELETE /me/email takes the request back', async () => {
  const person = await signedIn(t)
  const codes = await asked(person)
  expectStatus(await person.delete('/api/v1/me/email'), 204)
  expectStatus(await person.delete('/api/v1/me/email'), 204)
  const noted = (await auditOf(t, person.id)).filter(({ action }) => action === 'user.email_change_canceled')
  expect(noted).toMatchObject([{ details: { email: expect.any(String) }, ip: '127.0.0.1', workspace_id: null }])
  expectProblem(await person.get('/api/v1/me/email'), 404, 'not_found')
  expectProblem(await confirm(person, codes.old, codes.new), 400, 'code_rejected')
})

test('codes rest hashed', async () => {
  const person = await signedIn(t)
  const codes = await asked(person)
  const row = await t.deps.db.selectFrom('email_change').selectAll().where('user_id', '=', person.id).execute()
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`${codes.old}|${codes.new}`))
})
