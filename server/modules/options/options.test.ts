import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn, withWorkspace } from '../../../test/factories.ts'
import { auditOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { addKey } from '../../lib/crypto/keyring.ts'
import { reEncrypt } from '../../lib/crypto/re-encrypt.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { sealedColumns } from '../../lifecycle.ts'
import { order } from './catalogue.ts'
import { readModelKeys, setModelKey } from './secrets.ts'

let t: TestApp
let root: Person
beforeAll(async () => {
  t = await testApp({ SMTP_URL: 'smtp://meydan:a-long-password@mail.example.com:2525', MAIL_FROM: 'post@example.com' })
  root = await signedIn(t, { instanceAdmin: true })
})
afterAll(() => t.close())

const path = (key: string) => `/api/v1/options/${encodeURIComponent(key)}`
const setOption = (key: string, value: unknown, who = root) => who.call('PUT', path(key), { body: { value } })
const resetOption = (key: string, who = root) => who.delete(path(key))
const read = async (key: string, who = root) => expectStatus(await who.get(path(key)), 200).body
const rowOf = (key: string) => t.deps.db.selectFrom('option').selectAll().where('key', '=', key).executeTakeFirst()
const changes = async (who = root) => (await auditOf(t, who.id)).filter(({ action }) => action === 'options.changed')
const lastChange = async () => (await changes()).at(-1)

/** Sets an option while `work` runs. */
async function withOption(key: string, value: unknown, work: () => Promise<unknown>) {
  expectStatus(await setOption(key, value), 200)
  try {
    await work()
  } finally {
    expectStatus(await resetOption(key), 204)
  }
}

const newModel = async () => {
  const { id } = await t.deps.db
    .insertInto('ai_model')
    .values({ provider: 'openai', model_key: 'gpt', name: 'A model', api_params: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key: `ai-model-${id}_api-key` }
}

describe('GET /options', () => {
  test('200 lists every option by group on one page, with its value and where the value is from', async () => {
    const { data, next_cursor } = expectStatus(await root.get('/api/v1/options'), 200).body
    expect(next_cursor).toBeNull()
    expect(data.map(({ key }: { key: string }) => key)).toEqual(order)
    expect(Object.fromEntries(data.map((option: { key: string }) => [option.key, option]))).toMatchObject(
      Object.fromEntries([
        ['app.name', { type: 'string', value: 'Meydan', default: 'Meydan', source: 'default', environment: null }],
        [
          'auth.sign_up',
          {
            type: 'enum',
            value: 'open',
            values: ['open', 'invitation', 'closed'],
            environment: { key: 'SIGN_UP', is_set: false },
          },
        ],
        ['mail.from', { value: 'post@example.com', default: 'post@example.com', source: 'environment' }],
        ['mail.smtp_url', { type: 'secret', value: { set: true, last4: '2525' }, source: 'environment' }],
        [
          'openai_api_key',
          { type: 'secret', value: { set: false, last4: null }, default: { set: false, last4: null } },
        ],
        ['billing.enabled', { type: 'boolean', value: false, values: null, updated_at: null }],
      ]),
    )
    expect(JSON.stringify(data)).not.toContain('a-long-password')
  })

  test('200 lists the keys of models after the other options, if they are set', async () => {
    const [one, other] = [await newModel(), await newModel()]
    await withOption(other.key, 'key-of-the-other', async () => {
      const { data } = (await root.get('/api/v1/options')).body
      expect(data.slice(order.length)).toMatchObject([{ key: other.key, type: 'secret', source: 'override' }])
    })
    expect(await read(one.key)).toMatchObject({ value: { set: false }, source: 'default', environment: null })
  })
})

describe('access', () => {
  const calls: [string, string, object?][] = [
    ['GET', '/api/v1/options'],
    ['GET', '/api/v1/options/app.name'],
    ['PUT', '/api/v1/options/app.name', { body: { value: 'Agora' } }],
    ['DELETE', '/api/v1/options/app.name'],
    ['POST', '/api/v1/options/test/mail', { body: {} }],
  ]
  test.each(calls)(
    '401 without credentials, 403 for an owner of a workspace: %s %s',
    async (method, url, more = {}) => {
      expectProblem(await t.anyone.call(method, url, more), 401, 'unauthenticated')
      expectProblem(await (await withWorkspace(t)).call(method, url, more), 403, 'forbidden_role')
    },
  )

  test.each(['GET', 'PUT', 'DELETE'])('404 for an unknown option: %s', async (method) => {
    for (const key of [
      'app.nam',
      'APP.NAME',
      'constructor',
      '__proto__',
      'ai-model-999999_api-key',
      'ai-model-0_api-key',
      'ai-model-01_api-key',
      'ai-model-99999999999_api-key',
      'ai-model-2147483648_api-key',
      'SECRET_KEY',
    ])
      expectProblem(
        await root.call(method, path(key), method === 'PUT' ? { body: { value: 'x' } } : {}),
        404,
        'not_found',
      )
  })
})

describe('PUT /options/:key', () => {
  test('200 overrides the environment, and DELETE restores its value', async () => {
    const { body } = expectStatus(await setOption('mail.from', 'Agora <agora@example.com>'), 200)
    expect(body).toMatchObject({
      key: 'mail.from',
      value: 'Agora <agora@example.com>',
      default: 'post@example.com',
      source: 'override',
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await read('mail.from')).toEqual(body)
    expect(await t.deps.options.get('mail.from')).toBe('Agora <agora@example.com>')
    expectStatus(await resetOption('mail.from'), 204)
    expect(await read('mail.from')).toMatchObject({
      value: 'post@example.com',
      source: 'environment',
      updated_at: null,
    })
    expectStatus(await resetOption('mail.from'), 204)
  })

  test.each([
    ['app.name', ['', ' ', 'a'.repeat(61), 'two\nlines', 'a\u202eb', 7, true]],
    ['auth.sign_up', ['', 'Open', 'everybody', false]],
    ['tokens.scopes_required', ['true', 'yes', 1, '']],
    ['billing.enabled', ['false', 0]],
    ['ai.default_provider', ['gemini', '', 1]],
    ['billing.default_plan', ['nothing', '', 'FREE', 1]],
    [
      'mail.from',
      [
        '',
        'a\r\nbcc: b@example.com',
        'a@example.com, b@example.com',
        'nobody',
        'smtp://user:secret@mail.example.com',
        5,
      ],
    ],
    ['mail.smtp_url', ['http://mail', 'mail.example.com', 'smtp:', 'smtp://', 'smtp://u:50%@mail', '', 25]],
    ['openai_api_key', ['', '   ', 'two words', 'ключ', 'a\nb', 'a'.repeat(2001), 5, false]],
  ])('400 for an invalid value of %s', async (key, values) => {
    const before = await read(key)
    for (const value of values) expectProblem(await setOption(key, value), 400, 'validation_failed', '/value')
    expect(await read(key)).toEqual(before)
  })

  test.each([
    [{}, '/value'],
    [{ value: null }, '/value'],
    [{ value: {} }, '/value'],
    [{ value: ['a'] }, '/value'],
    [{ value: 1.5 }, '/value'],
    [{ value: 2 ** 31 }, '/value'],
    [{ value: 'a'.repeat(2001) }, '/value'],
    [{ value: 'a', more: 1 }, '/more'],
  ])('400 for the body %j', async (body, pointer) => {
    expectProblem(await root.call('PUT', path('app.name'), { body }), 400, 'validation_failed', pointer)
  })

  test('the audit log records each change with the former and the new value, and no call without effect', async () => {
    const count = async () => (await auditOf(t, root.id)).length
    await setOption('app.name', 'Agora')
    expect(await lastChange()).toMatchObject({
      target_id: 'app.name',
      details: { before: { value: 'Meydan', source: 'default' }, after: { value: 'Agora', source: 'override' } },
    })
    const [noted, row] = [await count(), await rowOf('app.name')]
    expectStatus(await setOption('app.name', 'Agora'), 200)
    expect([await count(), await rowOf('app.name')]).toEqual([noted, row])
    await resetOption('app.name')
    expect(await lastChange()).toMatchObject({
      details: { before: { value: 'Agora', source: 'override' }, after: { value: 'Meydan', source: 'default' } },
    })
    await resetOption('app.name')
    expect(await count()).toBe(noted + 1)
  })

  test('412 for an outdated version, also when the option was reset and set meanwhile', async () => {
    const tagOf = async () => (await root.get(path('app.name'))).headers.get('etag') ?? ''
    const change = (value: string, tag: string) => root.put(path('app.name'), { value }, { 'if-match': tag })
    expect(await tagOf()).toBe('"0"')
    const first = expectStatus(await change('Agora', '"0"'), 200).headers.get('etag') ?? ''
    expect(await tagOf()).toBe(first)
    expectProblem(await change('Forum', '"0"'), 412, 'version_conflict')
    await resetOption('app.name')
    await setOption('app.name', 'Piazza')
    expectProblem(await change('Forum', first), 412, 'version_conflict')
    const tag = await tagOf()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => change(`Forum ${n}`, tag)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await resetOption('app.name')
    expect(await tagOf()).toBe('"0"')
  })

  test('the default plan must exist and be active', async () => {
    await withOption('billing.default_plan', 'pro', async () =>
      expect(await read('billing.default_plan')).toMatchObject({ value: 'pro' }),
    )
    const archived = {
      code: 'former',
      name: 'Former',
      position: 9,
      is_active: false,
      try_monthly: 0,
      try_yearly: 0,
      limits: '{}',
    }
    await t.deps.db.insertInto('plan').values(archived).execute()
    expectProblem(await setOption('billing.default_plan', 'former'), 400, 'validation_failed', '/value')
  })

  test('409 for resetting the default plan to one that was archived meanwhile', async () => {
    const archived = (is_active: boolean) =>
      t.deps.db.updateTable('plan').set({ is_active: !is_active }).where('code', '=', 'free').execute()
    expectStatus(await setOption('billing.default_plan', 'pro'), 200)
    await archived(true)
    expectProblem(await resetOption('billing.default_plan'), 409, 'invalid_transition')
    expect(await read('billing.default_plan')).toMatchObject({ value: 'pro' })
    await archived(false)
    expectStatus(await resetOption('billing.default_plan'), 204)
    expectStatus(await resetOption('billing.default_plan'), 204)
  })

  test('400 for making a plan the default while a concurrent transaction archives it', async () => {
    await inTransaction(t.deps.db, async (tx) => {
      await tx.updateTable('plan').set({ is_active: false }).where('code', '=', 'team').execute()
      const setting = setOption('billing.default_plan', 'team')
      await expect(Promise.race([setting, new Promise((done) => setTimeout(done, 300, 'waits'))])).resolves.toBe(
        'waits',
      )
      return { setting }
    }).then(async ({ setting }) => expectProblem(await setting, 400, 'validation_failed', '/value'))
    await t.deps.db.updateTable('plan').set({ is_active: true }).where('code', '=', 'team').execute()
  })

  test('concurrent changes are recorded one after another, each with the value that the one before set', async () => {
    const person = await signedIn(t, { instanceAdmin: true })
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`)
    for (const answer of await Promise.all(names.map((name) => setOption('app.name', name, person))))
      expectStatus(answer, 200)
    const noted = (await changes(person)).map(({ details }) => details as Record<'before' | 'after', { value: string }>)
    expect(noted).toHaveLength(names.length)
    expect(new Set(noted.map(({ after }) => after.value))).toEqual(new Set(names))
    expect(new Set(noted.map(({ before }) => before.value)).size).toBe(names.length)
    const last = (await read('app.name')).value
    expect(noted.filter(({ before }) => before.value === last)).toEqual([])
    await resetOption('app.name')
  })

  test('a stored value that this version does not accept is ignored', async () => {
    await t.deps.db
      .insertInto('option')
      .values({ key: 'auth.sign_up', value: JSON.stringify('by-lot') })
      .execute()
    await inTransaction(t.deps.db, (tx) => t.deps.invalidationBus.invalidate(tx, 'options'))
    expect(await read('auth.sign_up')).toMatchObject({ value: 'open', source: 'default' })
    expect(await t.deps.options.get('auth.sign_up')).toBe('open')
    await withOption('auth.sign_up', 'open', async () =>
      expect(await read('auth.sign_up')).toMatchObject({ source: 'override' }),
    )
  })
})

describe('secret options', () => {
  const KEY = 'sk-proj-0123456789abcdef'

  test('a secret is stored encrypted, never returned, and identified by its last four characters if it is long enough', async () => {
    const before = (await changes()).length
    await withOption('openai_api_key', `  ${KEY}\n`, async () => {
      const option = await read('openai_api_key')
      expect(option).toMatchObject({ value: { set: true, last4: 'cdef' }, default: { set: false }, source: 'override' })
      const list = (await root.get('/api/v1/options')).body
      expect(JSON.stringify([option, list])).not.toContain(KEY.slice(0, -4))
      const row = await rowOf('openai_api_key')
      expect(row).toMatchObject({ value: null, secret: expect.stringMatching(/^v1\./), last4: 'cdef' })
      expect(await t.deps.options.secret('openai_api_key')).toBe(KEY)
      expect((await lastChange())?.details).toEqual({
        before: { value: { set: false, last4: null }, source: 'default' },
        after: { value: { set: true, last4: 'cdef' }, source: 'override' },
      })
      const { rows } = await sql<{ dump: string }>`select audit_entry::text as dump from audit_entry`.execute(t.deps.db)
      expect(rows.filter(({ dump }) => dump.includes(KEY))).toEqual([])
      expectStatus(await setOption('openai_api_key', KEY), 200)
      expect(await rowOf('openai_api_key')).toEqual(row)
      expect(await changes()).toHaveLength(before + 1)
    })
    expect(await t.deps.options.secret('openai_api_key')).toBeUndefined()
    await withOption('openai_api_key', 'short', async () =>
      expect((await read('openai_api_key')).value).toEqual({ set: true, last4: null }),
    )
  })

  test('a secret cannot be moved to another row', async () => {
    await withOption('openai_api_key', KEY, () =>
      withOption('mistral_api_key', 'another-key-altogether', async () => {
        const { secret } = (await rowOf('openai_api_key')) ?? {}
        await t.deps.db
          .updateTable('option')
          .set({ secret: secret ?? null })
          .where('key', '=', 'mistral_api_key')
          .execute()
        await inTransaction(t.deps.db, (tx) => t.deps.invalidationBus.invalidate(tx, 'options'))
        await expect(t.deps.options.secret('mistral_api_key')).rejects.toThrow()
      }),
    )
  })

  test('a secret is encrypted again when the key is rotated', async () => {
    const { deps } = t
    await withOption('anthropic_api_key', KEY, async () => {
      await addKey(deps.db, deps.invalidationBus, 'a secret key for tests, long enough', 'encryption')
      await sql`update keyring set active_at = clock_timestamp()`.execute(deps.db)
      await deps.keyring.refresh()
      expect(sealedColumns).toContainEqual(['option', 'secret'])
      await reEncrypt(deps.db, deps.keyring, ['option', 'secret'])
      const { id } = deps.keyring.current('encryption')
      expect((await rowOf('anthropic_api_key'))?.secret).toMatch(new RegExp(`^v1\\.${id}\\.`))
      await inTransaction(deps.db, (tx) => deps.invalidationBus.invalidate(tx, 'options'))
      expect(await deps.options.secret('anthropic_api_key')).toBe(KEY)
    })
  })

  test('a secret from the environment is not returned either', async () => {
    await withOption('mail.smtp_url', 'smtp://agora:another-password@other.example.com', async () => {
      const option = await read('mail.smtp_url')
      expect(option).toMatchObject({
        value: { set: true, last4: '.com' },
        default: { set: true, last4: '2525' },
        environment: { key: 'SMTP_URL', is_set: true },
      })
      expect(inspect(option)).not.toMatch(/(a-long|another)-password/)
    })
    expect(await t.deps.options.secret('mail.smtp_url')).toMatch(/a-long-password/)
  })
})

describe('the key of a model as an option', () => {
  test("setModelKey sets and removes the key in the caller's transaction and returns what may be shown of it", async () => {
    const { id, key } = await newModel()
    const set = (value: string | null) => inTransaction(t.deps.db, (tx) => setModelKey(t.deps, tx, id, value))
    const none = { set: false, last4: null }
    const given = { set: true, last4: '6789' }
    expect(await set('key of a model 6789')).toEqual({ before: none, after: given })
    expect(await readModelKeys(t.deps.db, [id, id + 1])).toEqual(new Map([[id, given]]))
    expect(await t.deps.options.secret(`ai-model-${id}_api-key`)).toBe('key of a model 6789')
    expect(await read(key)).toMatchObject({ value: given })
    expect(await set(null)).toEqual({ before: given, after: none })
    expect(await set(null)).toEqual({ before: none, after: none })
    expect(await readModelKeys(t.deps.db, [id])).toEqual(new Map())
    expect(await t.deps.options.secret(`ai-model-${id}_api-key`)).toBeUndefined()
  })

  test('a rolled back change of a key is never visible', async () => {
    const { id } = await newModel()
    const undone = inTransaction(t.deps.db, async (tx) => {
      await setModelKey(t.deps, tx, id, 'a key that goes')
      expect(await t.deps.options.isSet(`ai-model-${id}_api-key`, tx)).toBeTypeOf('boolean')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await t.deps.options.isSet(`ai-model-${id}_api-key`)).toBe(false)
  })

  test('deleting a model while its key is set leaves no key behind', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await newModel()
      const deletion = inTransaction(t.deps.db, async (tx) => {
        await tx.deleteFrom('ai_model').where('id', '=', id).execute()
        await setModelKey(t.deps, tx, id, null)
      })
      const [answer] = await Promise.all([setOption(key, 'key-of-a-model'), deletion])
      expect([200, 404]).toContain(answer.status)
      expect(await rowOf(key)).toBeUndefined()
    }
  })
})

describe('the effects of options', () => {
  const instance = async (at = t) => expectStatus(await at.anyone.get('/api/v1/instance'), 200).body
  const signUp = () =>
    t.anyone.post('/api/auth/sign-up/email', { email: newAddress(), password: PASSWORD, name: 'Ada' })

  test('auth.sign_up closes the sign-up at once, and GET /instance shows it', async () => {
    await withOption('auth.sign_up', 'closed', async () => {
      expect(await instance()).toMatchObject({ sign_up: 'closed' })
      expectProblem(await signUp(), 403, 'sign_up_closed')
    })
    expect(await instance()).toMatchObject({ sign_up: 'open' })
    expectStatus(await signUp(), 200)
  })

  test('tokens.scopes_required makes every new token require a scope', async () => {
    const owner = await withWorkspace(t)
    const create = () => owner.post('/api/v1/api-tokens', { name: 'no scopes' })
    await withOption('tokens.scopes_required', true, async () =>
      expectProblem(await create(), 400, 'validation_failed', '/scopes'),
    )
    expectStatus(await create(), 201)
  })

  test('app.name is the name of the app in mails', async () => {
    await withOption('app.name', 'Agora <b>', async () => {
      const email = newAddress()
      expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }), 200)
      const mail = await t.deps.db
        .selectFrom('mail')
        .selectAll()
        .where('to_address', '=', email)
        .executeTakeFirstOrThrow()
      expect(mail.subject).toContain('Agora <b>')
      expect(mail.body_html).not.toContain('Agora <b>')
    })
  })
})

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
