import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import type { ApiResponse, Client } from '../../../../test/client.ts'
import { expectStatus, newAddress, PASSWORD, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { auditOf, mailedCode, mailsTo, requestCode, requestReset, withCookies } from '../../../../test/people.ts'
import { expectProblem, withoutIds } from '../../../../test/problem.ts'
import { holdScrypt } from '../../../../test/run/cheap-scrypt.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { makeInstanceAdmin } from '../instance-admin.ts'
import { hashPassword } from './passwords.ts'

const t = await testApp()

const signUp = (app: TestApp, email: string, more: object = {}) =>
  app.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...more })
const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
const verify = (email: string, otp: string) => t.anyone.post('/api/auth/email-otp/verify-email', { email, otp })
const userOf = (email: string) =>
  t.deps.db.selectFrom('user').select(['id', 'email_verified']).where('email', '=', email).executeTakeFirst()

describe('POST /api/auth/sign-in/email', () => {
  test('403 email_not_verified before the address is verified, and only with the right password', async () => {
    const email = newAddress()
    expectStatus(await signUp(t, email), 200)
    expectProblem(await signIn(email), 403, 'email_not_verified')
    expectProblem(await signIn(email, 'a wrong password'), 401, 'sign_in_failed')
  })

  test('a wrong password and an unknown address get the same response', async () => {
    const { email } = await signedIn(t)
    const known = await signIn(email, 'a wrong password')
    expectProblem(known, 401, 'sign_in_failed')
    const unknown = await signIn(newAddress(), 'a wrong password')
    expect(withoutIds(unknown)).toEqual(withoutIds(known))
    expect(unknown.headers.getSetCookie()).toEqual([])
  })

  test('400 for a redirect in the request', async () => {
    const { email } = await signedIn(t)
    const body = { email, password: PASSWORD, callbackURL: 'https://evil.example' }
    const response = await t.anyone.post('/api/auth/sign-in/email', body)
    expectProblem(response, 400, 'validation_failed', '/callbackURL')
  })
})

test('the audit log records each sign-in and sign-out of a user with time and address, and never a secret', async () => {
  const email = newAddress()
  const from = t.anyone.with({ 'user-agent': 'A browser' })
  expectStatus(await from.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }), 200)
  const otp = await mailedCode(t, email)
  expectStatus(await from.post('/api/auth/email-otp/verify-email', { email, otp }), 200)
  const body = { email, password: PASSWORD }
  expectProblem(await from.post('/api/auth/sign-in/email', { email, password: 'not it' }), 401, 'sign_in_failed')
  const browser = withCookies(t, expectStatus(await from.post('/api/auth/sign-in/email', body), 200))
  expectStatus(await browser.with({ 'user-agent': 'A browser' }).post('/api/auth/sign-out'), 200)
  await requestReset(t, email, from)
  const token = /token=([\w-]+)/.exec((await mailsTo(t, email)).at(-1)?.body_text ?? '')?.[1]
  const reset = { token, newPassword: 'a brand new password' }
  expectStatus(await from.post('/api/auth/reset-password', reset), 200)
  const user = await userOf(email)
  const entries = await auditOf(t, user?.id ?? '')
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['user.signed_up', {}],
    ['user.email_verified', { password_confirmed: false }],
    ['user.sign_in_failed', { reason: 'sign_in_failed' }],
    ['user.signed_in', { method: 'password' }],
    ['user.signed_out', {}],
    ['user.password_reset_requested', {}],
    ['user.password_reset', {}],
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({ ip: '127.0.0.1', user_agent: 'A browser', workspace_id: null, target_id: user?.id })
})

test('the audit log records nothing about unknown addresses, nor a sign-up with a known one', async () => {
  const count = () => t.deps.db.selectFrom('audit_entry').select(sql<number>`count(*)::int`.as('n')).executeTakeFirst()
  const person = await signedIn(t)
  const before = await count()
  const email = newAddress()
  expectProblem(await signIn(email), 401, 'sign_in_failed')
  await requestReset(t, email)
  expectProblem(await verify(email, '123456'), 400, 'verification_failed')
  expectStatus(await signUp(t, person.email), 200)
  expect(await count()).toEqual(before)
})

