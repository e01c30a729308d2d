import { afterAll, describe, expect, test } from 'vitest'
import { accountCalls } from '../../../test/accounts.ts'
import { testApp } from '../../../test/app.ts'
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

const t = await testApp()
const bluesky = await blueskyServer()
const owner = await withWorkspace(t)
afterAll(() => bluesky.close())

const { connect, connectBluesky } = accountCalls(() => ({ owner, bluesky }))

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
    const responses = [
      body,
      (await person.get(`/api/v1/accounts/${body.id}`)).body,
      (await person.get('/api/v1/accounts')).body,
    ]
    expect(audit).toHaveLength(1)
    expect(JSON.stringify([rows, audit, responses])).not.toMatch(/very-secret-app-password|refreshJwt/)
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
    ['is a server error', { kind: 'response', status: 500 }],
    ['is a rate limit', { kind: 'response', status: 429 }],
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
      bluesky.failAlways({ kind: 'response', status: 302, headers: { location } })
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
    const responses = await Promise.all([connectBluesky(fields), connectBluesky(fields)])
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409])
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

  test('200 sets and removes the signature of an account, with audit entries', async () => {
    const person = await withWorkspace(t)
    const path = `/api/v1/accounts/${await playgroundAccount(person)}`
    expect(expectStatus(await person.get(path), 200).body.signature).toBeNull()
    const signed = expectStatus(await person.patch(path, { signature: ' Bakery, Ankara\n' }), 200).body
    expect(signed.signature).toBe('Bakery, Ankara')
    expect(expectStatus(await person.patch(path, { name: 'Café' }), 200).body.signature).toBe('Bakery, Ankara')
    expect(expectStatus(await person.patch(path, { signature: null }), 200).body.signature).toBeNull()
    const { data } = (await person.get('/api/v1/workspace/audit-log?action=account.changed')).body
    expect(data).toHaveLength(3)
    for (const signature of ['', ' ', 'x'.repeat(501)])
      expectProblem(await person.patch(path, { signature }), 400, 'validation_failed', '/signature')
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
