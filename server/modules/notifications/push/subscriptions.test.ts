import { createECDH } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  openSession,
  PASSWORD,
  type Person,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { signIn, withCookies } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { PUSH_KEY, pushSubscription, SUBSCRIPTIONS, subscriptionsOf } from '../../../../test/push.ts'
import { pushService } from '../../../../test/stand-ins/push-service.ts'
import { addKey } from '../../../lib/crypto/keyring.ts'
import { reEncrypt } from '../../../lib/crypto/re-encrypt.ts'
import { sealedColumns } from '../../../lifecycle.ts'
import { readSigningKey } from './push-key.ts'

const t = await testApp()
const service = await pushService()
afterAll(() => service.close())

const idsOf = async (person: Person) => (await subscriptionsOf(person)).map(({ id }) => id)
const newSession = async ({ id, email }: Person): Promise<Person> => ({
  ...t.anyone.with(await openSession(t, id)),
  id,
  email,
})

describe('the key pair', () => {
  test('is made once, however many ask for it first', async () => {
    const person = await signedIn(t)
    const responses = await Promise.all([1, 2, 3, 4].map(() => person.get(PUSH_KEY)))
    const keys = new Set(responses.map((response) => expectStatus(response, 200).body.public_key))
    expect(keys.size).toBe(1)
    const [key = ''] = keys
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    expect(await t.deps.db.selectFrom('push_key').select('id').execute()).toHaveLength(1)
  })

  test('is stored with its private half sealed, which a rotation of keys seals again', async () => {
    expectStatus(await (await signedIn(t)).get(PUSH_KEY), 200)
    const before = await readSigningKey(t.deps)
    const sealed = async () =>
      (await t.deps.db.selectFrom('push_key').selectAll().executeTakeFirstOrThrow()).private_key
    expect(await sealed()).not.toContain(before.privateKey)
    const id = await addKey(t.deps.db, t.deps.invalidationBus, t.deps.config.SECRET_KEY ?? '', {
      purpose: 'encryption',
      stage: 0,
    })
    await t.deps.keyring.refresh()
    const column = sealedColumns.find(([table]) => table === 'push_key')
    expect(column && (await reEncrypt(t.deps.db, t.deps.keyring, column))).toBe(1)
    expect(await sealed()).toMatch(new RegExp(`^v1\\.${id}\\.`))
    expect(await readSigningKey(t.deps)).toEqual(before)
  })
})

