import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealedColumns } from '../../server/lifecycle.ts'
import type { ApiResponse } from '../client.ts'
import { each } from '../each.ts'
import { expectStatus } from '../factories.ts'
import { startedConnection } from '../network-accounts.ts'
import { withCookies } from '../people.ts'
import { isOpen, nameOf, oneMount, type Route, routesWithAccess } from '../routes.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { SEED } from '../torture/settings.ts'
import { stateOf } from './database-state.ts'
import type { Schema } from './document.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { fill } from './resources.ts'
import { callWith, documented, sampleFor } from './samples.ts'

let fixture: Fixture
let routes: Route[]
const seen: { route: Route; response: ApiResponse }[] = []

beforeAll(async () => {
  fixture = await createFixture()
  routes = documented(await routesWithAccess(fixture.t.deps))
  await fill(fixture)
  const responses = await each(routes, async (route) => ({
    route,
    response: await callWith(route, await sampleFor(fixture, route)),
  }))
  seen.push(...responses)
})
afterAll(() => fixture.close())

test('every route succeeds with the published response and no other field, and no list is empty', () => {
  const faults = seen.flatMap(({ route, response }) => {
    const wanted = fixture.published.statusOf(route)
    const isEmptyList = Array.isArray(response.body?.data) && response.body.data.length === 0
    return [
      ...(response.status === wanted ? [] : [`responds with ${response.status} ${JSON.stringify(response.body)}`]),
      ...(isEmptyList ? ['is an empty list'] : []),
      ...fixture.published.faultsOf(route, response),
    ].map((fault) => `${nameOf(route)}: ${fault}`)
  })
  expect(faults).toEqual([])
})

test('every response has the security headers and a request id, and is cached only where intended', () => {
  for (const { route, response } of seen) {
    const of = (header: string) => [nameOf(route), response.headers.get(header)]
    expect(of('x-request-id')).toEqual([nameOf(route), expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(of('x-content-type-options')).toEqual([nameOf(route), 'nosniff'])
    expect(of('referrer-policy')).toEqual([nameOf(route), 'no-referrer'])
    expect(of('content-security-policy')).toEqual([nameOf(route), expect.stringContaining("frame-ancestors 'none'")])
    // The price list is public, and may be cached with revalidation. Files never change.
    const kept =
      route.path === '/api/v1/plans'
        ? 'no-cache'
        : /\/media\/(:id\/(file|thumbnail)|signed\/)|\/orders\/:id\/files\//.test(route.path)
          ? 'private, max-age=31536000, immutable'
          : route.path.endsWith('/posts.ics')
            ? 'private, max-age=900'
            : /\/review\/:id\/(picture|media|accounts)/.test(route.path)
              ? 'private, max-age=300'
              : route.path.endsWith('/avatar')
                ? 'private, max-age=3600'
                : route.path.includes('/samples/')
                  ? 'public, max-age=300'
                  : 'no-store'
    expect(of('cache-control')).toEqual([nameOf(route), kept])
  }
})

test('every sealed value is encrypted again when keys are rotated', async () => {
  const { db } = fixture.t.deps
  const bluesky = await blueskyServer()
  const mastodon = await mastodonServer()
  try {
    await startedConnection(fixture.owner, 'mastodon', mastodon.url)
    const account = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount('an-app-password') }
    expectStatus(await fixture.owner.post('/api/v1/accounts', account), 201)
  } finally {
    bluesky.close()
    mastodon.close()
  }
  expectStatus(await fixture.admin.put('/api/v1/options/openai_api_key', { value: 'key-of-a-vendor' }), 200)
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'ARRAY') order by 1, 2`.execute(db)
  const found: string[] = []
  for (const { table_name, column_name } of columns) {
    const { rows } = await sql`select from ${sql.table(table_name)}
      where ${sql.ref(column_name)}::text ~ '^[{"]*v1[.]' limit 1`.execute(db)
    if (rows.length) found.push(`${table_name}.${column_name}`)
  }
  expect(found).toEqual(sealedColumns.map((column) => column.join('.')).sort())
})

test('no response has a field or a value of a secret', async () => {
  const never =
    /^(hashed_token|previous_hashed_token|password|credentials?|secret|token|old_code|new_code|salt|otp|(?!public).*_key)$/
  const once: Record<string, string[]> = {
    token: ['POST /api/v1/api-tokens', 'POST /api/v1/api-tokens/:id/rotate'],
    secret: ['POST /api/v1/webhooks', 'POST /api/v1/public/webhooks', 'POST /api/v1/webhooks/:id/rotate-secret'],
  }
  /** Whether a value shows only if there is a secret, and its last characters. */
  const isHint = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'last4,set'
  const fieldsOf = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, child]) => [
          ...(Array.isArray(value) || name === 'model_key' || isHint(child) ? [] : [name]),
          ...fieldsOf(child),
        ])
      : []
  for (const { route, response } of seen) {
    const found = fieldsOf(response.body).filter((field) => never.test(field) && !once[field]?.includes(nameOf(route)))
    expect([nameOf(route), found]).toEqual([nameOf(route), []])
  }

  // Also by stored data: values of columns with such names must not appear in any response.
  const { db } = fixture.t.deps
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns where table_schema = 'public'
      and column_name ~ '(token|secret|password|credentials|backup_codes|_code|hash|key|sealed|wrapped)$'
      and data_type in ('text', 'bytea')`.execute(db)
  // Names, not secrets.
  const named = [
    'option.key',
    'push_key.public_key',
    'ai_model.model_key',
    'email_template.key',
    'playground_post.attempt_key',
    'rss_item.attempt_key',
    'post_version.content_hash',
    'review_decision.content_hash',
  ]
  const secrets = new Set<string>()
  for (const { table_name, column_name } of columns) {
    if (['mail', 'event'].includes(table_name) || named.includes(`${table_name}.${column_name}`)) continue
    if (column_name === 'error_code' || column_name === 'plan_code') continue
    const { rows } = await sql<{ value: string | null }>`
      select ${sql.ref(column_name)}::text as value from ${sql.table(table_name)}`.execute(db)
    for (const { value } of rows) if (value && value.length >= 16) secrets.add(value)
  }
  expect(secrets.size).toBeGreaterThan(20)
  for (const { route, response } of seen) {
    const text = JSON.stringify(response.body)
    const found = [...secrets].filter((secret) => text.includes(secret))
    expect([nameOf(route), found]).toEqual([nameOf(route), []])
  }
})

