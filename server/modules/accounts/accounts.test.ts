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

describe('GET /accounts/networks', () => {
  test('200: what connects each network, and what it can do', async () => {
    const { body } = expectStatus(await owner.get('/api/v1/accounts/networks'), 200)
    expect(body.data).toMatchObject([
      { id: 'playground', form: [], capabilities: { max_length: 5000 } },
      { id: 'bluesky', form: [{ key: 'service' }, { key: 'handle' }, { key: 'app_password', type: 'password' }] },
    ])
  })
})

describe('POST /accounts', () => {
  test('201: the Playground needs nothing, and may be connected more than once', async () => {
    const person = await withWorkspace(t)
    const { body } = expectStatus(await connect({ network: 'playground', name: 'Sandbox' }, person), 201)
    expect(body).toMatchObject({ network: 'playground', name: 'Sandbox', status: 'connected', url: null })
    expectStatus(await connect({ network: 'playground' }, person), 201)
  })

  test('201: Bluesky, and no answer or table holds the app password', async () => {
    const person = await withWorkspace(t)
    const fields = bluesky.addAccount('very-secret-app-password')
    const { body } = expectStatus(await connectBluesky(fields, person), 201)
    expect(body).toMatchObject({
      network: 'bluesky',
      handle: fields.handle,
      url: `https://bsky.app/profile/${fields.handle}`,
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

  test('201: a handle may be written with @', async () => {
    const fields = bluesky.addAccount()
    const { body } = expectStatus(await connectBluesky({ ...fields, handle: `@${fields.handle}` }), 201)
    expect(body.handle).toBe(fields.handle)
  })

  test('400 account_refused for a wrong app password', async () => {
    const { handle } = bluesky.addAccount()
    expectProblem(await connectBluesky({ handle, app_password: 'wrong' }), 400, 'account_refused', '/app_password')
  })

  test.each([
    [{ network: 'myspace' }, '/network'],
    [{ network: 'playground', handle: 'x' }, '/handle'],
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

  test('400 account_unreachable when nobody listens', async () => {
    expectProblem(await connectBluesky({ service: 'http://127.0.0.1:1' }), 400, 'account_unreachable', '/service')
  })

  test.each([
    ['makes no sense', { kind: 'garbage' }],
    ['never ends', { kind: 'flood' }],
    ['is a fault of the server', { kind: 'answer', status: 500 }],
    ['asks to wait', { kind: 'answer', status: 429 }],
    ['breaks off', { kind: 'hang_up', arrives: false }],
  ] as const)('400 account_unreachable when the answer %s', async (_, mishap) => {
    const fields = bluesky.addAccount()
    bluesky.failWholly(mishap)
    expectProblem(await connectBluesky(fields), 400, 'account_unreachable', '/service')
    bluesky.failWholly()
  })

  test('400 when the service redirects, which is not followed', async () => {
    const elsewhere = await blueskyServer()
    const fields = bluesky.addAccount()
    for (const location of [elsewhere.url, 'http://169.254.169.254/']) {
      bluesky.failWholly({ kind: 'answer', status: 302, headers: { location } })
      expectStatus(await connectBluesky(fields), 400)
      bluesky.failWholly()
    }
    expect(elsewhere.calls).toEqual([])
    elsewhere.close()
  })

  test('201 for an account that the network no longer let in: it is the same again, and its posts can be retried', async () => {
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

  test('201 for an account that was disconnected: it goes on under its id, and posts to it can be retried', async () => {
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

  test('403 below the role of editor', async () => {
    for (const role of ['viewer', 'author'] as const) {
      const member = await memberOf(t, owner.workspace_id, role)
      expectProblem(await connect({ network: 'playground' }, member), 403, 'forbidden_role')
    }
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await connect({ network: 'playground' }, editor), 201)
  })

  test('409 account_taken, also for two at once; another workspace may connect it', async () => {
    const fields = bluesky.addAccount()
    const answers = await Promise.all([connectBluesky(fields), connectBluesky(fields)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409])
    expectProblem(await connectBluesky(fields), 409, 'account_taken')
    expectStatus(await connectBluesky(fields, await withWorkspace(t)), 201)
  })
})

describe('GET /accounts', () => {
  test('200: the newest first, page by page, each as it is read alone, and none of the disconnected', async () => {
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

describe('DELETE /accounts/:id', () => {
  test('204, forgets the credentials, tells, and posts to it fail with the reason', async () => {
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

  test('200: each post with the account that it came from, alone as in the list, even when that is disconnected', async () => {
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
    })
    expect((await person.get('/api/v1/playground')).body.data).toEqual([body])
  })

  test('404 for a post of another workspace', async () => {
    const { external_id } = await published(owner, await playgroundAccount(owner))
    expectProblem(await (await withWorkspace(t)).get(`/api/v1/playground/${external_id}`), 404, 'not_found')
  })
})

describe('under /public', () => {
  test('accounts:read reads, and does not connect', async () => {
    const reader = await withToken(t, owner, ['accounts:read'])
    expectStatus(await reader.get('/api/v1/public/accounts'), 200)
    expectStatus(await reader.get('/api/v1/public/accounts/networks'), 200)
    expectProblem(await reader.post('/api/v1/public/accounts', { network: 'playground' }), 403, 'insufficient_scope')
  })
})
