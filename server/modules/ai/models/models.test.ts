import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type Person, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { auditOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })

const input = { provider: 'openai', model_key: 'gpt-4o-mini', name: 'Small' }
const create = async (more: object = {}) =>
  expectStatus(await admin.post('/api/v1/ai-models', { ...input, ...more }), 201).body
const read = async (id: number | string) => expectStatus(await admin.get(`/api/v1/ai-models/${id}`), 200).body
const put = (id: number | string, body: object, headers?: Record<string, string>) =>
  admin.call('PUT', `/api/v1/ai-models/${id}`, { body, ...(headers && { headers }) })
const list = async (query = '', path = '/api/v1/ai-models', who: Pick<Person, 'get'> = admin) =>
  expectStatus(await who.get(`${path}${query}`), 200).body
const entries = async (target: string) => (await auditOf(t, admin.id)).filter(({ target_id }) => target_id === target)

describe('POST /ai-models', () => {
  test('201 returns the documented defaults, and the model can be read by either id', async () => {
    const response = await admin.post('/api/v1/ai-models', input)
    const model = expectStatus(response, 201).body
    expect(model).toEqual({
      ...input,
      id: expect.any(Number),
      id_secure: expect.stringMatching(/^[0-9a-f-]{36}$/),
      category: 'text',
      type: null,
      is_active: true,
      api_type: 'chat',
      api_params: { max_tokens: 1024, temperature: 0.7 },
      meta: {},
      ...{ input_price_usd: null, output_price_usd: null, image_price_usd: null, video_second_price_usd: null },
      api_key: { set: false, last4: null },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await read(model.id)).toEqual(model)
    expect(await read(model.id_secure)).toEqual(model)
    expect(await read(model.id_secure.toUpperCase())).toEqual(model)
    const { created_at, updated_at, id, id_secure, api_key, ...after } = model
    expect(await entries(model.id_secure)).toMatchObject([{ action: 'ai_model.created', details: { after } }])
  })

  test('201 stores every field as given, and open objects keep all their fields', async () => {
    const given = {
      ...{ provider: 'custom', model_key: 'org/model:free', name: 'Büyük', category: 'text', type: 'reasoning' },
      ...{ is_active: false, api_type: 'completion' },
      api_params: {
        ...{ max_tokens: null, temperature: 1.5, top_p: 0.9, base_url: 'https://models.example.com/v1', stop: ['x'] },
        provider_options: { a: { b: [1] } },
      },
      meta: { owner: 'ops', price: { in: 0.1 } },
    }
    expect(await create(given)).toMatchObject(given)
  })

  test.each([
    ['an unknown provider', { provider: 'other' }, '/provider'],
    ['no name', { name: undefined }, '/name'],
    ['a name of two lines', { name: 'a\nb' }, '/name'],
    ['a space in the model key', { model_key: 'a b' }, '/model_key'],
    ['a model key of 201 characters', { model_key: 'x'.repeat(201) }, '/model_key'],
    ['an unknown field', { price: 1 }, '/price'],
    ['an unknown category', { category: 'sound' }, '/category'],
    ['images of anthropic', { provider: 'anthropic', category: 'image' }, '/category'],
    ['images of mistral', { provider: 'mistral', category: 'image' }, '/category'],
    ['videos of openai', { category: 'video' }, '/category'],
    [
      'images of google by a model other than Gemini',
      { provider: 'google', category: 'image', model_key: 'imagen-4' },
      '/model_key',
    ],
    ['embeddings of anthropic', { provider: 'anthropic', api_type: 'embedding' }, '/api_type'],
    ['completions of google', { provider: 'google', api_type: 'completion' }, '/api_type'],
    ['max_tokens of 0', { api_params: { max_tokens: 0 } }, '/api_params/max_tokens'],
    ['max_tokens as text', { api_params: { max_tokens: '10' } }, '/api_params/max_tokens'],
    ['a temperature of 2.1', { api_params: { temperature: 2.1 } }, '/api_params/temperature'],
    ['17 KB of api_params', { api_params: { x: 'x'.repeat(17_000) } }, '/api_params'],
    ['17 KB of meta', { meta: { x: 'é'.repeat(8_500) } }, '/meta'],
    ['a key in api_params', { api_params: { api_key: 'sk-1' } }, '/api_params/api_key'],
    ['credentials in meta', { meta: { Authorization: 'Bearer x' } }, '/meta/Authorization'],
    ['custom without a base_url', { provider: 'custom' }, '/api_params/base_url'],
  ])('400 for %s', async (_, more, pointer) => {
    const response = await admin.post('/api/v1/ai-models', { ...input, ...more })
    expectProblem(response, 400, 'validation_failed', pointer)
  })

  test.each([
    ['a private range that is not allowed', 'https://10.0.0.1/v1'],
    ['a metadata address', 'http://169.254.169.254/v1'],
    ['plain http beyond the allowed ranges', 'http://93.184.215.14/v1'],
    ['user and password', 'https://me:secret@models.example.com/v1'],
    ['another protocol', 'ftp://models.example.com/v1'],
    ['no URL', 'models'],
    ['a query', 'https://models.example.com/v1?key=x'],
    ['a fragment', 'https://models.example.com/v1#x'],
    ['a port of another protocol', 'https://models.example.com:25/v1'],
  ])('400 for a base_url with %s', async (_, base_url) => {
    const response = await admin.post('/api/v1/ai-models', { ...input, api_params: { base_url } })
    expectProblem(response, 400, 'url_not_allowed', '/api_params/base_url')
  })

  test('400 for an id, which is assigned by Meydan', async () => {
    expectProblem(await admin.post('/api/v1/ai-models', { ...input, id: 7 }), 400, 'read_only', '/id')
  })

  test('201 for a base_url on this machine by default, where servers such as Ollama run', async () => {
    for (const base_url of ['http://127.0.0.1:11434/v1', 'http://localhost:1234/v1', 'http://[::1]:8080'])
      await create({ provider: 'ollama', api_params: { base_url } })
  })

  test('AI_ALLOW_CIDRS sets the ranges that a base_url may be in', async () => {
    const other = await testApp({ AI_ALLOW_CIDRS: '10.1.0.0/16' })
    const person = await signedIn(other, { instanceAdmin: true })
    const at = (base_url: string) => person.post('/api/v1/ai-models', { ...input, api_params: { base_url } })
    expectStatus(await at('http://10.1.2.3:8000/v1'), 201)
    expectProblem(await at('http://127.0.0.1:11434/v1'), 400, 'url_not_allowed')
    await other.close()
  })
})

describe('PUT /ai-models/:id', () => {
  test('200 keeps absent fields and replaces open objects whole, and the audit log lists the changes', async () => {
    const model = await create({ meta: { a: 1, b: 2 }, api_params: { top_p: 0.5, max_tokens: 9 } })
    const response = expectStatus(
      await put(model.id, { name: 'Other', meta: { b: 3 }, api_params: { max_tokens: 10 } }),
      200,
    )
    expect(response.body).toMatchObject({
      ...{ name: 'Other', meta: { b: 3 }, model_key: input.model_key },
      api_params: { max_tokens: 10, temperature: 0.7 },
    })
    expect(response.body.api_params).not.toHaveProperty('top_p')
    expect(response.headers.get('etag')).toBe('"2"')
    expect((await entries(model.id_secure)).at(-1)).toMatchObject({
      action: 'ai_model.updated',
      details: {
        before: { name: 'Small', meta: { a: 1, b: 2 } },
        after: { name: 'Other', meta: { b: 3 }, api_params: { max_tokens: 10, temperature: 0.7 } },
      },
    })
  })

  test('200 for a change without effect keeps the version and writes no audit entry', async () => {
    const model = await create()
    expect((await put(model.id, { name: 'Small' })).headers.get('etag')).toBe('"1"')
    expect(await entries(model.id_secure)).toHaveLength(1)
  })

  test('412 for a model that was changed meanwhile, and for one of two concurrent changes', async () => {
    const model = await create()
    const both = await Promise.all(['A', 'B'].map((name) => put(model.id_secure, { name }, { 'if-match': '"1"' })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    expectProblem(await put(model.id, { name: 'C' }, { 'if-match': '"1"' }), 412, 'version_conflict')
  })

  test('400 for a change that would make the whole model invalid', async () => {
    const { id } = await create({ api_type: 'completion' })
    expectProblem(await put(id, { provider: 'mistral' }), 400, 'validation_failed', '/api_type')
    expectProblem(await put(id, { provider: 'custom' }), 400, 'validation_failed', '/api_params/base_url')
  })

  test('404 for an unknown id of any size', async () => {
    for (const id of ['999999', '9999999999', '01920000-0000-7000-8000-000000000000']) {
      expectProblem(await put(id, { name: 'A' }), 404, 'not_found')
      expectProblem(await admin.get(`/api/v1/ai-models/${id}`), 404, 'not_found')
      expectProblem(await admin.delete(`/api/v1/ai-models/${id}`), 404, 'not_found')
      expectProblem(await admin.put(`/api/v1/ai-models/${id}/api-key`, { api_key: 'x' }), 404, 'not_found')
      expectProblem(await admin.post(`/api/v1/options/test/ai-model/${id}`), 404, 'not_found')
    }
    expectProblem(await admin.get('/api/v1/ai-models/gpt'), 400, 'validation_failed')
  })
})

describe('GET /ai-models', () => {
  test('200 in pages with filters and search, newest first, and no model repeats while others are created', async () => {
    const names = ['One%', 'Two', 'Three', 'Four', 'Five']
    for (const name of names)
      await create({ provider: 'xai', model_key: `grok-${name.toLowerCase().replace('%', '')}`, name })
    const first = await list('?provider=xai&limit=2')
    expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['Five', 'Four'])
    await create({ provider: 'xai', name: 'Six' })
    const second = await list(`?provider=xai&limit=2&cursor=${first.next_cursor}`)
    expect(second.data.map(({ name }: { name: string }) => name)).toEqual(['Three', 'Two'])
    const last = await list(`?provider=xai&limit=2&cursor=${second.next_cursor}`)
    expect([last.data.length, last.next_cursor]).toEqual([1, null])
    const found = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
    expect(await found('?search=GROK-th')).toEqual(['Three'])
    expect(await found('?search=%25')).toEqual(['One%'])
    await create({ provider: 'xai', name: 'Video', category: 'video', is_active: false })
    expect(await found('?provider=xai&category=video')).toEqual(['Video'])
    expect(await found('?provider=xai&is_active=false')).toEqual(['Video'])
    expectProblem(await admin.get('/api/v1/ai-models?provider=x'), 400, 'validation_failed', '/provider')
  })

  test('cursors of earlier releases are read, and texts that no release wrote are refused with 400', async () => {
    await create({ name: 'First' })
    await create({ name: 'Second' })
    const { data, next_cursor } = await list('?limit=1')
    expect(next_cursor).toBe(Buffer.from(String(data[0].id)).toString('base64url'))
    for (const text of ['x', '0', '-1', '1.5', '1e3', '2147483648', '99999999999', '1 2', '1\n'])
      for (const path of ['ai-models', 'ai-models/active'])
        expectProblem(
          await admin.get(`/api/v1/${path}?cursor=${Buffer.from(text).toString('base64url')}`),
          ...([400, 'validation_failed', '/cursor'] as const),
        )
  })
})

describe('GET /ai-models/active', () => {
  test('200 lists active models for every user, without parameters, notes and keys', async () => {
    const model = await create({ provider: 'google', model_key: 'gemini', name: 'Shown', meta: { secret_plan: 1 } })
    const hidden = await create({ provider: 'google', name: 'Hidden', is_active: false })
    await create({ provider: 'google', name: 'Video', category: 'video', model_key: 'veo' })
    const someone = await signedIn(t)
    const { data } = await list('', '/api/v1/ai-models/active', someone)
    const { id, id_secure } = model
    expect(data.find((each: { id: number }) => each.id === id)).toEqual({
      ...{ id, id_secure, name: 'Shown', provider: 'google', model_key: 'gemini' },
      ...{ category: 'text', type: null, api_type: 'chat' },
    })
    expect(data.map((each: { id: number }) => each.id)).not.toContain(hidden.id)
    const videos = await list('?category=video', '/api/v1/ai-models/active', someone)
    expect(videos.data.map(({ name }: { name: string }) => name)).toEqual(['Video'])
    const one = await list('?limit=1', '/api/v1/ai-models/active', someone)
    expect(one.data).toHaveLength(1)
    expect(one.next_cursor).toEqual(expect.any(String))
    expectStatus(await put(id, { is_active: false }), 200)
    const after = await list('?limit=100', '/api/v1/ai-models/active', someone)
    expect(after.data.map((each: { id: number }) => each.id)).not.toContain(id)
  })

  test('200 under /public for a token with ai:read', async () => {
    const owner = await withWorkspace(t)
    const path = '/api/v1/public/ai-models/active'
    expectStatus(await (await withToken(t, owner, ['ai:read'])).get(path), 200)
    expectProblem(await (await withToken(t, owner, ['posts:read'])).get(path), 403, 'insufficient_scope')
    expectProblem(await t.anyone.get('/api/v1/ai-models/active'), 401, 'unauthenticated')
  })
})

test('403 for users who are not instance admins, except on the list of active models', async () => {
  const owner = await withWorkspace(t)
  const { id } = await create()
  const responses = [
    await owner.get('/api/v1/ai-models'),
    await owner.get(`/api/v1/ai-models/${id}`),
    await owner.post('/api/v1/ai-models', input),
    await owner.put(`/api/v1/ai-models/${id}`, { name: 'x' }),
    await owner.put(`/api/v1/ai-models/${id}/api-key`, { api_key: 'x' }),
    await owner.delete(`/api/v1/ai-models/${id}`),
    await owner.post(`/api/v1/options/test/ai-model/${id}`),
  ]
  for (const response of responses) expectProblem(response, 403, 'forbidden_role')
})

test('DELETE /ai-models/:id deletes the model with its key, and gets 404 the second time', async () => {
  const { id, id_secure } = await create()
  expectStatus(await admin.put(`/api/v1/ai-models/${id}/api-key`, { api_key: 'sk-a-key-to-be-deleted' }), 204)
  const option = `ai-model-${id}_api-key`
  expectStatus(await admin.get(`/api/v1/options/${option}`), 200)
  expectStatus(await admin.delete(`/api/v1/ai-models/${id_secure}`), 204)
  expectProblem(await admin.delete(`/api/v1/ai-models/${id}`), 404, 'not_found')
  expectProblem(await admin.get(`/api/v1/options/${option}`), 404, 'not_found')
  expect(await t.deps.db.selectFrom('option').select('id').where('key', '=', option).execute()).toEqual([])
  expect((await entries(id_secure)).at(-1)).toMatchObject({ action: 'ai_model.deleted', details: { before: input } })
})
