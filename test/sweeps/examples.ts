import { expect, test } from 'vitest'
import { exampleId } from '../../server/lib/http/schema/schema.ts'
import { each } from '../each.ts'
import { playgroundAccount } from '../factories.ts'
import { nameOf, type Route, shortNameOf } from '../routes.ts'
import { callWith, sampleFor } from './calls.ts'
import type { Fixture } from './fixture.ts'
import type { Sweep } from './sweep.ts'

/** Fields whose value only the instance has: codes and tokens that it sent, names that exist, the current time. */
const known: Record<string, string[]> = {
  'POST /setup': ['code'],
  'POST /api/auth/email-otp/verify-email': ['email', 'otp'],
  'POST /api/auth/sign-in/email': ['email'],
  'POST /api/auth/two-factor/verify-totp': ['code'],
  'POST /api/auth/two-factor/verify-backup-code': ['code'],
  'POST /api/auth/reset-password': ['token'],
  'POST /me/email/confirm': ['old_code', 'new_code'],
  'POST /me/two-factor/confirm': ['code'],
  'POST /admin/plans/order': ['codes'],
  'POST /webhooks/:id/recover': ['since'],
  'DELETE /workspace': ['name'],
  'POST /catalog/agent-recipes/publish': ['agent_id'],
  'POST /media/import': ['url'],
  'POST /accounts/connections/:id/choose': ['external_ids'],
  'POST /marketplace/orders': ['gig_id', 'requirements'],
  'POST /marketplace/orders/:id/messages/read': ['message_id'],
  'POST /accounts/:id/queue/move': ['post_id', 'before'],
  'POST /recurring-posts/:id/split': ['from'],
  'POST /recurring-posts/:id/posts': ['occurs_at'],
  'POST /recurring-posts/:id/skip': ['occurs_at'],
  'POST /recurring-posts/:id/unskip': ['occurs_at'],
  'POST /snippets': ['name'],
  'POST /posts/reschedule': ['posts'],
  'POST /posts/:id/copy': ['workspace_id'],
  'POST /account-groups': ['name', 'account_ids'],
  'POST /me/notifications/read': ['until'],
  'POST /review/:id/session': ['secret'],
  'POST /review/:id/posts/:post_id/approve': ['content_version'],
  'POST /review/:id/posts/:post_id/request-change': ['content_version'],
  'POST /admin/ledger/remedies': ['provider', 'code', 'subject', 'amount'],
  'POST /media/:id/crop': ['x', 'y', 'width', 'height'],
}

/** The example of a body, with what has to exist taken from the sample. */
function bodyToSend(fixture: Fixture, account: string, route: Route, sample: object = {}) {
  const example = fixture.published.examplesOf(route).body?.example
  if (example === undefined) return undefined
  const names = known[shortNameOf(route)] ?? []
  const body: object = JSON.parse(JSON.stringify(example).replaceAll(exampleId('account'), account))
  return { ...body, ...Object.fromEntries(Object.entries(sample).filter(([name]) => names.includes(name))) }
}

const queryOf = (fixture: Fixture, route: Route) => {
  const given = fixture.published.examplesOf(route).parameters.filter(({ in: place }) => place === 'query')
  const query = new URLSearchParams(
    given.flatMap(({ name = '', example }): [string, string][] =>
      example === undefined ? [] : [[name, String(example)]],
    ),
  )
  return query.size > 0 ? `?${query}` : ''
}

export function testExamples(now: () => Sweep) {
  test('the example of every request succeeds when it is sent', async () => {
    const { fixture, preparedOnce } = now()
    const account = await playgroundAccount(fixture.owner)
    const faults = await each(preparedOnce, async ({ route, sample: used }) => {
      const isRead = route.method === 'GET'
      const query = used.query ? '' : queryOf(fixture, route)
      const hasExample =
        fixture.published.examplesOf(route).body !== undefined || used.body !== undefined || query !== ''
      // The request without an example is that of the sample, which succeeded.
      if (!hasExample) return []
      const { body: sent, ...sample } = isRead ? used : await sampleFor(fixture, route)
      const body = bodyToSend(fixture, account, route, sent)
      const { status, body: response } = await callWith(
        { ...route, path: `${route.path}${query}` },
        { ...sample, ...(body && { body }) },
      )
      const wanted = fixture.published.statusOf(route)
      return status === wanted
        ? []
        : [`${nameOf(route)} ${JSON.stringify(body)}: ${status} ${JSON.stringify(response)} instead of ${wanted}`]
    })
    expect(faults.flat()).toEqual([])
  })

  test('every operation has an example of its response, which fits its schema', () => {
    const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
    const { fixture, routes } = now()
    const faults = routes.flatMap((route) => {
      const { response } = fixture.published.examplesOf(route)
      if (!response) return []
      const received = { status: fixture.published.statusOf(route), headers, body: response.example }
      return fixture.published.faultsOf(route, received).map((fault) => `${nameOf(route)}: ${fault}`)
    })
    expect(faults).toEqual([])
  })

  test('every parameter that a request needs has an example', () => {
    const { fixture, routes } = now()
    const missing = routes.flatMap((route) =>
      fixture.published
        .examplesOf(route)
        .parameters.filter(({ required, example }) => required && example === undefined)
        .map(({ name }) => `${nameOf(route)} ${name}`),
    )
    expect(missing).toEqual([])
  })
}
