import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, type Person, signedIn } from '../../../test/factories.ts'
import { optionCalls } from '../../../test/options.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'

let t: TestApp
let root: Person
beforeAll(async () => {
  t = await testApp({ SMTP_URL: 'smtp://meydan:a-long-password@mail.example.com:2525', MAIL_FROM: 'post@example.com' })
  root = await signedIn(t, { instanceAdmin: true })
})
afterAll(() => t.close())

const { setOption, resetOption, withOption } = optionCalls(() => ({ t, root }))

describe('two nodes on one database', () => {
  let other: TestApp
  beforeAll(async () => {
    other = await testApp({}, { beside: t })
    await Promise.all([t.deps.invalidationBus.started, other.deps.invalidationBus.started])
  })
  afterAll(() => other.close())

  /** Milliseconds until the other node uses the new value. */
  async function untilOtherHas<T>(look: () => T | Promise<T>, wanted: T) {
    const from = performance.now()
    while ((await look()) !== wanted)
      if (performance.now() - from > 5000) throw new Error('the other node did not get the value')
      else await new Promise((done) => setTimeout(done, 5))
    return performance.now() - from
  }

  test('a change reaches the other node within a second, and reads before and after it use the cache', async () => {
    const { options } = other.deps
    for (const rule of ['closed', 'invitation', 'open'] as const) {
      // An earlier announcement may still be on its way.
      await until(async () => {
        await options.get('auth.sign_up')
        expect(options.get('auth.sign_up')).toBeTypeOf('string')
      })
      expectStatus(await setOption('auth.sign_up', rule), 200)
      expect(await untilOtherHas(() => options.get('auth.sign_up'), rule)).toBeLessThan(1000)
      expect(await options.get('auth.sign_up')).toBe(rule)
      expect(expectStatus(await other.anyone.get('/api/v1/instance'), 200).body.sign_up).toBe(rule)
    }
    await resetOption('auth.sign_up')
  })

  test('a secret that is set or removed reaches the other node within a second', async () => {
    const { options } = other.deps
    for (const wanted of ['the first key', 'the second key', undefined]) {
      expectStatus(
        wanted ? await setOption('google_api_key', wanted.replaceAll(' ', '-')) : await resetOption('google_api_key'),
        wanted ? 200 : 204,
      )
      expect(await untilOtherHas(() => options.secret('google_api_key'), wanted?.replaceAll(' ', '-'))).toBeLessThan(
        1000,
      )
    }
  })

  test("each node's defaults come from its own environment", async () => {
    expect(await instanceOf(other)).toMatchObject({ sends_mail: false })
    expect(await instanceOf(t)).toMatchObject({ sends_mail: true })
    await withOption('mail.smtp_url', 'smtp://127.0.0.1:1', async () => {
      await untilOtherHas(() => other.deps.options.isSet('mail.smtp_url'), true)
      expect(await instanceOf(other)).toMatchObject({ sends_mail: true })
    })
  })
  const instanceOf = async (at: TestApp) => expectStatus(await at.anyone.get('/api/v1/instance'), 200).body

  test('a node that misses invalidations reads the database each time', async () => {
    const deaf = { ...other.deps.invalidationBus }
    expect(other.deps.invalidationBus.isConnected()).toBe(true)
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
