import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { waiting } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { approvalTeam, clientOf, EDITOR_THEN_CLIENT } from '../approval/approval.fixture.ts'

const t = await testApp()
const LINKS = '/api/v1/client-links'
const dayIn = (days: number) => new Date(t.clock.now().getTime() + days * DAY).toISOString().slice(0, 10)
const body = (more: object = {}) => ({ name: 'Bakery, March', starts_on: dayIn(-1), ends_on: dayIn(30), ...more })

describe('POST /client-links', () => {
  test('201 with an address whose secret is in the fragment and is not shown again', async () => {
    const owner = await withWorkspace(t)
    const created = expectStatus(await owner.post(LINKS, body({ labels: ['a'], timezone: 'Asia/Tokyo' })), 201).body
    expect(created).toMatchObject({ name: 'Bakery, March', state: 'valid', may_decide: true, timezone: 'Asia/Tokyo' })
    expect(created.url).toMatch(new RegExp(`^http://meydan\\.test/review/${created.id}#[\\w-]{43}$`))
    expect(Date.parse(created.expires_at)).toBe(t.clock.now().getTime() + 30 * DAY)
    const secret = created.url.split('#')[1]
    const { url: _, ...shown } = created
    expect(expectStatus(await owner.get(`${LINKS}/${created.id}`), 200).body).toEqual(shown)
    expect((await owner.get(LINKS)).body.data).toEqual([shown])
    const row = await t.deps.db
      .selectFrom('client_link')
      .select('hashed_secret')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
    expect(row.hashed_secret).not.toContain(secret)
    expect(row.hashed_secret).toContain(t.deps.keyring.current('client_link').id)
    const events = await t.deps.db
      .selectFrom('event')
      .selectAll()
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expect(events.map(({ type }) => type)).toEqual(['client_link.created'])
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(JSON.stringify((await owner.get('/api/v1/workspace/audit-log')).body)).not.toContain(secret)
  })

  test('emits events without the address of the client', async () => {
    const owner = await withWorkspace(t)
    const client_email = 'ada@bakery.example'
    const { id } = expectStatus(await owner.post(LINKS, body({ client_email })), 201).body
    expectStatus(await owner.post(`${LINKS}/${id}/revoke`), 200)
    const events = expectStatus(await owner.get('/api/v1/events'), 200).body.data
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['client_link.created', 'client_link.revoked'])
    expect(JSON.stringify(events)).not.toMatch(/client_email|bakery\.example/)
  })

  test('400 for days that do not exist or are in the wrong order, a foreign account and an unknown zone', async () => {
    const owner = await withWorkspace(t)
    const foreign = await playgroundAccount(await withWorkspace(t))
    for (const [fault, pointer] of [
      [{ starts_on: '2026-02-30' }, '/starts_on'],
      [{ ends_on: dayIn(-2) }, '/ends_on'],
      [{ ends_on: dayIn(400) }, '/ends_on'],
      [{ account_ids: [foreign] }, '/account_ids/0'],
      [{ timezone: 'Mars/Olympus' }, '/timezone'],
      [{ expires_in_days: 181 }, '/expires_in_days'],
    ] as const) {
      const { body: problem } = await owner.post(LINKS, body(fault))
      expect(problem).toMatchObject({ status: 400, errors: [{ pointer }] })
    }
  })

  test('403 for authors and for tokens', async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await author.post(LINKS, body()), 403, 'forbidden_role')
    const { token } = await withToken(t, owner)
    const bearer = t.anyone.with({ authorization: `Bearer ${token}` })
    expectProblem(await bearer.post(LINKS, body()), 403, 'token_not_accepted')
  })

  test('403 in a plan without approvals', async () => {
    const own = await testApp()
    const owner = await withWorkspace(own)
    const admin = await signedIn(own, { instanceAdmin: true })
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
    const refused = expectProblem(await owner.post(LINKS, body()), 403, 'feature_not_available')
    expect(refused).toMatchObject({ feature: 'approvals' })
  })

  test('403 beyond 100 valid links', async () => {
    const owner = await withWorkspace(t)
    const { id } = expectStatus(await owner.post(LINKS, body()), 201).body
    const row = await t.deps.db.selectFrom('client_link').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { id: _, ...values } = row
    await t.deps.db
      .insertInto('client_link')
      .values(Array.from({ length: 99 }, () => values))
      .execute()
    expectProblem(await owner.post(LINKS, body()), 403, 'limit_exceeded')
    expectStatus(await owner.post(`${LINKS}/${id}/revoke`), 200)
    expectStatus(await owner.post(LINKS, body()), 201)
  })
})

