import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { saveCredentials } from './accounts.ts'

let t: TestApp
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp()
  bluesky = await blueskyServer()
  owner = await withWorkspace(t)
})
afterAll(async () => {
  await t.close()
  bluesky.close()
})

const connect = (fields: object, person = owner) => person.post('/api/v1/accounts', fields)
const connectBluesky = (fields: object = {}, person = owner) =>
  connect(
    { network: 'bluesky', service: bluesky.url, handle: 'x.test', app_password: 'app-password', ...fields },
    person,
  )

describe('POST /accounts', () => {
  test('201 connects the Playground without any fields, and more than once', async () => {
    const person = await withWorkspace(t)
    const { body } = expectStatus(await connect({ network: 'playground', name: 'Sandbox' }, person), 201)
    expect(body).toMatchObject({ network: 'playground', name: 'Sandbox', status: 'connected', url: null })
    expectStatus(await connect({ network: 'playground' }, person), 201)
  })

  test('201 connects Bluesky, and neither a response nor a table contains the app password', async () => {
    const person = await withWorkspace(t)
    const fields = bluesky.addAccount('very-secret-app-password')
    const { body } = expectStatus(await connectBluesky(fields, person), 201)
    expect(body).toMatchObject({
      network: 'bluesky',
      handle: fields.handle,
      url: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/did:plc:/),
    })
    const rows = await t.deps.db.selectFrom('account').selectAll().where('id', '=', body.id).execute()
    const audit = await t.deps.db.selectFrom('audit_entry').selectAll().where('target_id', '=', body.id).execute()
    const answers = [
      body,
      (await person.get(`/api/v1/accounts/${body.id}`)).body,
      (await person.get('/api/v1/accounts')).body,
    ]
    expect(audit).toHaveLength(1)
    expect(JSON.stringify([rows, audit, answers])).not.toMatch(/very-secret-app-password|refreshJwt/)
  })

  test('201 for a handle that is written with @', async () => {
    const fields = bluesky.addAccount()
    const { body } = expectStatus(await connectBluesky({ ...fields, handle: `@${fields.handle}` }), 201)
    expect(body.handle).toBe(fields.handle)
  })

  test('400 account_refused for a wrong app password', async () => {
    const { handle } = bluesky.addAccount()
    expectProblem(await connectBluesky({ handle, app_password: 'wrong' }), 400, 'account_refused', '/app_password')
  })

  test('400 read_only for a field of accounts that the network does not ask for', async () => {
    expectProblem(await connect({ network: 'playground', handle: 'x' }), 400, 'read_only', '/handle')
  })

  test.each([
    [{ network: 'myspace' }, '/network'],
    [{ network: 'playground', password: 'x' }, '/password'],
    [{ network: 'bluesky', handle: 'x.test' }, '/app_password'],
    [{ network: 'bluesky', handle: 'x.test', app_password: 'y', servcie: 'z' }, '/servcie'],
    [{ network: 'bluesky', handle: '../x', app_password: 'y' }, '/handle'],
    [{ network: 'bluesky', handle: 7, app_password: 'y' }, '/handle'],
    [{ network: 'playground', name: ' ' }, '/name'],
    [{}, '/network'],
  ])('400 for %j points to %s', async (fields, pointer) => {
    expectProblem(await connect(fields), 400, 'validation_failed', pointer)
  })

  test.each([
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://[fd00::1]',
    'file:///etc/passwd',
    'http://a:b@example.com',
    'nowhere',
  ])('400 url_not_allowed for the service %s', async (service) => {
    expectProblem(await connectBluesky({ service }), 400, 'url_not_allowed', '/service')
  })

  test('400 url_not_allowed for loopback, unless the operator allows it', async () => {
    const strict = await testApp({ WEBHOOK_ALLOW_CIDRS: '' })
    const person = await withWorkspace(strict)
    for (const service of [bluesky.url, bluesky.url.replace('127.0.0.1', 'localhost')])
      expectProblem(await connectBluesky({ service }, person), 400, 'url_not_allowed', '/service')
    await strict.close()
  })

  test('400 account_unreachable when nothing listens at the service', async () => {
    expectProblem(await connectBluesky({ service: 'http://127.0.0.1:1' }), 400, 'account_unreachable', '/service')
  })

  test.each([
    ['is not JSON', { kind: 'garbage' }],
    ['never ends', { kind: 'flood' }],
    ['is a server error', { kind: 'answer', status: 500 }],
    ['is a rate limit', { kind: 'answer', status: 429 }],
    ['is cut off', { kind: 'hang_up', arrives: false }],
  ] as const)('400 account_unreachable when the response %s', async (_, failure) => {
    const fields = bluesky.addAccount()
    bluesky.failAlways(failure)
    expectProblem(await connectBluesky(fields), 400, 'account_unreachable', '/service')
    bluesky.failAlways()
  })

  test('400 when the service redirects, and the redirect is not followed', async () => {
    const elsewhere = await blueskyServer()
    const fields = bluesky.addAccount()
    for (const location of [elsewhere.url, 'http://169.254.169.254/']) {
      bluesky.failAlways({ kind: 'answer', status: 302, headers: { location } })
      expectStatus(await connectBluesky(fields), 400)
      bluesky.failAlways()
    }
    expect(elsewhere.calls).toEqual([])
    elsewhere.close()
  })

  test('201 reconnects an account that the network had refused, under the same id, and its posts can be retried', async () => {
    const fields = bluesky.addAccount()
    const { body: account } = expectStatus(await connectBluesky(fields), 201)
    bluesky.changePassword(fields.handle)
    const { body: post } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Late', account_ids: [account.id], publish_now: true }),
      201,
    )
    await t.runJobs()
    expect((await owner.get(`/api/v1/accounts/${account.id}`)).body.status).toBe('disconnected')
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/retry`), 400, 'validation_failed', '/targets/0')

    const again = expectStatus(await connectBluesky({ ...fields, app_password: 'another', name: 'Back' }), 201).body
    expect(again).toMatchObject({ id: account.id, status: 'connected', status_detail: null, name: 'Back' })
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
  })

  test('201 reconnects an account that was disconnected in Meydan, under the same id, and its posts can be retried', async () => {
    const person = await withWorkspace(t)
    const fields = bluesky.addAccount()
    const { body: account } = expectStatus(await connectBluesky(fields, person), 201)
    for (const disconnect of ['by the network', 'by its owner']) {
      if (disconnect === 'by the network')
        await t.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', account.id).execute()
      const { body: draft } = expectStatus(
        await person.post('/api/v1/posts', { content: 'x', account_ids: [account.id] }),
        201,
      )
      if (disconnect === 'by its owner') expectStatus(await person.delete(`/api/v1/accounts/${account.id}`), 204)
      expectProblem(await person.post(`/api/v1/posts/${draft.id}/publish`), 400, 'validation_failed', '/targets/0')
      expect(expectStatus(await connectBluesky(fields, person), 201).body).toMatchObject({
        id: account.id,
        status: 'connected',
      })
      expectStatus(await person.post(`/api/v1/posts/${draft.id}/publish`), 200)
      await t.runJobs()
      expect((await person.get(`/api/v1/posts/${draft.id}`)).body.status).toBe('published')
    }
    expect((await person.get('/api/v1/accounts')).body.data).toHaveLength(1)
  })

  test('403 for viewers and authors', async () => {
    for (const role of ['viewer', 'author'] as const) {
      const member = await memberOf(t, owner.workspace_id, role)
      expectProblem(await connect({ network: 'playground' }, member), 403, 'forbidden_role')
    }
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await connect({ network: 'playground' }, editor), 201)
  })

  test('409 account_taken within a workspace, also for two concurrent calls; another workspace may connect the account', async () => {
    const fields = bluesky.addAccount()
    const answers = await Promise.all([connectBluesky(fields), connectBluesky(fields)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409])
    expectProblem(await connectBluesky(fields), 409, 'account_taken')
    expectStatus(await connectBluesky(fields, await withWorkspace(t)), 201)
  })
})

describe('GET /accounts', () => {
  test('200 lists connected accounts page by page, newest first, each as it is read alone', async () => {
    const person = await withWorkspace(t)
    const [first, second, third, fourth] = [
      await playgroundAccount(person),
      await playgroundAccount(person),
      await playgroundAccount(person),
      await playgroundAccount(person),
    ]
    expectStatus(await person.delete(`/api/v1/accounts/${third}`), 204)
    const whole = expectStatus(await person.get('/api/v1/accounts'), 200).body
    expect(whole.data.map((account: { id: string }) => account.id)).toEqual([fourth, second, first])
    expect(whole.data[1]).toEqual(expectStatus(await person.get(`/api/v1/accounts/${second}`), 200).body)
    const page = (await person.get('/api/v1/accounts?limit=2')).body
    const rest = (await person.get(`/api/v1/accounts?limit=2&cursor=${page.next_cursor}`)).body
    expect([...page.data, ...rest.data]).toEqual(whole.data)
    expect(rest.next_cursor).toBe(null)
  })
})

describe('the fields of an account', () => {
  test("last_published_at is the time of the account's latest published post", async () => {
    const person = await withWorkspace(t)
    const id = await playgroundAccount(person)
    const other = await playgroundAccount(person)
    const read = async () => (await person.get(`/api/v1/accounts/${id}`)).body
    expect(await read()).toMatchObject({ checked_at: null, last_published_at: null })
    for (let time = 0; time < 2; time++) {
      t.advance(60_000)
      const post = { content: 'Hello', account_ids: [id], publish_now: true }
      expectStatus(await person.post('/api/v1/posts', post), 201)
      await t.runJobs()
      expect((await read()).last_published_at).toBe(t.clock.now().toISOString())
    }
    const { data } = (await person.get('/api/v1/accounts')).body
    expect(data).toMatchObject([{ id: other, last_published_at: null }, await read()])
  })
})

describe('POST /accounts/:id/check', () => {
  const check = (id: string, person = owner) => person.post(`/api/v1/accounts/${id}/check`)
  const connected = async (person = owner) => {
    const fields = bluesky.addAccount()
    return { fields, account: expectStatus(await connectBluesky(fields, person), 201).body }
  }
  const disconnections = async ({ workspace_id }: WorkspaceOwner) => {
    const rows = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', workspace_id)
      .where('type', '=', 'account.disconnected')
      .execute()
    return rows.map(({ payload }) => JSON.parse(payload.toString()).data.account)
  }

  test('200 keeps an account connected that the network accepts, and saves the time of the check', async () => {
    const { account } = await connected()
    for (const id of [await playgroundAccount(owner), account.id]) {
      const before = (await owner.get(`/api/v1/accounts/${id}`)).body
      const { body } = expectStatus(await check(id), 200)
      expect(body).toEqual({ ...before, checked_at: t.clock.now().toISOString() })
      expect((await owner.get(`/api/v1/accounts/${id}`)).body).toEqual(body)
    }
  })

  test('200 renews an expired session and saves the new one', async () => {
    const { account } = await connected()
    bluesky.expireAccess()
    expect(expectStatus(await check(account.id), 200).body.status).toBe('connected')
    const renewals = bluesky.count('refreshSession')
    expect(expectStatus(await check(account.id), 200).body.status).toBe('connected')
    expect(bluesky.count('refreshSession')).toBe(renewals)
  })

  test('200 disconnects an account that the network refuses, with one event', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    bluesky.changePassword(fields.handle)
    const { body } = expectStatus(await check(account.id, person), 200)
    expect(body).toMatchObject({
      status: 'disconnected',
      status_detail: 'Invalid identifier or password',
      checked_at: t.clock.now().toISOString(),
    })
    t.advance(1000)
    expect(expectStatus(await check(account.id, person), 200).body).toEqual({
      ...body,
      checked_at: t.clock.now().toISOString(),
    })
    expect(await disconnections(person)).toEqual([body])
  })

  test('200 treats credentials that cannot be decrypted as refused', async () => {
    const { account } = await connected()
    await t.deps.db.updateTable('account').set({ credentials: 'v1.gone.AAAA' }).where('id', '=', account.id).execute()
    expect(expectStatus(await check(account.id), 200).body.status).toBe('disconnected')
  })

  test('200 reconnects an account that the network accepts again, and failed posts wait for a retry', async () => {
    const { account, fields } = await connected()
    bluesky.changePassword(fields.handle)
    const post = { content: 'Late', account_ids: [account.id], publish_now: true }
    const { id } = expectStatus(await owner.post('/api/v1/posts', post), 201).body
    await t.runJobs()
    expect((await owner.get(`/api/v1/accounts/${account.id}`)).body.status).toBe('disconnected')
    const credentials = { service: bluesky.url, ...fields, app_password: 'another' }
    await saveCredentials(t.deps.db, t.deps, account.id, JSON.stringify(credentials))
    expect(expectStatus(await check(account.id), 200).body).toMatchObject({ status: 'connected', status_detail: null })
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('failed')
    expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
  })

  test('200 leaves an account connected that was reconnected during the check, whatever the network says of the old credentials', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    bluesky.changePassword(fields.handle)
    const { safeFetch } = t.deps
    t.deps.safeFetch = async (...request) => {
      t.deps.safeFetch = safeFetch
      await t.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', account.id).execute()
      expectStatus(await connectBluesky({ ...fields, app_password: 'another' }, person), 201)
      return safeFetch(...request)
    }
    const { body } = expectStatus(await check(account.id, person), 200)
    expect(body).toMatchObject({ status: 'connected', checked_at: null })
    expect(await disconnections(person)).toEqual([])
  })

  test('200 does not overwrite the session of a later connection with one renewed from the old credentials', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    const stored = async () =>
      (await t.deps.db.selectFrom('account').select('credentials').where('id', '=', account.id).executeTakeFirst())
        ?.credentials
    bluesky.expireAccess()
    let newer: string | null | undefined
    const { safeFetch } = t.deps
    t.deps.safeFetch = async (...request) => {
      const answer = await safeFetch(...request)
      if (!String(request[0]).includes('refreshSession')) return answer
      t.deps.safeFetch = safeFetch
      expectStatus(await person.delete(`/api/v1/accounts/${account.id}`), 204)
      expectStatus(await connectBluesky(fields, person), 201)
      newer = await stored()
      return answer
    }
    expectStatus(await check(account.id, person), 200)
    expect(newer).toMatch(/./)
    expect(await stored()).toBe(newer)
  })

  test.each([
    ['is not JSON', { kind: 'garbage' }],
    ['never ends', { kind: 'flood' }],
    ['is a server error', { kind: 'answer', status: 500 }],
    ['is a rate limit', { kind: 'answer', status: 429 }],
    ['is cut off', { kind: 'hang_up', arrives: false }],
  ] as const)('400 account_unreachable when the response %s, and nothing is saved', async (_, failure) => {
    const { account } = await connected()
    bluesky.failAlways(failure)
    const answer = await check(account.id)
    bluesky.failAlways()
    expectProblem(answer, 400, 'account_unreachable')
    expect((await owner.get(`/api/v1/accounts/${account.id}`)).body).toEqual(account)
  })

  test('403 for viewers and authors, and for tokens that may only read', async () => {
    const id = await playgroundAccount(owner)
    expectProblem(await check(id, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['accounts:read'])
    expectProblem(await reader.post(`/api/v1/public/accounts/${id}/check`), 403, 'insufficient_scope')
  })

  test('404 for an account that was disconnected in Meydan, and for one of another workspace', async () => {
    const [gone, foreign] = [await playgroundAccount(owner), await playgroundAccount(await withWorkspace(t))]
    expectStatus(await owner.delete(`/api/v1/accounts/${gone}`), 204)
    for (const id of [gone, foreign]) expectProblem(await check(id), 404, 'not_found')
  })
})

describe('DELETE /accounts/:id', () => {
  test('204 deletes the credentials, emits an event, and fails waiting posts to the account with the reason', async () => {
    const person = await withWorkspace(t)
    const fields = bluesky.addAccount()
    const { body: account } = expectStatus(await connectBluesky(fields, person), 201)
    const scheduled_at = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const { body: post } = expectStatus(
      await person.post('/api/v1/posts', { content: 'x', account_ids: [account.id], scheduled_at }),
      201,
    )
    expectStatus(await person.delete(`/api/v1/accounts/${account.id}`), 204)
    expectProblem(await person.get(`/api/v1/accounts/${account.id}`), 404, 'not_found')
    expectProblem(await person.delete(`/api/v1/accounts/${account.id}`), 404, 'not_found')
    const row = await t.deps.db
      .selectFrom('account')
      .select('credentials')
      .where('id', '=', account.id)
      .executeTakeFirst()
    expect(row).toEqual({ credentials: null })
    const events = await t.deps.db
      .selectFrom('event')
      .select('type')
      .where('workspace_id', '=', person.workspace_id)
      .execute()
    expect(events.map((event) => event.type)).toContain('account.disconnected')

    await t.advance(60_000)
    await t.runJobs()
    expect((await person.get(`/api/v1/posts/${post.id}`)).body).toMatchObject({
      status: 'failed',
      targets: [{ handle: fields.handle, error_code: 'account_disconnected' }],
    })
    expectStatus(await connectBluesky(fields, person), 201)
  })

  test('404 for an account of another workspace', async () => {
    const id = await playgroundAccount(owner)
    const other = await withWorkspace(t)
    expectProblem(await other.delete(`/api/v1/accounts/${id}`), 404, 'not_found')
    expectProblem(await other.get(`/api/v1/accounts/${id}`), 404, 'not_found')
  })
})

describe('GET /playground', () => {
  const published = async (person: WorkspaceOwner, account: string) => {
    const post = { content: 'Hello', account_ids: [account], publish_now: true }
    const { body } = expectStatus(await person.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return (await person.get(`/api/v1/posts/${body.id}`)).body.targets[0]
  }

  test('200 shows each post with its account, in the list and alone, also after the account is disconnected', async () => {
    const person = await withWorkspace(t)
    const { body: account } = expectStatus(await connect({ network: 'playground', name: 'Sandbox' }, person), 201)
    const { external_id, url } = await published(person, account.id)
    expect(url).toBe(`http://meydan.test/playground/${external_id}`)
    expectStatus(await person.delete(`/api/v1/accounts/${account.id}`), 204)
    const { body } = expectStatus(await person.get(`/api/v1/playground/${external_id}`), 200)
    expect(body).toEqual({
      id: external_id,
      account_id: account.id,
      account_name: 'Sandbox',
      handle: 'playground',
      content: 'Hello',
      created_at: t.clock.now().toISOString(),
      media_ids: [],
      reply_to_id: null,
    })
    expect((await person.get('/api/v1/playground')).body.data).toEqual([body])
  })

  test('404 for a post of another workspace', async () => {
    const { external_id } = await published(owner, await playgroundAccount(owner))
    expectProblem(await (await withWorkspace(t)).get(`/api/v1/playground/${external_id}`), 404, 'not_found')
  })
})