describe('verification codes', () => {
  const verifyWith = (email: string, otp: string, password: string) =>
    t.anyone.post('/api/auth/email-otp/verify-email', { email, otp, password })
  const codes = async (email: string) => (await mailsTo(t, email)).filter(({ key }) => key === 'signup-otp').length

  test('a verified address gets no code, and the response is that of an unknown address', async () => {
    const person = await signedIn(t)
    const [known, unknown] = [await requestCode(t, person.email), await requestCode(t, newAddress())]
    const comparable = ({ status, headers, body }: ApiResponse) => [status, [...headers.keys()], body]
    expect(comparable(known)).toEqual(comparable(unknown))
    expect(known.body).toEqual({ success: true })
    expect(await codes(person.email)).toBe(0)
    const refused = [await verify(person.email, '123456'), await verify(newAddress(), '123456')]
    for (const response of refused) expectProblem(response, 400, 'verification_failed')
    expect(refused.map(withoutIds)[0]).toEqual(withoutIds(refused[1] as ApiResponse))
  })

  test('a second code, requested after verifying, does not set a password', async () => {
    const email = newAddress()
    expectStatus(await signUp(t, email), 200)
    expectStatus(await verify(email, await mailedCode(t, email)), 200)
    await requestCode(t, email.toUpperCase())
    expect(await codes(email)).toBe(1)
    const otp = await mailedCode(t, email)
    expectProblem(await verifyWith(email.toUpperCase(), otp, 'chosen by an intruder'), 400, 'verification_failed')
    expectProblem(await signIn(email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(email), 200)
  })

  test('a code that was mailed before another user verified the address does not set a password', async () => {
    const email = newAddress()
    expectStatus(await signUp(t, email), 200)
    const otp = await mailedCode(t, email)
    await inTransaction(t.deps.db, async (tx) =>
      makeInstanceAdmin(tx, { email, name: 'Ada', passwordHash: await hashPassword(t.deps.auth, PASSWORD) }),
    )
    expectProblem(await verifyWith(email, otp, 'chosen by an intruder'), 400, 'verification_failed')
    expectProblem(await verify(email, otp), 400, 'verification_failed')
    expectProblem(await signIn(email, 'chosen by an intruder'), 401, 'sign_in_failed')
    expectStatus(await signIn(email), 200)
  })

  test('of two users who verify at the same time with one code, one sets the password', async () => {
    const email = newAddress()
    expectStatus(await signUp(t, email), 200)
    const otp = await mailedCode(t, email)
    const passwords = ['the first password', 'the second password']
    const responses = await Promise.all(passwords.map((password) => verifyWith(email, otp, password)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = responses.findIndex(({ status }) => status === 200)
    expectStatus(await signIn(email, passwords[winner]), 200)
    expectProblem(await signIn(email, passwords[1 - winner]), 401, 'sign_in_failed')
  })
})

test('a reset link cannot be built from the data in the database', async () => {
  const person = await signedIn(t)
  await requestReset(t, person.email)
  const token = /token=([\w-]+)/.exec((await mailsTo(t, person.email)).at(-1)?.body_text ?? '')?.[1]
  const kept = await t.deps.db.selectFrom('verification').selectAll().where('value', '=', person.id).execute()
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain(token)
  const reset = (token: string | undefined) =>
    t.anyone.post('/api/auth/reset-password', { token, newPassword: 'a brand new password' })
  for (const part of kept[0]?.identifier.split(':') ?? []) expectProblem(await reset(part), 400, 'verification_failed')
  expectStatus(await reset(token), 200)
})

describe('transactions of sign-in routes', () => {
  test('the changes of better-auth are rolled back when the audit entry cannot be written', async () => {
    const own = await testApp()
    try {
      const person = await signedIn(own)
      await sql`alter table audit_entry add constraint full_disk check (action <> 'user.signed_in') not valid`.execute(
        own.deps.db,
      )
      const sessions = () => own.deps.db.selectFrom('session').select('id').where('user_id', '=', person.id).execute()
      const before = await sessions()
      const response = await own.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
      expectProblem(response, 500, 'internal_error')
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await sessions()).toEqual(before)
    } finally {
      await own.close()
    }
  })

  test('a sign-up whose mail cannot be written creates no user', async () => {
    const own = await testApp()
    try {
      await sql`alter table mail add constraint full_disk check (key <> 'signup-otp')`.execute(own.deps.db)
      const email = newAddress()
      expectProblem(await signUp(own, email), 500, 'internal_error')
      expect(await own.deps.db.selectFrom('user').select('id').where('email', '=', email).execute()).toEqual([])
      expect(await own.deps.db.selectFrom('verification').select('id').execute()).toEqual([])
    } finally {
      await own.close()
    }
  })

  test('a flood of sign-ins is partly refused and leaves connections for other requests', async () => {
    const person = await signedIn(t)
    const release = holdScrypt()
    const flood = Array.from({ length: 80 }, () => signIn(newAddress()))
    expectStatus(await person.get('/api/v1/me'), 200)
    release()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect([...new Set(statuses)].sort()).toEqual([401, 429])
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(44)
  })
})

describe('the modes of sign-up', () => {
  const inviteTo = async (app: TestApp, person: Client, email: string) => {
    expectStatus(await person.post('/api/v1/workspace/invitations', { email, role: 'viewer' }), 201)
    const text = (await mailsTo(app, email)).at(-1)?.body_text ?? ''
    return /invitation\?token=([\w-]+)/.exec(text)?.[1]
  }

  test('nobody can sign up in the mode closed', async () => {
    const own = await testApp({ SIGN_UP: 'closed' })
    try {
      expect((await own.anyone.get('/api/v1/instance')).body.sign_up).toBe('closed')
      const email = newAddress()
      const invitation = await inviteTo(own, await withWorkspace(own), email)
      expectProblem(await signUp(own, email), 403, 'sign_up_closed')
      expectProblem(await signUp(own, email, { invitation }), 403, 'sign_up_closed')
    } finally {
      await own.close()
    }
  })

  test('only invited addresses can sign up in the mode invitation, while the invitation is valid', async () => {
    const own = await testApp({ SIGN_UP: 'invitation' })
    try {
      expect((await own.anyone.get('/api/v1/instance')).body.sign_up).toBe('invitation')
      const owner = await withWorkspace(own)
      const email = newAddress()
      const invitation = await inviteTo(own, owner, email)
      expect(invitation).toMatch(/^[\w-]{43}$/)
      expectProblem(await signUp(own, email), 403, 'sign_up_closed')
      expectProblem(await signUp(own, email, { invitation: 'x'.repeat(43) }), 403, 'sign_up_closed')
      expectProblem(await signUp(own, newAddress(), { invitation }), 403, 'sign_up_closed')
      expectStatus(await signUp(own, email.toUpperCase(), { invitation }), 200)
      own.advance(8 * 86_400_000)
      expectProblem(await signUp(own, email, { invitation }), 403, 'sign_up_closed')
    } finally {
      await own.close()
    }
  })

  test('everybody can sign up in the mode open', async () => {
    expect((await t.anyone.get('/api/v1/instance')).body.sign_up).toBe('open')
    expectProblem(await signUp(t, newAddress(), { invitation: 'short' }), 400, 'validation_failed', '/invitation')
  })
})
