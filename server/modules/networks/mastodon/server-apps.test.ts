import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, startedConnection } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { deleteOldConnections } from '../../accounts/connections/connections.ts'
import { deleteUnusedServerApps } from '../apps/server-apps.ts'

const t = await testApp()
const network = 'mastodon'
const DAY = 86_400_000

async function withServer() {
  const server = await mastodonServer()
  onTestFinished(server.close)
  const begin = (owner: WorkspaceOwner) => owner.post('/api/v1/accounts/connections', { network, instance: server.url })
  const registrations = () => server.calls.filter(({ path }) => path === '/api/v1/apps')
  const rows = () => t.deps.db.selectFrom('server_app').selectAll().where('server', '=', server.url).execute()
  /** The apps that are left after so many days. */
  async function leftAfter(days: number) {
    t.advance(days * DAY)
    await deleteOldConnections(t.deps)
    await deleteUnusedServerApps(t.deps)
    return (await rows()).map(({ replaced_at }) => (replaced_at === null ? 'present' : 'replaced')).sort()
  }
  return { server, begin, registrations, rows, leftAfter }
}

describe('an app at a server', () => {
  test('is one, however many people sign in first at once', async () => {
    const { server, begin, rows } = await withServer()
    const owner = await withWorkspace(t)
    const release = server.hold('/api/v1/apps')
    const begun = [begin(owner), begin(owner), begin(owner)]
    await server.called('/api/v1/apps', 3)
    release()
    const ids = (await Promise.all(begun)).map((response) =>
      new URL(expectStatus(response, 201).body.authorize_url).searchParams.get('client_id'),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  test('is deleted a month after its last sign-in began, and registered again at the next', async () => {
    const { server, registrations, leftAfter } = await withServer()
    await startedConnection(await withWorkspace(t), network, server.url)
    expect(await leftAfter(29)).toEqual(['present'])
    await startedConnection(await withWorkspace(t), network, server.url)
    expect(await leftAfter(29)).toEqual(['present'])
    expect(await leftAfter(2)).toEqual([])
    expect((await connectByOAuth(await withWorkspace(t), network, server.url)).status).toBe('connected')
    expect(registrations()).toHaveLength(2)
  })

  test('is not deleted while a sign-in with it is listed', async () => {
    const { server, rows } = await withServer()
    await startedConnection(await withWorkspace(t), network, server.url)
    t.advance(40 * DAY)
    await deleteUnusedServerApps(t.deps)
    expect(await rows()).toHaveLength(1)
  })

  test('stays while tokens that it issued are stored, also if another took its place', async () => {
    const { server, leftAfter } = await withServer()
    const owner = await withWorkspace(t)
    const { account_ids } = await connectByOAuth(owner, network, server.url)
    expect(await leftAfter(40)).toEqual(['present'])
    const apps = t.deps.db.updateTable('server_app').set({ replaced_at: t.clock.now() })
    await apps.where('server', '=', server.url).execute()
    server.signIn.signInAs('bruno')
    await connectByOAuth(await withWorkspace(t), network, server.url)
    expect(await leftAfter(40)).toEqual(['present', 'replaced'])
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await editor.delete(`/api/v1/accounts/${account_ids[0]}`), 204)
    await t.runJobs()
    expect(await leftAfter(0)).toEqual(['present'])
  })
})

test('a sign-in that begins has one deadline for all its calls at the server', async () => {
  const { server, begin } = await withServer()
  const owner = await withWorkspace(t)
  const { signInStart } = t.deps.timings
  onTestFinished(() => void Object.assign(t.deps.timings, { signInStart }))
  Object.assign(t.deps.timings, { signInStart: 500 })
  server.failAlways({ kind: 'hang', arrives: false })
  expectProblem(await begin(owner), 400, 'account_unreachable', '/instance')
  expect(server.calls.map(({ path }) => path)).toEqual(['/.well-known/webfinger'])
})

test('a workspace can begin so many sign-ins a minute at servers, and no other is affected', async () => {
  const { begin, registrations } = await withServer()
  const owner = await withWorkspace(t)
  for (let begun = 0; begun < 20; begun++) expectStatus(await begin(owner), 201)
  const refused = await begin(owner)
  expectProblem(refused, 429, 'too_many_requests')
  expect(refused.headers.get('ratelimit-policy')).toMatch(/^"server-sign-in";q=20;/)
  expectStatus(await begin(await withWorkspace(t)), 201)
  expectProblem(await owner.post('/api/v1/accounts/connections', { network: 'x' }), 409, 'network_not_set_up')
  t.advance(60_000)
  expectStatus(await begin(owner), 201)
  expect(registrations()).toHaveLength(1)
})
