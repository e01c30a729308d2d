import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Role } from '../server/lib/http/roles.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { expectStatus, memberOf, PASSWORD, type Person, sessionCookie, signedIn } from './factories.ts'
import { until } from './until.ts'

const LASTING_MS = 3000 * 86_400_000

/** Lets the session of a person last while the clock is advanced. */
export async function lasting<P extends Person>({ deps, clock }: TestApp, person: P) {
  await deps.db
    .updateTable('session')
    .set({ expires_at: new Date(clock.now().getTime() + LASTING_MS) })
    .where('user_id', '=', person.id)
    .execute()
  return person
}

export const mailsTo = (t: TestApp, address: string) =>
  t.deps.db.selectFrom('mail').selectAll().where('to_address', '=', address).orderBy('id').execute()

export async function lastMail(t: TestApp, address: string) {
  const mail = (await mailsTo(t, address)).at(-1)
  if (!mail) throw new Error(`no mail to ${address}`)
  return mail
}

/** The six-digit code of the last mail to an address. */
export async function mailedCode(t: TestApp, address: string) {
  const code = /\b\d{6}\b/.exec((await mailsTo(t, address)).at(-1)?.body_text ?? '')?.[0]
  if (!code) throw new Error(`no code was mailed to ${address}`)
  return code
}

/** The token in the link of the last mail to an address. */
export async function mailedToken(t: TestApp, address: string) {
  const token = /token=([\w-]+)/.exec((await mailsTo(t, address)).at(-1)?.body_text ?? '')?.[1]
  if (!token) throw new Error(`no link was mailed to ${address}`)
  return token
}

/** Invites an address into a workspace of `by`. */
export async function invite(t: TestApp, by: Client, email: string, role: Role = 'author') {
  const { body } = expectStatus(await by.post('/api/v1/workspace/invitations', { email, role }), 201)
  return { id: body.id as string, token: await mailedToken(t, email) }
}

/** Starts the change to another address, which two mailed codes confirm. */
export const requestEmailChange = async (person: Client, email: string) =>
  expectStatus(await person.post('/api/v1/me/email', { email, password: PASSWORD }), 202)

/** Requests a link for a new password, and mails it if there is an account. */
export async function requestReset(t: TestApp, email: string, client = t.anyone) {
  const response = expectStatus(await client.post('/api/auth/request-password-reset', { email }), 200)
  await t.runJobs()
  return response
}

/** Requests a new verification code, and mails it if there is an unverified sign-up. */
export async function requestCode(t: TestApp, email: string) {
  const body = { email, type: 'email-verification' }
  const response = expectStatus(await t.anyone.post('/api/auth/email-otp/send-verification-otp', body), 200)
  await t.runJobs()
  return response
}

/** Signs up a user, whose address is not verified yet. */
export const signUp = async (t: TestApp, email: string, more: object = {}) =>
  expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...more }), 200)

export const signIn = (t: TestApp, email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  t.anyone.post('/api/auth/sign-in/email', { email, password }, headers)

export const userOf = (t: TestApp, email: string) =>
  t.deps.db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
export const passwordOf = async (t: TestApp, email: string) =>
  t.deps.db
    .selectFrom('credential')
    .select('password')
    .where('user_id', '=', (await userOf(t, email)).id)
    .execute()

/** A code other than the right one. */
export const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** The audit entries of a user, oldest first. */
export const auditOf = async (t: TestApp, user_id: string) =>
  t.deps.db
    .selectFrom('audit_entry')
    .select(['action', 'details', 'ip', 'user_agent', 'workspace_id', 'target_id'])
    .where('actor_id', '=', user_id)
    .orderBy('id')
    .execute()
export const actionsOf = async (t: TestApp, user_id: string) => (await auditOf(t, user_id)).map(({ action }) => action)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app for an otpauth:// address, `away` time steps from now (RFC 6238). */
export function totp(uri: string, away = 0) {
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + away))
  const mac = createHmac('sha1', key).update(message).digest()
  const number = mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Uses the cookies of a response, as a browser would. */
export const withCookies = (t: TestApp, response: { headers: Headers }) =>
  t.anyone.with({ cookie: sessionCookie(response.headers) })

/** Confirms with the code of the previous step. Again, if that became too old because a step ended meanwhile. */
async function confirmInStep(person: Person, uri: string) {
  for (;;) {
    const step = Math.floor(Date.now() / 30_000)
    const code = totp(uri, -1)
    const response = await person.post('/api/v1/me/two-factor/confirm', { code })
    if (response.status === 200 || step === Math.floor(Date.now() / 30_000)) return { code, response }
  }
}

/**
 * Turns on a user's second factor, which uses up the code of the previous time step. The returned `person` has the new
 * session.
 */
export async function withTwoFactor(t: TestApp, before: Person) {
  const { body } = expectStatus(await before.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
  expect(body).toEqual({ totp_uri: expect.stringMatching(/^otpauth:\/\/totp\//), backup_codes: expect.any(Array) })
  const { code, response } = await confirmInStep(before, body.totp_uri)
  const confirmed = expectStatus(response, 200)
  const person: Person = { ...withCookies(t, confirmed), id: before.id, email: before.email }
  return { person, uri: body.totp_uri as string, backupCodes: body.backup_codes as string[], spent: code }
}

/** Performs the first step of a sign-in with a second factor. Returns the client with the challenge. */
export async function challenged(t: TestApp, email: string, more: Record<string, string> = {}) {
  const response = await signIn(t, email, PASSWORD, more)
  expect(expectStatus(response, 200).body).toEqual({ two_factor_required: true })
  return withCookies(t, response)
}

/** The number of connections to the test's database that wait for a lock. */
export const waiting = async (t: TestApp) =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      t.deps.db,
    )
  ).rows.length

/** Runs `act` as a user (a viewer, with `workspace_id`) whose account is deleted during it. Returns its result. */
export async function whileDeleted<A>(t: TestApp, act: (person: Person) => Promise<A>, workspace_id?: string) {
  const person = workspace_id === undefined ? await signedIn(t) : await memberOf(t, workspace_id, 'viewer')
  const { acting } = await t.deps.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('user').where('id', '=', person.id).execute()
    const acting = act(person)
    await until(async () => expect(await waiting(t)).toBe(1))
    return { acting }
  })
  return acting
}
