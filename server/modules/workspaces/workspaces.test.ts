import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'

/** Creates workspaces where the owner does not matter. */
let person: Person
const t = await testApp()
person = await signedIn(t)

let number = 0
const newName = (name = 'Workspace') => `${name} ${++number}`
const randomId = () => '01890000-0000-7000-8000-000000000000'

describe('POST /workspaces', () => {
  test('201 returns the workspace with its defaults, and the caller owns it', async () => {
    const person = await signedIn(t)
    const name = newName('Gündüz & Işık Öğrenci Çarşısı')
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `  ${name} ` }), 201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name,
      slug: `gunduz-isik-ogrenci-carsisi-${number}`,
      color: expect.any(String),
      picture_id: null,
      picture_url: null,
      default_currency: 'TRY',
      locale: 'tr',
      timezone: 'Europe/Istanbul',
      holiday_country: null,
      billing_address: null,
      plan_code: 'free',
      role: 'owner',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await person.get('/api/v1/workspace')).body).toEqual(body)
    expect((await person.get('/api/v1/workspaces')).body).toEqual({ data: [body], next_cursor: null })
  })

  test('201 stores a locale in its canonical form, and 400 for an invalid language tag', async () => {
    const person = await signedIn(t)
    const create = (locale: string) => person.post('/api/v1/workspaces', { name: newName(), locale })
    expect(expectStatus(await create('en-gb'), 201).body.locale).toBe('en-GB')
    expectProblem(await create('zz-ZZ-zz'), 400, 'validation_failed', '/locale')
  })

  test.each([
    ['İstanbul Şubesi', 'istanbul-subesi'],
    ['IĞDIR', 'igdir'],
    ['ÜÖÇŞĞıİ', 'uocsgii'],
    ['Crème brûlée', 'creme-brulee'],
    ['Straße Łódź', 'strasse-lodz'],
    ['  --A!!B--  ', 'a-b'],
    ['東京', 'workspace'],
    ['Q', 'workspace-q'],
    ['API', 'workspace-api'],
    ['x'.repeat(80), 'x'.repeat(35)],
    [`${'y'.repeat(34)} z`, 'y'.repeat(34)],
  ])('201 for the name %j derives the slug %j', async (name, slug) => {
    expect(expectStatus(await person.post('/api/v1/workspaces', { name }), 201).body.slug).toBe(slug)
  })

  test('201 appends -2, -3 and so on to a derived slug that is taken', async () => {
    const slugs = []
    for (const name of ['Deniz Feneri', 'Deniz-Feneri', 'Deniz, Feneri', 'Dénîz fenerı'])
      slugs.push(expectStatus(await person.post('/api/v1/workspaces', { name }), 201).body.slug)
    expect(slugs).toEqual(['deniz-feneri', 'deniz-feneri-2', 'deniz-feneri-3', 'deniz-feneri-4'])
  })

  test('twenty concurrent calls with different names and the same derived slug all succeed', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => person.post('/api/v1/workspaces', { name: `Kavak${'!'.repeat(n)}` })),
    )
    const slugs = responses.map((response) => expectStatus(response, 201).body.slug)
    expect(new Set(slugs)).toEqual(new Set(['kavak', ...Array.from({ length: 19 }, (_, n) => `kavak-${n + 2}`)]))
  })

  test('409 workspace_name_taken for all but one of twenty concurrent calls with the same name', async () => {
    const name = newName()
    const responses = await Promise.all(Array.from({ length: 20 }, () => person.post('/api/v1/workspaces', { name })))
    expect(responses.map((response) => response.status).sort()).toEqual([201, ...Array(19).fill(409)])
    for (const response of responses) if (response.status === 409) expectProblem(response, 409, 'workspace_name_taken')
  })

  test.each([
    ['full-width letters', 'Ｌａｌｅ'],
    ['mathematical letters', '𝐋𝐚𝐥𝐞'],
    ['a Cyrillic letter', 'Lаle'],
    ['a Cyrillic letter and another case', 'LАLE'],
    ['a Greek letter', 'Lαle'],
    ['a Roman numeral', 'Laⅼe'],
    ['an invisible joiner', 'Lal\u200de'],
  ])('409 for a name that looks like another because of %s', async (_, lookAlike) => {
    const suffix = newName()
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `Lale ${suffix}` }), 201)
    const name = `${lookAlike} ${suffix}`
    expectProblem(await person.post('/api/v1/workspaces', { name }), 409, 'workspace_name_taken')
    // The workspace itself may take such a name.
    expectStatus(await person.patch('/api/v1/workspace', { name }, { 'x-workspace-id': body.id }), 200)
    expectProblem(await person.post('/api/v1/workspaces', { name: `Lale  ${suffix}` }), 409, 'workspace_name_taken')
  })

  test('409 for the look-alike in capitals of another script, and for all but one of concurrent look-alikes', async () => {
    const suffix = newName()
    expectStatus(await person.post('/api/v1/workspaces', { name: `ACME ${suffix}` }), 201)
    for (const name of [`АСМЕ ${suffix}`, `асме ${suffix}`, `Αсme ${suffix}`])
      expectProblem(await person.post('/api/v1/workspaces', { name }), 409, 'workspace_name_taken')
    const names = ['Cap', 'Сар', 'Сap', 'Cар', 'Саp'].map((name) => `${name} ${suffix}`)
    const responses = await Promise.all(names.map((name) => person.post('/api/v1/workspaces', { name })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  })

  test('names of different words remain different', async () => {
    const suffix = newName()
    const names = [
      'Kır',
      'Kir',
      'Kör',
      'Kor',
      'Ясень',
      'Ясен',
      'Ömer 1',
      'Ömer l',
      'Corner',
      'Comer',
      'İnci',
      '東京',
      '京東',
    ]
    for (const name of names) expectStatus(await person.post('/api/v1/workspaces', { name: `${name} ${suffix}` }), 201)
    expectProblem(await person.post('/api/v1/workspaces', { name: `inci ${suffix}` }), 409, 'workspace_name_taken')
  })

  test('409 for a name that differs only in letter case or Unicode form', async () => {
    expectStatus(await person.post('/api/v1/workspaces', { name: 'Café Şimşek'.normalize('NFC') }), 201)
    for (const name of [
      'CAFÉ ŞIMŞEK'.replace('I', 'i'),
      'café şimşek',
      'Café Şimşek'.normalize('NFD'),
      ' Café Şimşek ',
    ])
      expectProblem(await person.post('/api/v1/workspaces', { name }), 409, 'workspace_name_taken')
  })

  test('409 workspace_slug_taken for a requested slug that is taken', async () => {
    expectStatus(await person.post('/api/v1/workspaces', { name: newName(), slug: 'taken' }), 201)
    expectProblem(
      await person.post('/api/v1/workspaces', { name: newName(), slug: 'taken' }),
      409,
      'workspace_slug_taken',
    )
  })

  test.each(['a', '-ab', 'ab-', 'a--b', 'Ab', 'a_b', 'çay', 'a b', 'x'.repeat(41), '', 'a.b', 'ab\n'])(
    '400 for the invalid slug %j',
    async (slug) => {
      const response = await person.post('/api/v1/workspaces', { name: newName(), slug })
      expectProblem(response, 400, 'validation_failed', '/slug')
    },
  )

  test.each(['api', 'admin', 'docs', 'me', 'setup', 'public', '01890000-0000-7000-8000-000000000000'])(
    '400 for the slug %j, which is reserved or looks like an id',
    async (slug) => {
      const response = await person.post('/api/v1/workspaces', { name: newName(), slug })
      expectProblem(response, 400, 'validation_failed', '/slug')
    },
  )

  test.each(['ab', '0a', 'a-b-c', 'x'.repeat(40), '42'])('201 for the slug %j', async (slug) => {
    const response = await person.post('/api/v1/workspaces', { name: newName(), slug })
    expect(expectStatus(response, 201).body.slug).toBe(slug)
  })

  test.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: ' \t\n' }, '/name'],
    [{ name: 'x'.repeat(81) }, '/name'],
    [{ name: 42 }, '/name'],
    [{ name: 'A\0' }, '/name'],
    [{ name: 'A', plan_code: 'pro' }, '/plan_code'],
    [{ name: 'A', owner: 'x' }, '/owner'],
  ])('400 for the body %j', async (body, pointer) => {
    const code = pointer === '/plan_code' ? 'read_only' : 'validation_failed'
    expectProblem(await person.post('/api/v1/workspaces', body), 400, code, pointer)
  })

  test('401 without credentials', async () => {
    expectProblem(await t.anyone.post('/api/v1/workspaces', { name: 'A' }), 401, 'unauthenticated')
  })
})

