import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { signedHeaders, signingKey } from '../../lib/crypto/webhook-signature.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import { openHeaders, openSecrets } from './delivery/sending/secrets.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const createWebhook = async (person = owner, more: object = {}) =>
  expectStatus(await person.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'], ...more }), 201).body
const at = ({ id }: { id: string }, rest = '') => `/api/v1/webhooks/${id}${rest}`
const rowOf = ({ id }: { id: string }) =>
  t.deps.db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const told = async ({ id }: { id: string }, person = owner) => {
  const { data } = (await person.get('/api/v1/workspace/audit-log?limit=100')).body
  return data.filter(
    ({ target_id, action }: Record<string, string>) => target_id === id && action !== 'webhook.created',
  )
}
const statesOf = async ({ id }: { id: string }) =>
  (await t.deps.db.selectFrom('delivery').select('state').where('webhook_id', '=', id).execute()).map(
    ({ state }) => state,
  )
const draft = async (person: WorkspaceOwner) =>
  expectStatus(await person.post('/api/v1/posts', { content: 'Hello' }), 201)

describe('PATCH /webhooks/:id', () => {
  test('200 changes the given fields and no others, and the audit log has the values before and after', async () => {
    const webhook = await createWebhook(owner, { description: 'First', headers: { 'X-Old': 'old value' } })
    const changes = { url: 'http://127.0.0.1:9/other', events: ['post.created', 'publish.fail'], description: null }
    const { body } = expectStatus(await owner.patch(at(webhook), changes), 200)
    const { secret: _, ...before } = webhook
    expect(body).toEqual({ ...before, ...changes })
    expect((await owner.get(at(webhook))).body).toEqual(body)
    const headers = { Authorization: 'Bearer new value' }
    expect(expectStatus(await owner.patch(at(webhook), { headers }), 200).body.header_names).toEqual(['Authorization'])
    expect(openHeaders(t.deps.keyring, await rowOf(webhook))).toEqual(headers)
    expect(await told(webhook)).toMatchObject([
      {
        action: 'webhook.changed',
        details: { before: { header_names: ['X-Old'] }, after: { header_names: ['Authorization'] } },
      },
      {
        action: 'webhook.changed',
        details: {
          before: { url: webhook.url, events: ['*'], description: 'First' },
          after: changes,
        },
      },
    ])
    expect(JSON.stringify(await told(webhook))).not.toContain('value')
  })

  test('200 removes all headers with {}, and another value for the same name is a change', async () => {
    const webhook = await createWebhook(owner, { headers: { 'X-A': '1' } })
    expectStatus(await owner.patch(at(webhook), { headers: { 'X-A': '2' } }), 200)
    expect(openHeaders(t.deps.keyring, await rowOf(webhook))).toEqual({ 'X-A': '2' })
    expect(expectStatus(await owner.patch(at(webhook), { headers: {} }), 200).body.header_names).toEqual([])
    expect((await rowOf(webhook)).headers).toBeNull()
    expect(await told(webhook)).toHaveLength(2)
  })

  test('400 for a URL of another origin without new headers, and nothing is changed', async () => {
    const webhook = await createWebhook(owner, { headers: { 'X-A': 'sealed' } })
    const writer = await withToken(t, owner, ['webhooks:write'])
    const elsewhere = ['http://127.0.0.1:10/', 'https://127.0.0.1:9/', 'http://127.0.0.2:9/', 'http://[::1]:9/']
    for (const url of elsewhere) {
      expectProblem(await owner.patch(at(webhook), { url }), 400, 'validation_failed', '/headers')
      const response = await writer.patch(`/api/v1/public/webhooks/${webhook.id}`, { url, active: false })
      expectProblem(response, 400, 'validation_failed', '/headers')
    }
    expect(await rowOf(webhook)).toMatchObject({ url: webhook.url, active: true, version: 1 })
  })

  test('200 for a URL of another origin with other headers, with {}, or without headers before, and for another path of the same origin', async () => {
    const webhook = await createWebhook(owner, { headers: { 'X-A': 'sealed' } })
    const change = async (changes: object) => expectStatus(await owner.patch(at(webhook), changes), 200).body
    expect((await change({ url: 'http://127.0.0.1:9/other?way=1' })).header_names).toEqual(['X-A'])
    expect((await change({ url: 'http://127.0.0.1:10/', headers: { 'X-B': '1' } })).header_names).toEqual(['X-B'])
    expect((await change({ url: 'http://127.0.0.1:11/', headers: {} })).header_names).toEqual([])
    expect((await change({ url: 'http://127.0.0.1:12/' })).url).toBe('http://127.0.0.1:12/')
  })

  test('200 without a change makes no new version and no audit entry', async () => {
    const webhook = await createWebhook(owner, { description: 'Same', headers: { 'X-A': '1' } })
    const { headers } = await owner.get(at(webhook))
    const same = { url: webhook.url, events: ['*'], description: 'Same', headers: { 'X-A': '1' }, active: true }
    for (const changes of [{}, same]) {
      const response = expectStatus(await owner.patch(at(webhook), changes), 200)
      expect(response.headers.get('etag')).toBe(headers.get('etag'))
    }
    expect(await told(webhook)).toEqual([])
  })

  test('200 disables, and holds the waiting deliveries and those of later events', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    await draft(person)
    const { body } = expectStatus(await person.patch(at(webhook), { active: false }), 200)
    expect(body).toMatchObject({
      active: false,
      disabled_reason: 'manual',
      disabled_at: t.clock.now().toISOString(),
    })
    await t.runJobs()
    await draft(person)
    expect(await statesOf(webhook)).toEqual(['held', 'held'])
    expect(await told(webhook, person)).toMatchObject([
      { details: { before: { active: true }, after: { active: false } } },
    ])
  })

  test('200 enables, resets the failures and the circuit, and sends no held delivery', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    await draft(person)
    expectStatus(await person.patch(at(webhook), { active: false }), 200)
    await t.deps.db
      .updateTable('webhook_health')
      .set({
        failure_count: 9,
        first_failure_at: t.clock.now(),
        last_failure_at: t.clock.now(),
        exhausted: 2,
        circuit_opened: 3,
        circuit_until: new Date(t.clock.now().getTime() + 60_000),
        warned: 2,
      })
      .where('webhook_id', '=', webhook.id)
      .execute()
    expect((await person.get(at(webhook))).body).toMatchObject({ circuit: 'open', failure_count: 9 })
    // It is not held yet, because the job did not run.
    expect(await statesOf(webhook)).toEqual(['waiting'])
    const { body } = expectStatus(await person.patch(at(webhook), { active: true }), 200)
    const { secret: _, ...created } = webhook
    expect(body).toEqual({ ...created, last_failure_at: t.clock.now().toISOString() })
    expect(await statesOf(webhook)).toEqual(['held'])
    await t.runJobs()
    await draft(person)
    expect((await statesOf(webhook)).sort()).toEqual(['held', 'waiting'])
    const health = await t.deps.db
      .selectFrom('webhook_health')
      .selectAll()
      .where('webhook_id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    expect(health).toMatchObject({ exhausted: 0, circuit_opened: 0, warned: 0 })
  })

  test('200 with another URL lets an open circuit be probed at once', async () => {
    const webhook = await createWebhook()
    const later = new Date(t.clock.now().getTime() + 900_000)
    await t.deps.db
      .updateTable('webhook_health')
      .set({ circuit_until: later })
      .where('webhook_id', '=', webhook.id)
      .execute()
    const { body } = expectStatus(await owner.patch(at(webhook), { url: 'http://127.0.0.1:11/' }), 200)
    expect(body.circuit).toBe('half_open')
  })

  test('enabling a webhook with many waiting deliveries does not delay new posts', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    expectStatus(await person.patch(at(webhook), { active: false }), 200)
    await sql`insert into delivery (webhook_id, event_id, type, run_at)
      select ${webhook.id}, uuidv7(), 'post.created', ${t.clock.now()} from generate_series(1, 12000)`.execute(
      t.deps.db,
    )
    const count = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from delivery where webhook_id = ${webhook.id} and state = 'waiting'`.execute(
        t.deps.db,
      )
      return rows[0]?.waiting
    }
    // Stands for an event that is being written: enabling waits for it, and later events wait for both.
    const enabled = await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock_shared(${locks.events}, hashtext(${person.workspace_id}))`.execute(tx)
      const response = person.patch(at(webhook), { active: true })
      await until(async () => expect(await count()).toBe(0))
      expect((await person.get(at(webhook))).body.active).toBe(false)
      return { response }
    })
    expect(expectStatus(await enabled.response, 200).body.active).toBe(true)
    expect(new Set(await statesOf(webhook))).toEqual(new Set(['held']))
  })

  test.each([
    [{ url: 'http://10.0.0.1/' }, 'url_not_allowed', '/url'],
    [{ url: 'ftp://example.com/' }, 'url_not_allowed', '/url'],
    [{ url: '' }, 'validation_failed', '/url'],
    [{ url: null }, 'validation_failed', '/url'],
    [{ events: [] }, 'validation_failed', '/events'],
    [{ events: ['*', 'post.burned'] }, 'validation_failed', '/events/1'],
    [{ events: ['*', '*'] }, 'validation_failed', '/events'],
    [{ active: 'no' }, 'validation_failed', '/active'],
    [{ description: 'd'.repeat(201) }, 'validation_failed', '/description'],
    [{ headers: { Host: 'x' } }, 'validation_failed', '/headers/Host'],
    [{ headers: null }, 'validation_failed', '/headers'],
    [{ secret: 'mine' }, 'validation_failed', '/secret'],
    [{ disabled_reason: 'gone' }, 'read_only', '/disabled_reason'],
  ] as const)('400 for %j', async (changes, code, pointer) => {
    const webhook = await createWebhook()
    expectProblem(await owner.patch(at(webhook), changes), 400, code, pointer)
    expect(await told(webhook)).toEqual([])
  })

  test('412 for another version, and one of ten concurrent changes of a version succeeds', async () => {
    const webhook = await createWebhook()
    const etag = (await owner.get(at(webhook))).headers.get('etag') ?? ''
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        owner.patch(at(webhook), { description: `By ${n}`, active: n % 2 === 0 }, { 'if-match': etag }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    expectProblem(
      await owner.patch(at(webhook), { description: 'Late' }, { 'if-match': etag }),
      412,
      'version_conflict',
    )
  })

  test('404 for a webhook of another workspace', async () => {
    const other = await withWorkspace(t)
    expectProblem(await other.patch(at(await createWebhook()), { active: false }), 404, 'not_found')
  })

  test('403 for editors, 200 for a token with webhooks:write', async () => {
    const webhook = await createWebhook()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await editor.patch(at(webhook), { active: false }), 403, 'forbidden_role')
    const path = `/api/v1/public/webhooks/${webhook.id}`
    const reader = await withToken(t, owner, ['webhooks:read'])
    expectProblem(await reader.patch(path, { active: false }), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['webhooks:write'])
    expect(expectStatus(await writer.patch(path, { active: false }), 200).body.active).toBe(false)
  })
})

