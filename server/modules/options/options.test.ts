import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, signedIn, withWorkspace } from '../../../test/factories.ts'
import { optionCalls } from '../../../test/options.ts'
import { auditOf, waiting } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { order } from './catalogue.ts'

const t = await testApp({
  SMTP_URL: 'smtp://meydan:a-long-password@mail.example.com:2525',
  MAIL_FROM: 'post@example.com',
})
const root = await signedIn(t, { instanceAdmin: true })

const { path, setOption, resetOption, read, rowOf, changes, lastChange, withOption, newModel } = optionCalls(() => ({
  t,
  root,
}))

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
    const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => change(`Forum ${n}`, tag)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
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
      await until(async () => expect(await waiting(t)).toBe(1))
      return { setting }
    }).then(async ({ setting }) => expectProblem(await setting, 400, 'validation_failed', '/value'))
    await t.deps.db.updateTable('plan').set({ is_active: true }).where('code', '=', 'team').execute()
  })

  test('concurrent changes are recorded one after another, each with the value that the one before set', async () => {
    const person = await signedIn(t, { instanceAdmin: true })
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`)
    for (const response of await Promise.all(names.map((name) => setOption('app.name', name, person))))
      expectStatus(response, 200)
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

describe('the effects of options', () => {
  const instance = async (at = t) => expectStatus(await at.anyone.get('/api/v1/instance'), 200).body
  const signUp = () =>
    t.anyone.post('/api/auth/sign-up/email', { email: newAddress(), password: PASSWORD, name: 'Ada' })

  test('auth.sign_up is by default what suits the address of the instance', async () => {
    expect(await read('auth.sign_up')).toMatchObject({ value: 'open', default: 'open', source: 'default' })
    const own = await testApp({ BASE_URL: 'https://meydan.example.com' })
    try {
      expect((await own.anyone.get('/api/v1/instance')).body.sign_up).toBe('invitation')
      const admin = await signedIn(own, { instanceAdmin: true })
      const { body } = expectStatus(await admin.get('/api/v1/options'), 200)
      expect(body.data.find(({ key }: { key: string }) => key === 'auth.sign_up')).toMatchObject({
        default: 'invitation',
        source: 'default',
      })
    } finally {
      await own.close()
    }
  })

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