describe('GET /workspaces', () => {
  test("200 lists the caller's workspaces with their roles, and no others", async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    await withWorkspace(t)
    const { body } = expectStatus(await author.get('/api/v1/workspaces'), 200)
    expect(body).toMatchObject({ data: [{ id: owner.workspace_id, role: 'author' }], next_cursor: null })
  })

  test('200 lists one workspace for a token that is bound to it, and all for a token for all workspaces', async () => {
    const owner = await withWorkspace(t)
    const bound = await withToken(t, owner)
    const free = await withToken(t, owner, [], { team_id: null })
    const { body } = expectStatus(await owner.post('/api/v1/workspaces', { name: newName() }), 201)
    const ids = async (client: typeof bound) =>
      (await client.get('/api/v1/workspaces')).body.data.map((workspace: { id: string }) => workspace.id)
    expect(await ids(bound)).toEqual([owner.workspace_id])
    expect(await ids(free)).toEqual([body.id, owner.workspace_id])
  })
})

describe('the current workspace', () => {
  test('the current workspace is the one that the header names by id or slug', async () => {
    const owner = await withWorkspace(t)
    const { body: second } = expectStatus(await owner.post('/api/v1/workspaces', { name: newName() }), 201)
    for (const name of [second.id, second.slug, second.id.toUpperCase()])
      expect((await owner.get('/api/v1/workspace', { 'x-workspace-id': name })).body.id).toBe(second.id)
  })

  test('the current workspace is the one chosen with PATCH /me when there is no header', async () => {
    const owner = await withWorkspace(t)
    const { body: second } = expectStatus(await owner.post('/api/v1/workspaces', { name: newName() }), 201)
    expectProblem(await owner.get('/api/v1/workspace'), 409, 'workspace_required')
    for (const id of [second.id, owner.workspace_id]) {
      expectStatus(await owner.patch('/api/v1/me', { workspace_id: id }), 200)
      expect((await owner.get('/api/v1/workspace')).body.id).toBe(id)
    }
    const named = await owner.get('/api/v1/workspace', { 'x-workspace-id': second.slug })
    expect(named.body.id).toBe(second.id)
  })

  test('the current workspace is the only one when none was chosen, and 409 workspace_required without any', async () => {
    const person = await signedIn(t)
    expectProblem(await person.get('/api/v1/workspace'), 409, 'workspace_required')
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: newName() }), 201)
    expect((await person.get('/api/v1/workspace')).body.id).toBe(body.id)
  })

  test('a chosen workspace that the user has left is not the current one', async () => {
    const owner = await withWorkspace(t)
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await editor.patch('/api/v1/me', { workspace_id: owner.workspace_id }), 200)
    await t.deps.db.deleteFrom('workspace_member').where('user_id', '=', editor.id).execute()
    expectProblem(await editor.get('/api/v1/workspace'), 409, 'workspace_required')
  })

  test('404 for the workspace of another user, with the response of an unknown one', async () => {
    const [owner, stranger] = [await withWorkspace(t), await withWorkspace(t)]
    const { slug } = (await owner.get('/api/v1/workspace')).body
    const absent = await stranger.get('/api/v1/workspace', { 'x-workspace-id': randomId() })
    expectProblem(absent, 404, 'not_found')
    for (const name of [owner.workspace_id, slug, 'nowhere', '..', "'", 'x'.repeat(300)]) {
      const response = await stranger.get('/api/v1/workspace', { 'x-workspace-id': name })
      expect(withoutIds(response)).toEqual(withoutIds(absent))
    }
  })
})