describe('a subscription', () => {
  test('is listed with its browser, and never with its address or keys', async () => {
    const { email } = await signedIn(t)
    const person = withCookies(t, expectStatus(await signIn(t, email, PASSWORD, { 'user-agent': 'Firefox' }), 200))
    const { subscription } = service.browser()
    const created = expectStatus(await person.post(SUBSCRIPTIONS, subscription), 201).body
    expect(created).toEqual({
      id: expect.any(String),
      user_agent: 'Firefox',
      created_at: t.clock.now().toISOString(),
      last_used_at: null,
      current: true,
    })
    expect(await subscriptionsOf(person)).toEqual([created])
    expect(await subscriptionsOf(withCookies(t, expectStatus(await signIn(t, email), 200)))).toEqual([
      { ...created, current: false },
    ])
    const { body } = expectStatus(await person.get('/api/v1/me/export'), 200)
    const { current: _, ...exported } = created
    expect(body.push_subscriptions).toEqual([exported])
  })

  test('is one for a browser: the same again, a new address and new keys replace it', async () => {
    const person = await signedIn(t)
    const first = service.browser().subscription
    const other = service.browser().subscription
    await pushSubscription(person, first)
    const [id] = await idsOf(person)
    await pushSubscription(person, first)
    await Promise.all([1, 2, 3].map(() => pushSubscription(person, { ...first, keys: other.keys })))
    await pushSubscription(person, other)
    expect(await idsOf(person)).toEqual([id])
    const { endpoint, p256dh } = await t.deps.db
      .selectFrom('push_subscription')
      .selectAll()
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect({ endpoint, p256dh }).toEqual({ endpoint: other.endpoint, p256dh: other.keys.p256dh })
  })

  test('goes to the user who subscribes last in the same browser, when two do so at once as well', async () => {
    const [one, two] = [await signedIn(t), await signedIn(t)]
    const { subscription } = service.browser()
    await pushSubscription(one, subscription)
    await pushSubscription(two, subscription)
    expect([await idsOf(one), await idsOf(two)]).toEqual([[], [expect.any(String)]])
    await Promise.all([one, two, one, two].map((person) => pushSubscription(person, subscription)))
    expect([...(await idsOf(one)), ...(await idsOf(two))]).toHaveLength(1)
  })

  test('is made for at most ten browsers of a user, also by calls at once', async () => {
    const person = await signedIn(t)
    const sessions = await Promise.all(Array.from({ length: 11 }, () => newSession(person)))
    const responses = await Promise.all(
      sessions.map((session) => session.post(SUBSCRIPTIONS, service.browser().subscription)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 403])
    const refused = responses.find(({ status }) => status === 403)
    expect(refused && expectProblem(refused, 403, 'limit_exceeded')).toMatchObject({ limit: 10, used: 10 })
    expect(await idsOf(person)).toHaveLength(10)
  })

  test('ends when it is deleted, which others cannot do', async () => {
    const person = await signedIn(t)
    await pushSubscription(person, service.browser().subscription)
    const [id] = await idsOf(person)
    expectProblem(await (await signedIn(t)).delete(`${SUBSCRIPTIONS}/${id}`), 404, 'not_found')
    expectStatus(await person.delete(`${SUBSCRIPTIONS}/${id}`), 204)
    expectProblem(await person.delete(`${SUBSCRIPTIONS}/${id}`), 404, 'not_found')
    expect(await idsOf(person)).toEqual([])
    const entries = await t.deps.db
      .selectFrom('audit_entry')
      .select(['action', 'details'])
      .where('target_id', '=', id ?? '')
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { action: 'push_subscription.created', details: {} },
      { action: 'push_subscription.deleted', details: {} },
    ])
  })

  test('ends with its session: by sign-out, from another browser, and with the user', async () => {
    const person = await signedIn(t)
    const other = await newSession(person)
    for (const session of [person, other]) await pushSubscription(session, service.browser().subscription)
    expectStatus(await other.post('/api/auth/sign-out'), 200)
    expect(await subscriptionsOf(person)).toMatchObject([{ current: true }])
    const third = await newSession(person)
    await pushSubscription(third, service.browser().subscription)
    expectStatus(await person.delete('/api/v1/me/sessions'), 204)
    expect(await subscriptionsOf(person)).toMatchObject([{ current: true }])
    expectStatus(await person.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
    const { rows } = await sql`select from push_subscription where user_id = ${person.id}`.execute(t.deps.db)
    expect(rows).toEqual([])
  })

  test('400 for what is no https address on the public internet', async () => {
    const person = await signedIn(t)
    const { keys } = service.browser().subscription
    for (const endpoint of [
      'http://push.example.com/send',
      'http://10.0.0.1/send',
      'https://10.0.0.1/send',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/send',
      'https://user:password@push.example.com/send',
      'https://push.example.com:22/send',
      'https://push.example.com/se nd',
      'ftp://push.example.com/send',
      'nothing',
    ]) {
      const { errors } = expectProblem(await person.post(SUBSCRIPTIONS, { endpoint, keys }), 400, 'validation_failed')
      expect([endpoint, errors]).toEqual([endpoint, [expect.objectContaining({ pointer: '/endpoint' })]])
    }
    expect(await idsOf(person)).toEqual([])
  })

  test('400 for keys that no message can be encrypted with', async () => {
    const person = await signedIn(t)
    const { endpoint, keys } = service.browser().subscription
    const compressed = createECDH('prime256v1').generateKeys('base64url', 'compressed')
    const offTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
    for (const [field, value] of [
      ['p256dh', compressed],
      ['p256dh', offTheCurve],
      ['p256dh', `${keys.p256dh.slice(0, -1)}=`],
      ['auth', 'c2hvcnQ'],
      ['auth', `${keys.auth}AA`],
    ] as const) {
      const response = await person.post(SUBSCRIPTIONS, { endpoint, keys: { ...keys, [field]: value } })
      const { errors } = expectProblem(response, 400, 'validation_failed')
      expect([value, errors]).toEqual([value, [expect.objectContaining({ pointer: `/keys/${field}` })]])
    }
  })

  test('401 without a session, and 403 with a token', async () => {
    const token = await withToken(t, await withWorkspace(t))
    for (const path of [PUSH_KEY, SUBSCRIPTIONS]) {
      expectProblem(await t.anyone.get(path), 401, 'unauthenticated')
      expect((await token.get(path)).status).toBe(403)
    }
  })
})