describe('a client link', () => {
  const made = async (more: object = {}) => {
    const team = await approvalTeam(t, EDITOR_THEN_CLIENT)
    const link = expectStatus(await team.owner.post(LINKS, body(more)), 201).body
    return { ...team, link }
  }

  test('is opened by its secret for a cookie of its own paths', async () => {
    const { owner, link } = await made()
    const secret = link.url.split('#')[1]
    const { headers } = expectStatus(await t.anyone.post(`/api/v1/review/${link.id}/session`, { secret }), 204)
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(
        `^meydan\\.review=[\\w-]{43}; Path=/api/v1/review/${link.id}; Max-Age=\\d+; HttpOnly; SameSite=Strict$`,
      ),
    )
    const { opened_at, opened_count } = (await owner.get(`${LINKS}/${link.id}`)).body
    expect(Date.parse(opened_at)).toBe(t.clock.now().getTime())
    expect(opened_count).toBe(1)
    const { data } = (await owner.get('/api/v1/workspace/audit-log')).body
    expect(data[0]).toMatchObject({ action: 'client_link.opened', target_id: link.id })
  })

  test('shows how often and when it was opened: by whatever runs its page, not by the page alone, a wrong secret or a read', async () => {
    const { owner, link } = await made()
    const read = async () => (await owner.get(`${LINKS}/${link.id}`)).body
    const secret = link.url.split('#')[1]
    const session = (secret: string, who = t.anyone) => who.post(`/api/v1/review/${link.id}/session`, { secret })
    await t.anyone.get(`/review/${link.id}`)
    expect((await session('wrong')).status).toBe(404)
    expect(await read()).toMatchObject({ opened_count: 0, opened_at: null })
    const cookie = (await session(secret)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const client = t.anyone.with({ cookie })
    t.clock.advance(60_000)
    expectStatus(await client.get(`/api/v1/review/${link.id}`), 200)
    expect((await read()).opened_count).toBe(1)
    expectStatus(await session(secret, client), 204)
    expectStatus(await session(secret), 204)
    const { opened_count, opened_at } = await read()
    expect([opened_count, Date.parse(opened_at)]).toEqual([3, t.clock.now().getTime()])
    const listed = (await owner.get(LINKS)).body.data.find(({ id }: { id: string }) => id === link.id)
    expect(listed.opened_count).toBe(3)
  })

  test('gets one response when it is unknown, expired, revoked or the secret is wrong', async () => {
    const { owner, link } = await made({ expires_in_days: 1 })
    const other = await made()
    const secret = link.url.split('#')[1]
    const session = (id: string, secret: string) => t.anyone.post(`/api/v1/review/${id}/session`, { secret })
    const wrong = expectProblem(await session(link.id, 'wrong'), 404, 'not_found')
    const same = ({ request_id: _, instance: __, ...problem }: Record<string, unknown>) => problem
    const { client, path } = await clientOf(t, link)
    const inOther = await clientOf(t, other.link)
    expect(same((await session(other.link.id, secret)).body)).toEqual(same(wrong.body ?? wrong))
    expectStatus(await other.owner.post(`${LINKS}/${other.link.id}/revoke`), 200)
    expectProblem(await inOther.client.get(inOther.path), 404, 'not_found')
    expectProblem(await session(other.link.id, other.link.url.split('#')[1]), 404, 'not_found')
    expectProblem(await t.anyone.get(path), 404, 'not_found')
    // A session is for its link.
    expectProblem(await client.get(inOther.path), 404, 'not_found')
    expectStatus(await client.get(path), 200)
    await t.advance(DAY + 1)
    expectProblem(await client.get(path), 404, 'not_found')
    expectProblem(await session(link.id, secret), 404, 'not_found')
    expect((await owner.get(`${LINKS}/${link.id}`)).body).toMatchObject({ state: 'expired' })
    expect((await other.owner.get(`${LINKS}/${other.link.id}`)).body).toMatchObject({ state: 'revoked' })
  })

  test('opened again in the same browser keeps its session, and is one entry of the audit log', async () => {
    const { owner, link } = await made()
    const secret = link.url.split('#')[1]
    const { client, path } = await clientOf(t, link)
    const { headers } = expectStatus(await client.post(`${path}/session`, { secret }), 204)
    expect(headers.get('set-cookie')).toBeNull()
    expectProblem(await client.post(`${path}/session`, { secret: 'wrong' }), 404, 'not_found')
    expectStatus(await client.get(path), 200)
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=client_link.opened')).body
    expect(data).toMatchObject([{ actor: null, target_id: link.id, details: { client_link_id: link.id } }])
  })

  test('ends when the member who created it is removed', async () => {
    const { owner, editor, link } = await made()
    const { id, url } = expectStatus(await editor.post(LINKS, body()), 201).body
    const [left, kept] = [await clientOf(t, { id, url }), await clientOf(t, link)]
    expectStatus(await owner.delete(`/api/v1/workspace/members/${editor.id}`), 204)
    expectProblem(await left.client.get(left.path), 404, 'not_found')
    expectStatus(await kept.client.get(kept.path), 200)
    expect((await owner.get(`${LINKS}/${id}`)).body).toMatchObject({ state: 'revoked' })
  })

  test('ends when the member who created it gets a role below editor', async () => {
    const { owner, editor } = await made()
    const { id, url } = expectStatus(await editor.post(LINKS, body()), 201).body
    const { client, path } = await clientOf(t, { id, url })
    const become = async (role: string) =>
      expectStatus(await owner.patch(`/api/v1/workspace/members/${editor.id}`, { role }), 200)
    await become('admin')
    await become('editor')
    expectStatus(await client.get(path), 200)
    await become('author')
    expectProblem(await client.get(path), 404, 'not_found')
    await become('editor')
    expectProblem(await client.get(path), 404, 'not_found')
  })

  test('is revoked once, and in its own workspace only', async () => {
    const { owner, author, link } = await made()
    expectProblem(await (await withWorkspace(t)).post(`${LINKS}/${link.id}/revoke`), 404, 'not_found')
    expectProblem(await author.post(`${LINKS}/${link.id}/revoke`), 403, 'forbidden_role')
    const revoked = expectStatus(await owner.post(`${LINKS}/${link.id}/revoke`), 200).body
    t.advance(1000)
    expect(expectStatus(await owner.post(`${LINKS}/${link.id}/revoke`), 200).body).toEqual(revoked)
  })

  test('is refused to pages of other sites', async () => {
    const { link } = await made()
    const { client, path } = await clientOf(t, link)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expectProblem(await client.post(`${path}/approve`, { posts: [] }, foreign), 403, 'cross_origin')
    const { headers } = expectStatus(await client.get(path), 200)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
  })
})