/** Another valid body for the route. */
function otherBody(route: Route, body: Record<string, unknown>) {
  const schema = fixture.published.bodyOf(route)
  const time = '2026-11-11T00:00:00Z'
  const other: unknown[] = [
    'Something else',
    'else@example.com',
    '987654',
    ['*'],
    [],
    7,
    true,
    null,
    'owner',
    'viewer',
    time,
    randomUUID(),
  ]
  for (const [name, property] of Object.entries<Schema>(schema?.properties ?? {})) {
    const given = body[name]
    const repeated = Array.isArray(given) ? [[...given, ...given]] : []
    for (const value of [...(fixture.published.named(property).enum ?? []), ...other, ...repeated]) {
      const changed = { ...body, [name]: value }
      if (JSON.stringify(given) !== JSON.stringify(value) && fixture.published.takes(route, changed)) return changed
    }
  }
  throw new Error(`There is nothing else to send to ${nameOf(route)}`)
}

test(`every authenticated POST supports Idempotency-Key, with 422 for another body and secrets shown once (seed ${SEED})`, async () => {
  const shownOnce = ['token', 'secret', 'totp_uri', 'backup_codes', 'authorize_url']
  const posts = oneMount(routes.filter((route) => route.method === 'POST' && !isOpen(route)))
  expect(posts.length).toBeGreaterThan(20)
  const started = await each(posts, async (route) => {
    const sample = await sampleFor(fixture, route)
    const key = { 'idempotency-key': `for-${nameOf(route).replace(/\W+/g, '-')}` }
    const first = await callWith(route, sample, key)
    // Some continue with a new session.
    const continues = first.headers.getSetCookie().some((cookie) => cookie.startsWith('meydan.session_token='))
    const who = continues ? withCookies(fixture.t, first) : sample.who
    return { route, sample: { ...sample, who }, key, first }
  })
  const before = await stateOf(fixture.t)
  await each(started, async ({ route, sample, key, first }) => {
    const at = (value: unknown) => [nameOf(route), value]
    expect(at([first.status, first.headers.get('idempotent-replayed')])).toEqual(
      at([fixture.published.statusOf(route), null]),
    )
    const again = await callWith(route, sample, key)
    expect(at([again.status, again.headers.get('idempotent-replayed')])).toEqual(at([first.status, 'true']))
    expect(at(again.headers.get('etag'))).toEqual(at(first.headers.get('etag')))
    // A link with a token is a secret too.
    const hidden = Object.entries(Object(first.body))
      .filter(
        ([name, value]) => shownOnce.includes(name) || /^\S+(\?token=|\?key=|\/review\/\S+#)\S+$/.test(String(value)),
      )
      .map(([name]) => [name, null])
    expect(at(again.body)).toEqual(at(first.status === 204 ? '' : { ...first.body, ...Object.fromEntries(hidden) }))
    expect(at(fixture.published.faultsOf(route, again))).toEqual(at([]))
    if (!sample.body) return
    const other = await callWith(route, { ...sample, body: otherBody(route, { ...sample.body }) }, key)
    expect(at([other.status, other.body.code])).toEqual(at([422, 'idempotency_key_reused']))
  })
  expect(await stateOf(fixture.t)).toEqual(before)
})