describe('PATCH /workspace', () => {
  let owner: WorkspaceOwner
  beforeAll(async () => {
    owner = await withWorkspace(t)
  })

  test('200 changes every setting, and a null removes the address', async () => {
    const change = {
      name: newName(),
      slug: `renamed-${number}`,
      default_currency: 'USD',
      locale: 'en-GB',
      timezone: 'Europe/London',
      billing_address: {
        name: 'Ada Ltd.',
        line1: 'Street 1',
        city: 'London',
        country: 'GB',
        postal: 'N1',
        tax_id: '7',
      },
    }
    const before = (await owner.get('/api/v1/workspace')).body
    const { body } = expectStatus(await owner.patch('/api/v1/workspace', change), 200)
    expect(body).toEqual({ ...before, ...change, updated_at: expect.any(String) })
    expect((await owner.get('/api/v1/workspace')).body).toEqual(body)
    expect((await owner.patch('/api/v1/workspace', { billing_address: null })).body.billing_address).toBeNull()
  })

  test("200 for a workspace's own name and slug, and for its name in other letter case", async () => {
    const { name, slug } = (await owner.get('/api/v1/workspace')).body
    expectStatus(await owner.patch('/api/v1/workspace', { name, slug }), 200)
    expect((await owner.patch('/api/v1/workspace', { name: name.toUpperCase() })).body.name).toBe(name.toUpperCase())
  })

  test('403 forbidden_role for members below admin', async () => {
    const { workspace_id } = await withWorkspace(t)
    for (const role of ['viewer', 'author', 'editor'] as const) {
      const member = await memberOf(t, workspace_id, role)
      expectProblem(await member.patch('/api/v1/workspace', { locale: 'en' }), 403, 'forbidden_role')
    }
    expectStatus(await (await memberOf(t, workspace_id, 'admin')).patch('/api/v1/workspace', { locale: 'en' }), 200)
  })

  test('400 read_only for a field that cannot be set here, with its pointer', async () => {
    const before = (await owner.get('/api/v1/workspace')).body
    for (const field of ['plan_code', 'id', 'role', 'created_at']) {
      const response = await owner.patch('/api/v1/workspace', { [field]: 'pro', locale: 'en' })
      const { errors } = expectProblem(response, 400, 'read_only', `/${field}`)
      expect(errors).toEqual([{ pointer: `/${field}`, code: 'read_only', message: expect.any(String) }])
    }
    expect((await owner.get('/api/v1/workspace')).body).toEqual(before)
  })

  test.each([
    [{}, ''],
    [{ default_currency: 'EUR' }, '/default_currency'],
    [{ default_currency: 'try' }, '/default_currency'],
    [{ billing_address: { zip: '34000' } }, '/billing_address/zip'],
    [{ billing_address: { plan_code: 'x' } }, '/billing_address/plan_code'],
    [{ billing_address: { name: 5 } }, '/billing_address/name'],
    [{ billing_address: 'Street 1' }, '/billing_address'],
    [{ billing_address: { name: 'x'.repeat(201) } }, '/billing_address/name'],
    [{ timezone: 'Europe/Constantinople-on-Sea' }, '/timezone'],
    [{ timezone: '' }, '/timezone'],
    [{ holiday_country: 'tr' }, '/holiday_country'],
    [{ holiday_country: 'JP' }, '/holiday_country'],
    [{ holiday_country: '../etc' }, '/holiday_country'],
    [{ locale: 'Türkçe' }, '/locale'],
    [{ locale: 'zz-ZZ-zz' }, '/locale'],
    [{ name: null }, '/name'],
    [{ slug: 'api' }, '/slug'],
    [{ slug: 'No Slug' }, '/slug'],
    [{ colour: 'red' }, '/colour'],
    [{ color: 'mauve' }, '/color'],
    [{ color: null }, '/color'],
    [{ picture_id: 'logo.png' }, '/picture_id'],
    [{ 'a/b~c': 1 }, '/a~1b~0c'],
  ])('400 for %j, with its pointer', async (body, pointer) => {
    expectProblem(await owner.patch('/api/v1/workspace', body), 400, 'validation_failed', pointer)
  })

  test('409 when the name or the slug belongs to another workspace', async () => {
    const other = await withWorkspace(t)
    const { name, slug } = (await other.get('/api/v1/workspace')).body
    expectProblem(await owner.patch('/api/v1/workspace', { name }), 409, 'workspace_name_taken')
    expectProblem(await owner.patch('/api/v1/workspace', { slug }), 409, 'workspace_slug_taken')
  })

  test('one of ten concurrent calls with the same slug succeeds, and none gets a 5xx', async () => {
    const owners = await Promise.all(Array.from({ length: 10 }, () => withWorkspace(t)))
    const responses = await Promise.all(owners.map((owner) => owner.patch('/api/v1/workspace', { slug: 'wanted' })))
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('GET /admin/outbox', () => {
  test('200 for instance admins, who can read each mail', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    const email = `outbox${number}@example.com`
    expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }), 200)
    const { body } = expectStatus(await admin.get('/api/v1/admin/outbox?limit=1'), 200)
    expect(body.data[0]).toMatchObject({ to_address: email, key: 'signup-otp', state: 'kept', error: null })
    expect((await admin.get(`/api/v1/admin/outbox/${body.data[0].id}`)).body).toEqual(body.data[0])
    expectProblem(await admin.get(`/api/v1/admin/outbox/${randomId()}`), 404, 'not_found')
    expectProblem(await admin.get('/api/v1/admin/outbox/1'), 400, 'validation_failed', '/id')
  })

  test('403 for owners of workspaces, and for any token', async () => {
    const owner = await withWorkspace(t)
    const admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await admin.post('/api/v1/workspaces', { name: newName() }), 201)
    const token = await withToken(t, admin)
    for (const path of ['/api/v1/admin/outbox', `/api/v1/admin/outbox/${randomId()}`]) {
      expectProblem(await owner.get(path), 403, 'forbidden_role')
      expectProblem(await token.get(path), 403, 'token_not_accepted')
      expectProblem(await t.anyone.get(path), 401, 'unauthenticated')
    }
  })
})