test('a webhook that was changed under its id in upper case can still be opened and signs its deliveries', async () => {
  const webhook = await createWebhook(owner, { headers: { 'x-shop': 'bakery' } })
  const upper = `/api/v1/webhooks/${webhook.id.toUpperCase()}`
  expectStatus(await owner.post(`${upper}/rotate-secret`, {}), 200)
  expectStatus(await owner.patch(upper, { headers: { 'x-shop': 'florist' } }), 200)
  expectStatus(await owner.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
})

describe('POST /webhooks/:id/rotate-secret', () => {
  const rotate = (webhook: { id: string }, body?: object, person = owner) =>
    person.post(at(webhook, '/rotate-secret'), body)
  /** Returns which of these secrets would sign a request now. */
  const signersOf = async (webhook: { id: string }, secrets: string[]) => {
    const now = t.clock.now()
    const signed = (keys: Parameters<typeof signedHeaders>[0]) => signedHeaders(keys, 'id', '{}', now)
    const headers = signed(openSecrets(t.deps.keyring, await rowOf(webhook)))
    return {
      current: secrets.findIndex((secret) => {
        const alone = signed({ current: signingKey(secret) })['x-service-signature']
        return alone === (headers['x-service-signature-next'] ?? headers['x-service-signature'])
      }),
      previous: secrets.findIndex((secret) => {
        const alone = signed({ current: signingKey(secret) })['x-service-signature']
        return 'x-service-signature-next' in headers && alone === headers['x-service-signature']
      }),
    }
  }

  test('200 with a new secret, shown only once, and the previous one signs for another day', async () => {
    const webhook = await createWebhook()
    const response = expectStatus(await rotate(webhook), 200)
    const { secret, ...record } = response.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(webhook.secret)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const ends = new Date(t.clock.now().getTime() + 86_400_000)
    expect(record.previous_secret_expires_at).toBe(ends.toISOString())
    expect((await owner.get(at(webhook))).body).toEqual(record)
    expect(await signersOf(webhook, [webhook.secret, secret])).toEqual({ current: 1, previous: 0 })
    const row = JSON.stringify(await rowOf(webhook))
    for (const shown of [secret, webhook.secret]) expect(row).not.toContain(shown.slice('whsec_'.length))
    expect(await told(webhook)).toMatchObject([
      { action: 'webhook.secret_rotated', details: { overlap_seconds: 86_400 } },
    ])
    expect(JSON.stringify(await told(webhook))).not.toContain(secret)
  })

  test('200 with 0 seconds ends the previous secret at once', async () => {
    const webhook = await createWebhook()
    const { secret, previous_secret_expires_at } = expectStatus(await rotate(webhook, { overlap_seconds: 0 }), 200).body
    expect(previous_secret_expires_at).toBeNull()
    expect(await rowOf(webhook)).toMatchObject({ previous_secret: null })
    expect(await signersOf(webhook, [webhook.secret, secret])).toEqual({ current: 1, previous: -1 })
  })

  test('200 within an overlap ends the secret before the previous one', async () => {
    const webhook = await createWebhook()
    const second = expectStatus(await rotate(webhook, { overlap_seconds: 604_800 }), 200).body.secret
    const third = expectStatus(await rotate(webhook, { overlap_seconds: 1 }), 200).body.secret
    expect(await signersOf(webhook, [webhook.secret, second, third])).toEqual({ current: 2, previous: 1 })
  })

  test('the previous secret stops signing when the overlap ends', async () => {
    const quick = await testApp()
    try {
      const person = await withWorkspace(quick)
      const webhook = await createWebhook(person)
      expectStatus(await rotate(webhook, { overlap_seconds: 60 }, person), 200)
      quick.advance(59_999)
      expect((await person.get(at(webhook))).body.previous_secret_expires_at).not.toBeNull()
      quick.advance(1)
      expect((await person.get(at(webhook))).body.previous_secret_expires_at).toBeNull()
    } finally {
      await quick.close()
    }
  })

  test('of two concurrent rotations, the secrets of both sign', async () => {
    const webhook = await createWebhook()
    const responses = await Promise.all([rotate(webhook), rotate(webhook)])
    const secrets = responses.map((response) => expectStatus(response, 200).body.secret)
    const { current, previous } = await signersOf(webhook, secrets)
    expect([current, previous].sort()).toEqual([0, 1])
    expect(await told(webhook)).toHaveLength(2)
  })

  test('200 makes a new version, and a call repeated with its Idempotency-Key rotates once and hides the secret', async () => {
    const webhook = await createWebhook()
    const etag = (await owner.get(at(webhook))).headers.get('etag')
    const key = { 'idempotency-key': 'rotate-once' }
    const first = expectStatus(await owner.post(at(webhook, '/rotate-secret'), {}, key), 200)
    expect(first.headers.get('etag')).not.toBe(etag)
    const again = expectStatus(await owner.post(at(webhook, '/rotate-secret'), {}, key), 200)
    expect(again.body).toEqual({ ...first.body, secret: null })
    expect(await told(webhook)).toHaveLength(1)
  })

  test.each([
    { overlap_seconds: -1 },
    { overlap_seconds: 604_801 },
    { overlap_seconds: 1.5 },
    { overlap_seconds: '1' },
  ])('400 for %j', async (body) => {
    expectProblem(await rotate(await createWebhook(), body), 400, 'validation_failed', '/overlap_seconds')
  })

  test('403 for editors and for every token; 404 for a webhook of another workspace', async () => {
    const webhook = await createWebhook()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await rotate(webhook, {}, editor), 403, 'forbidden_role')
    const token = await withToken(t, owner)
    expectProblem(await token.post(at(webhook, '/rotate-secret')), 403, 'token_not_accepted')
    expectProblem(await rotate(webhook, {}, await withWorkspace(t)), 404, 'not_found')
  })
})