describe('the password of a link', () => {
  const PASSWORD = 'warm simit at seven'
  const protectedLink = async (app = t, password: string | null = PASSWORD) => {
    const team = await approvalTeam(app, EDITOR_THEN_CLIENT)
    const link = expectStatus(await team.owner.post(LINKS, body({ password })), 201).body
    const secret: string = link.url.split('#')[1]
    const open = (more: object = {}, who = app.anyone) =>
      who.post(`/api/v1/review/${link.id}/session`, { secret, ...more })
    const change = (password: string | null) => team.owner.put(`${LINKS}/${link.id}/password`, { password })
    return { ...team, link, open, change, path: `/api/v1/review/${link.id}` }
  }
  const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

  test('is asked for before anything is shown, and is stored as a hash only', async () => {
    const { owner, link, open, path } = await protectedLink()
    expect(link).toMatchObject({ has_password: true })
    expect(link).not.toHaveProperty('password')
    const asked = await open()
    expectProblem(asked, 403, 'password_required')
    const wrong = await open({ password: 'cold simit' })
    expectProblem(wrong, 403, 'password_wrong')
    expect([asked, wrong].map(({ headers }) => headers.get('set-cookie'))).toEqual([null, null])
    const { headers } = expectStatus(await open({ password: PASSWORD }), 204)
    const client = t.anyone.with({ cookie: cookieOf(headers) })
    expectStatus(await client.get(path), 200)
    // A browser that is in is not asked again.
    expectStatus(await open({}, client), 204)
    const row = await t.deps.db
      .selectFrom('client_link')
      .selectAll()
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow()
    const events = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    const shown = [row, events, (await owner.get('/api/v1/workspace/audit-log')).body, (await owner.get(LINKS)).body]
    expect(JSON.stringify(shown)).not.toContain(PASSWORD)
    expect(JSON.stringify(shown.slice(1))).not.toContain(row.hashed_password)
  })

  test('is not asked for with a wrong secret, nor when the link has ended', async () => {
    const { owner, link, open } = await protectedLink()
    expectProblem(await open({ secret: 'wrong', password: PASSWORD }), 404, 'not_found')
    expect(expectStatus(await owner.post(`${LINKS}/${link.id}/revoke`), 200).body).toMatchObject({
      has_password: false,
    })
    expectProblem(await open(), 404, 'not_found')
    expectProblem(await open({ password: PASSWORD }), 404, 'not_found')
  })

  test('ends what is open when it is set, changed or removed', async () => {
    const { owner, open, change, path } = await protectedLink(t, null)
    const opened = async (more: object = {}) => {
      const client = t.anyone.with({ cookie: cookieOf(expectStatus(await open(more), 204).headers) })
      expectStatus(await client.get(path), 200)
      return client
    }
    const first = await opened()
    // Nothing changes, so nothing ends.
    expect(expectStatus(await change(null), 200).body).toMatchObject({ has_password: false })
    expectStatus(await first.get(path), 200)
    expect(expectStatus(await change(PASSWORD), 200).body).toMatchObject({ has_password: true })
    expectProblem(await first.get(path), 404, 'not_found')
    const second = await opened({ password: PASSWORD })
    expectStatus(await change('cold simit at noon'), 200)
    expectProblem(await second.get(path), 404, 'not_found')
    expectProblem(await open({ password: PASSWORD }), 403, 'password_wrong')
    const third = await opened({ password: 'cold simit at noon' })
    expect(expectStatus(await change(null), 200).body).toMatchObject({ has_password: false })
    expectProblem(await third.get(path), 404, 'not_found')
    await opened()
    const { data } = (await owner.get('/api/v1/workspace/audit-log')).body
    const actions = data
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => /password/.test(action))
    const [set, removed] = ['client_link.password_set', 'client_link.password_removed']
    expect(actions).toEqual([removed, set, set])
  })

  test('has 8 characters or more, and is changed by editors in a session, while the link is valid', async () => {
    const { owner, author, link, change } = await protectedLink()
    for (const refused of [await change('1234567'), await owner.post(LINKS, body({ password: '1234567' }))])
      expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '/password' }] })
    const path = `${LINKS}/${link.id}`
    expectProblem(await author.put(`${path}/password`, { password: null }), 403, 'forbidden_role')
    expectProblem(await (await withWorkspace(t)).put(`${path}/password`, { password: null }), 404, 'not_found')
    const { token } = await withToken(t, owner)
    const bearer = t.anyone.with({ authorization: `Bearer ${token}` })
    expectProblem(await bearer.put(`${path}/password`, { password: null }), 403, 'token_not_accepted')
    expectStatus(await owner.post(`${path}/revoke`), 200)
    expectProblem(await change(PASSWORD), 409, 'invalid_transition')
  })

  test('is tried ten times an hour for a link and an address, and right ones do not count', async () => {
    const own = await testApp({ RATE_LIMIT_AUTH: '10', TRUST_PROXY: 'true' })
    const { open, path } = await protectedLink(own)
    const other = await protectedLink(own)
    const from = (ip: string) => own.anyone.with({ 'x-forwarded-for': ip })
    const guesser = from('198.51.100.1')
    for (let index = 0; index < 12; index++) expectStatus(await open({ password: PASSWORD }, guesser), 204)
    const guesses = await Promise.all(Array.from({ length: 15 }, () => open({ password: 'a wrong guess' }, guesser)))
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(403), ...Array(5).fill(429)])
    const refused = await open({ password: PASSWORD }, guesser)
    expectProblem(refused, 429, 'too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBe(3600)
    expectProblem(await open({}, guesser), 403, 'password_required')
    expectStatus(await other.open({ password: PASSWORD }, guesser), 204)
    expectStatus(await open({ password: PASSWORD }, from('203.0.113.9')), 204)
    own.clock.advance(HOUR + 1)
    const { headers } = expectStatus(await open({ password: PASSWORD }, guesser), 204)
    expectStatus(await guesser.with({ cookie: cookieOf(headers) }).get(path), 200)
  })

  test('changed while it was checked opens nothing', async () => {
    const { link, open } = await protectedLink()
    const { opened } = await inTransaction(t.deps.db, async (tx) => {
      await tx.updateTable('client_link').set({ hashed_password: 'another' }).where('id', '=', link.id).execute()
      const opened = open({ password: PASSWORD })
      await until(async () => expect(await waiting(t)).toBe(1))
      return { opened }
    })
    expectProblem(await opened, 403, 'password_required')
  })
})