describe('under /public', () => {
  test('a token with accounts:read lists accounts and cannot connect one', async () => {
    const reader = await withToken(t, owner, ['accounts:read'])
    expectStatus(await reader.get('/api/v1/public/accounts'), 200)
    expectStatus(await reader.get('/api/v1/public/accounts/networks'), 200)
    expectProblem(await reader.post('/api/v1/public/accounts', { network: 'playground' }), 403, 'insufficient_scope')
  })
})

describe('PATCH /accounts/:id', () => {
  test('200 renames an account, with an audit entry, and its connection stays the same', async () => {
    const person = await withWorkspace(t)
    const { body: account } = expectStatus(await connectBluesky(bluesky.addAccount(), person), 201)
    const path = `/api/v1/accounts/${account.id}`
    const { body } = expectStatus(await person.patch(path, { name: 'Bakery Berlin' }), 200)
    expect(body).toMatchObject({ name: 'Bakery Berlin', handle: account.handle, status: 'connected' })
    const entry = await t.deps.db
      .selectFrom('audit_entry')
      .select('details')
      .where('target_id', '=', account.id)
      .where('action', '=', 'account.changed')
      .executeTakeFirstOrThrow()
    expect(entry.details).toMatchObject({ before: { name: account.name }, after: { name: 'Bakery Berlin' } })
  })

  test('400 for an empty name, 403 for authors, 404 for a disconnected account', async () => {
    const person = await withWorkspace(t)
    const path = `/api/v1/accounts/${await playgroundAccount(person)}`
    expectProblem(await person.patch(path, { name: ' ' }), 400, 'validation_failed', '/name')
    const author = await memberOf(t, person.workspace_id, 'author')
    expectProblem(await author.patch(path, { name: 'x' }), 403, 'forbidden_role')
    expectStatus(await person.delete(path), 204)
    expectProblem(await person.patch(path, { name: 'x' }), 404, 'not_found')
  })
})

describe('the names and forms of accounts', () => {
  test('accounts of the same name are numbered when they are connected', async () => {
    const person = await withWorkspace(t)
    const connected = []
    for (let at = 0; at < 3; at++) connected.push((await connect({ network: 'playground' }, person)).body.name)
    expect(connected).toEqual(['Playground', 'Playground 2', 'Playground 3'])
  })

  test('an account shows what it was connected with, except secrets, also after it was connected again', async () => {
    const person = await withWorkspace(t)
    const fields = bluesky.addAccount()
    const { body } = expectStatus(await connectBluesky(fields, person), 201)
    expect(body.form).toEqual({ service: bluesky.url, handle: fields.handle })
    await t.deps.db
      .updateTable('account')
      .set({ status: 'disconnected', form: '{}' })
      .where('id', '=', body.id)
      .execute()
    const again = expectStatus(await connectBluesky(fields, person), 201).body
    expect(again).toMatchObject({ id: body.id, form: { service: bluesky.url, handle: fields.handle } })
  })
})
