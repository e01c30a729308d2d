import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announcementsArrive } from '../../../test/announcements.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, signedIn } from '../../../test/factories.ts'
import { optionCalls } from '../../../test/options.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'

const t = await testApp({
  SMTP_URL: 'smtp://meydan:a-long-password@mail.example.com:2525',
  MAIL_FROM: 'post@example.com',
})
const root = await signedIn(t, { instanceAdmin: true })

const { setOption, resetOption, withOption } = optionCalls(() => ({ t, root }))

describe('two nodes on one database', () => {
  let other: TestApp
  beforeAll(async () => {
    other = await testApp({}, { beside: t })
    await Promise.all([t.deps.invalidationBus.started, other.deps.invalidationBus.started])
  })
  afterAll(() => other.close())

  test('a change reaches the other node with the announcement of its commit, and reads before and after it use the cache', async () => {
    const { options } = other.deps
    for (const rule of ['closed', 'invitation', 'open'] as const) {
      // An earlier announcement may still be on its way, and a late beat switches the cache off for a moment.
      await until(async () => {
        await options.get('auth.sign_up')
        expect(options.get('auth.sign_up')).toBeTypeOf('string')
      })
      expectStatus(await setOption('auth.sign_up', rule), 200)
      await announcementsArrive(other.deps)
      expect(await options.get('auth.sign_up')).toBe(rule)
      expect(expectStatus(await other.anyone.get('/api/v1/instance'), 200).body.sign_up).toBe(rule)
    }
    await resetOption('auth.sign_up')
  })

  test('a secret that is set or removed reaches the other node with the announcement of its commit', async () => {
    const { options } = other.deps
    for (const wanted of ['the-first-key', 'the-second-key', undefined]) {
      expectStatus(
        wanted ? await setOption('google_api_key', wanted) : await resetOption('google_api_key'),
        wanted ? 200 : 204,
      )
      await announcementsArrive(other.deps)
      expect(await options.secret('google_api_key')).toBe(wanted)
    }
  })

  test("each node's defaults come from its own environment", async () => {
    expect(await instanceOf(other)).toMatchObject({ sends_mail: false })
    expect(await instanceOf(t)).toMatchObject({ sends_mail: true })
    await withOption('mail.smtp_url', 'smtp://127.0.0.1:1', async () => {
      await announcementsArrive(other.deps)
      expect(await other.deps.options.isSet('mail.smtp_url')).toBe(true)
      expect(await instanceOf(other)).toMatchObject({ sends_mail: true })
    })
  })
  const instanceOf = async (at: TestApp) => expectStatus(await at.anyone.get('/api/v1/instance'), 200).body

  test('a node that misses invalidations reads the database each time', async () => {
    const deaf = { ...other.deps.invalidationBus }
    await until(() => expect(other.deps.invalidationBus.isConnected()).toBe(true))
    const isHeard = other.deps.invalidationBus.isConnected
    other.deps.invalidationBus.isConnected = () => false
    try {
      await t.deps.db
        .insertInto('option')
        .values({ key: 'app.name', value: JSON.stringify('By hand') })
        .execute()
      expect(await other.deps.options.get('app.name')).toBe('By hand')
      await t.deps.db.deleteFrom('option').where('key', '=', 'app.name').execute()
      expect(await other.deps.options.get('app.name')).toBe('Meydan')
    } finally {
      other.deps.invalidationBus.isConnected = isHeard
    }
    expect(deaf.isConnected).toBe(isHeard)
  })

  test('readNow returns the change of its own transaction, and get the committed value', async () => {
    await t.deps.options.get('billing.default_plan')
    await inTransaction(t.deps.db, async (tx) => {
      await tx
        .insertInto('option')
        .values({ key: 'billing.default_plan', value: JSON.stringify('team') })
        .execute()
      expect(await t.deps.options.readNow(tx, 'billing.default_plan')).toBe('team')
      throw new Error('undone')
    }).catch(() => undefined)
    expect(await t.deps.options.get('billing.default_plan')).toBe('free')
  })
})
