import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sealedColumns } from '../../server/lifecycle.ts'
import { each } from '../each.ts'
import { expectStatus } from '../factories.ts'
import { startedConnection } from '../network-accounts.ts'
import { nameOf, shortNameOf } from '../routes.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { callWith, sampleFor } from './calls.ts'
import { type Called, keyOf, testIdempotency } from './idempotency.ts'
import type { Sweep } from './sweep.ts'

/** Routes whose sample does not last: codes expire, a workspace generates few videos at a time, agents start again. */
const madeLate = [
  'POST /ai/generate/video',
  'POST /api/auth/two-factor/verify-totp',
  'POST /me/two-factor/confirm',
  'POST /posts/:id/release',
]

export function testResponses(now: () => Sweep) {
  const seen: Called[] = []
  beforeAll(async () => {
    const { fixture, prepared } = now()
    const called = await each(prepared, async ({ route, sample: early }) => {
      const sample = madeLate.includes(shortNameOf(route)) ? await sampleFor(fixture, route) : early
      return { route, sample, response: await callWith(route, sample, keyOf(route)) }
    })
    seen.push(...called)
  })

  test('every route succeeds with the published response and no other field, and no list is empty', () => {
    const { fixture } = now()
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
    const { fixture } = now()
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
      const found = fieldsOf(response.body).filter(
        (field) => never.test(field) && !once[field]?.includes(nameOf(route)),
      )
      expect([nameOf(route), found]).toEqual([nameOf(route), []])
    }

    // Also by stored data: values of columns with such names must not appear in any response.
    const { db } = now().fixture.t.deps
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

  testIdempotency(now, seen)
}
