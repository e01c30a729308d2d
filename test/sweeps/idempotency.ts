import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ApiResponse } from '../client.ts'
import { each } from '../each.ts'
import { withCookies } from '../people.ts'
import { isOpen, nameOf, type Route } from '../routes.ts'
import { callWith, type Prepared } from './calls.ts'
import { stateOf } from './database-state.ts'
import type { Schema } from './document.ts'
import type { Fixture } from './fixture.ts'
import type { Sweep } from './sweep.ts'

/** A route with the sample that it was called with, and its response. */
export type Called = Prepared & { response: ApiResponse }

/** The header of each authenticated POST, with a key for the route. */
export const keyOf = (route: Route): Record<string, string> | undefined =>
  route.method === 'POST' && !isOpen(route)
    ? { 'idempotency-key': `for-${nameOf(route).replace(/\W+/g, '-')}` }
    : undefined

/** Another valid body for the route. */
function otherBody({ published }: Fixture, route: Route, body: Record<string, unknown>) {
  const schema = published.bodyOf(route)
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
    for (const value of [...(published.named(property).enum ?? []), ...other, ...repeated]) {
      const changed = { ...body, [name]: value }
      if (JSON.stringify(given) !== JSON.stringify(value) && published.takes(route, changed)) return changed
    }
  }
  throw new Error(`There is nothing else to send to ${nameOf(route)}`)
}

/** `seen`: the requests that have succeeded, with their keys. */
export function testIdempotency(now: () => Sweep, seen: readonly Called[]) {
  test('every authenticated POST supports Idempotency-Key, with 422 for another body and secrets shown once', async () => {
    const shownOnce = ['token', 'secret', 'totp_uri', 'backup_codes', 'authorize_url']
    const { fixture, preparedOnce } = now()
    const once = new Set(preparedOnce.map(({ route }) => route))
    const posts = seen.filter(({ route }) => keyOf(route) && once.has(route))
    expect(posts.length).toBeGreaterThan(20)
    const before = await stateOf(fixture.t)
    await each(posts, async ({ route, sample: used, response: first }) => {
      const key = keyOf(route)
      // Some continue with a new session.
      const continues = first.headers.getSetCookie().some((cookie) => cookie.startsWith('meydan.session_token='))
      const sample = { ...used, who: continues ? withCookies(fixture.t, first) : used.who }
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
      const other = await callWith(route, { ...sample, body: otherBody(fixture, route, { ...sample.body }) }, key)
      expect(at([other.status, other.body.code])).toEqual(at([422, 'idempotency_key_reused']))
    })
    expect(await stateOf(fixture.t)).toEqual(before)
  })
}
