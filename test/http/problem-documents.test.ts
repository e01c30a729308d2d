import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../server/errors.ts'
import { testApp } from '../app.ts'
import { expectStatus, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { rawRequest } from '../raw-http.ts'

const t = await testApp()
const owner = await withWorkspace(t)

describe('problem documents', () => {
  test('a problem document has the members of RFC 9457 and the documented ones, and no others', async () => {
    const response = await owner.post('/api/v1/posts?x=1', { labels: 'x' }, { 'x-request-id': 'my-id_1' })
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(response.body).toEqual({
      type: '/docs/errors#validation_failed',
      title: 'Some fields are not valid',
      status: 400,
      detail: expect.any(String),
      instance: '/api/v1/posts',
      code: 'validation_failed',
      request_id: 'my-id_1',
      errors: expect.arrayContaining([
        { pointer: '/content', code: 'required', message: expect.any(String) },
        {
          pointer: '/labels',
          code: 'invalid',
          message: expect.any(String),
          translations: { tr: 'Bu değer başka türden olmalı.' },
        },
      ]),
    })
  })

  test('a problem document lists each field once, with a readable message', async () => {
    const response = await owner.post('/api/v1/posts', { content: 'x', account_ids: ['x'], scheduled_at: 'tomorrow' })
    expect(response.body.errors).toEqual([
      { pointer: '/account_ids/0', code: 'invalid', message: 'This is not an id.' },
      { pointer: '/scheduled_at', code: 'invalid', message: 'This is not a time such as 2026-03-01T09:00:00Z.' },
    ])
    const blank = await owner.post('/api/v1/workspaces', { name: '' })
    expect(blank.body.errors).toEqual([
      {
        pointer: '/name',
        code: 'too_short',
        message: 'This must not be empty.',
        translations: { tr: 'Bu alan boş olamaz.' },
      },
    ])
  })

  test('503 with Retry-After for a write that deadlocks three times, and one that deadlocks twice succeeds', async () => {
    // A sequence counts also what is rolled back.
    await sql
      .raw(`create sequence deadlocks;
        create function deadlock() returns trigger language plpgsql as $$
          begin
            if nextval('deadlocks') <= 5 then raise exception using errcode = 'deadlock_detected'; end if;
            return new;
          end $$;
        create trigger deadlock before insert on snippet for each row execute function deadlock()`)
      .execute(t.deps.db)
    const create = () => owner.post('/api/v1/snippets', { name: 'Tags', content: '#one' })
    const refused = await create()
    expect(expectProblem(refused, 503, 'unavailable').detail).toContain('Nothing was changed.')
    expect(refused.headers.get('retry-after')).toBe('1')
    expectStatus(await create(), 201)
  })

  test('every code is explained on the page that its type links to', async () => {
    const page = expectStatus(await t.anyone.get('/docs/errors'), 200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const code of Object.keys(catalogue)) expect(page.body).toContain(`id="${code}"`)
  })

  test('a valid X-Request-Id is returned, and any other is replaced by a UUIDv7', async () => {
    for (const id of ['a', 'A-z_0', 'x'.repeat(64)])
      expect((await owner.get('/api/v1/me', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
    for (const id of ['', 'x'.repeat(65), 'a b', 'a.b', 'a:b', 'a,b', '{}']) {
      const given = (await owner.get('/api/v1/me', { 'x-request-id': id })).headers.get('x-request-id')
      expect(given).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    const twice = [
      'GET /healthz HTTP/1.1',
      'host: x',
      'x-request-id: a',
      'x-request-id: b',
      'connection: close',
      '',
      '',
    ]
    expect((await rawRequest(t.url, twice)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
