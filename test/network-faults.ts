/** Tests that every adapter repeats: each fault of a network, and workers that die during a call. */
import type { KyselyPlugin } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Deps } from '../server/lib/deps.ts'
import { publishTarget } from '../server/modules/posts/publishing/publishing.ts'
import type { TestApp } from './app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'
import { connectByOAuth, setUpApp } from './network-accounts.ts'
import { type FaultName, faults } from './stand-ins/faults.ts'
import type { OAuthServer } from './stand-ins/oauth.ts'
import type { NetworkServer } from './stand-ins/server.ts'
import { SEED, thirdOf } from './torture/settings.ts'
import { until } from './until.ts'

/** An account on a stand-in. */
type ConnectedNetwork = {
  server: Pick<NetworkServer, 'fault' | 'stored' | 'hanging' | 'close'>
  owner: WorkspaceOwner
  /** Id of the account. */
  account: string
}

/** `published`, or the error code with which the target fails in the end. */
type Outcome = 'published' | 'rejected_by_network' | 'account_disconnected' | 'unconfirmed' | 'processing_timeout'

type Adapter = {
  t: () => TestApp
  connect: () => Promise<ConnectedNetwork>
  /** Fields of a post with one part or more. `text`: differs from that of every other post. */
  post?: (text: string, network: ConnectedNetwork) => object | Promise<object>
  /** Posts that a reader sees of it. */
  visible?: number
  /** Fields of a post with one part that has a file. Without them the faults of uploads are not tried. */
  upload?: (text: string, network: ConnectedNetwork) => object | Promise<object>
  /** Whether the network can be asked for a post whose response was lost. If not, a person decides. */
  canLookUp?: boolean
  /** Outcomes that differ from those of other networks. `absent`: a fault that this network does not have. */
  outcomes?: { [Name in FaultName]?: Outcome | 'absent' }
}

/** Lets the app use a stand-in for this network until the test ends. */
function leadTo(t: TestApp, network: string, { url }: { url: string }) {
  const origins = t.deps.config.NETWORK_ORIGINS
  const before = { ...origins }
  Object.assign(origins, { [network]: url })
  onTestFinished(() => {
    Object.assign(origins, before)
  })
}

/** Connects an account on a stand-in that the app uses for this network until the test ends. */
export async function connectTo<Server extends { url: string }>(
  t: TestApp,
  server: Server,
  fields: { network: string; [name: string]: string },
) {
  leadTo(t, fields.network, server)
  const owner = await withWorkspace(t)
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { server, owner, account: String(body.id) }
}

/** The same for a network at which the owner of the account signs in. `origin`: its key of NETWORK_ORIGINS. */
export async function connectByOAuthTo<Server extends { url: string; oauth: OAuthServer }>(
  t: TestApp,
  server: Server,
  network: string,
  { origin = network } = {},
) {
  leadTo(t, origin, server)
  await setUpApp(t, network, server.oauth)
  const owner = await withWorkspace(t)
  const { account_ids } = await connectByOAuth(owner, network)
  return { server, owner, account: String(account_ids[0]) }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Together they reach every retry, the end of every limit, and the end of the search for a lost post. */
const WAITS = [MINUTE, HOUR, HOUR, HOUR, 3 * HOUR, 25 * HOUR, 25 * HOUR]

const definite: { [Name in FaultName]?: Outcome } = {
  refused: 'rejected_by_network',
  token_ends: 'account_disconnected',
  processing_never_ends: 'processing_timeout',
  processing_fails: 'rejected_by_network',
}

let texts = 0
const newText = () => `Post ${++texts}`

const thread = (text: string) => ({ content: text, thread: [{ content: `${text}, second part` }] })

const create = async ({ owner, account }: ConnectedNetwork, fields: object): Promise<{ id: string }> =>
  expectStatus(await owner.post('/api/v1/posts', { account_ids: [account], publish_now: true, ...fields }), 201).body

/** Runs jobs until the post has ended, for days of the test's clock. */
async function ended(t: TestApp, { owner }: ConnectedNetwork, { id }: { id: string }) {
  const read = async () => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
  await t.runJobs()
  for (const wait of WAITS) {
    const post = await read()
    if (post.status !== 'publishing' && post.status !== 'scheduled') return post
    t.advance(wait)
    await t.runJobs()
  }
  return read()
}

const seen = ({ server }: ConnectedNetwork) => server.stored().filter(({ deleted }) => !deleted).length

/** Runs the jobs of a call that hangs. Its time is over when the network has done its part. */
async function runUntilTimeout(t: TestApp, { server }: ConnectedNetwork) {
  const timeouts: AbortController[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController()
    timeouts.push(controller)
    return controller.signal
  })
  const run = t.runJobs()
  await until(() => expect(server.hanging()).toBe(1))
  spy.mockRestore()
  for (const timeout of timeouts) timeout.abort(new DOMException('The time is over', 'TimeoutError'))
  await run
}

class Killed extends Error {}

/** The dependencies of a worker that dies at its nth write to a target: before the write, or after. */
function dyingAt(deps: Deps, nth: number, when: 'before' | 'after') {
  let writes = 0
  let isDead = false
  const die = () => {
    isDead = true
    throw new Killed('The worker is dead.')
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (isDead) die()
      const isWrite = node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes('"post_target"')
      if (isWrite && ++writes === nth && when === 'before') die()
      return node
    },
    transformResult: async ({ result }) => {
      if (isDead || (writes === nth && when === 'after')) die()
      return result
    },
  }
  const db = deps.db.withPlugin(plugin)
  return { deps: { ...deps, db }, isDead: () => isDead }
}

/** Publishes a post with a worker that dies at its nth write. false: it was done before that. */
export async function publishDying(t: TestApp, post: { id: string }, nth: number, when: 'before' | 'after') {
  const { id: target_id } = await t.deps.db
    .selectFrom('post_target')
    .select('id')
    .where('post_id', '=', post.id)
    .executeTakeFirstOrThrow()
  const worker = dyingAt(t.deps, nth, when)
  await publishTarget(worker.deps, { target_id }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
  return worker.isDead()
}

/** Tried at the first part of a post too, and not only at its last. */
const triedFirst: readonly FaultName[] = ['refused', 'response_lost_after_saving']

/** Tries faults of the network, and kills a worker at some of its writes: others in each run, all in a longer one. */
export function describeFaults(name: string, adapter: Adapter) {
  const { t, post: fields = thread, visible = 2, upload, canLookUp = true, outcomes = {} } = adapter
  const outcomeOf = (fault: (typeof faults)[number]): Outcome | 'absent' =>
    outcomes[fault.name] ??
    definite[fault.name] ??
    (canLookUp || fault.definite || fault.at === 'upload' ? 'published' : 'unconfirmed')
  const connect = async () => {
    const network = await adapter.connect()
    onTestFinished(network.server.close)
    return network
  }
  const cases = faults
    .filter(({ at }) => at === 'post' || upload)
    .flatMap((fault) => {
      const last = fault.at === 'post' ? visible - 1 : 0
      const afters = last > 0 && triedFirst.includes(fault.name) ? [0, last] : [last]
      return afters.map((after) => ({ ...fault, after, outcome: outcomeOf(fault) }))
    })
    .filter(({ outcome }) => outcome !== 'absent')
    .map((each) => [`${each.name} after ${each.after} posts ends as ${each.outcome}`, each] as const)

  describe(`faults of ${name} (seed ${SEED})`, () => {
    test.each(thirdOf(cases))('%s', async (_, { at, stored, ...fault }) => {
      const network = await connect()
      const body = await (at === 'upload' && upload ? upload : fields)(newText(), network)
      network.server.fault(fault.name, fault.after)
      const post = await create(network, body)
      if (fault.name.startsWith('hangs')) await runUntilTimeout(t(), network)
      const done = await ended(t(), network, post)
      const [target] = done.targets
      if (fault.outcome === 'published') {
        expect([target.status, target.error_code]).toEqual(['published', null])
        expect(seen(network)).toBe(at === 'upload' ? 1 : visible)
      } else {
        expect([target.status, target.error_code]).toEqual(['failed', fault.outcome])
        expect(target.error_message).toMatch(/\w{3}/)
        expect(seen(network)).toBe(fault.after + stored)
      }
    })

    if (cases.some(([, { name }]) => name === 'processing_fails'))
      test('a file that the network could not process is sent anew by a retry', async () => {
        const network = await connect()
        const body = await (upload ?? fields)(newText(), network)
        network.server.fault('processing_fails')
        const post = await create(network, body)
        expect((await ended(t(), network, post)).status).toBe('failed')
        expectStatus(await network.owner.post(`/api/v1/posts/${post.id}/retry`), 200)
        expect((await ended(t(), network, post)).status).toBe('published')
        expect(seen(network)).toBe(1)
      })

    if (visible > 1)
      test('a thread whose account is disconnected in the middle fails there', async () => {
        const network = await connect()
        network.server.fault('rate_limited', 1)
        const post = await create(network, await fields(newText(), network))
        await t().runJobs()
        expectStatus(await network.owner.delete(`/api/v1/accounts/${network.account}`), 204)
        const { status, targets } = await ended(t(), network, post)
        expect([status, targets[0].published_parts]).toEqual(['partially_published', 1])
        expect([targets[0].status, targets[0].error_code]).toEqual(['failed', 'account_disconnected'])
        expect(seen(network)).toBe(1)
      })

    if (canLookUp)
      test('a lost response without credentials to look it up disconnects the account, and the post is found later', async () => {
        const network = await connect()
        network.server.fault('response_lost_after_saving', visible - 1)
        const post = await create(network, await fields(newText(), network))
        await t().runJobs()
        const account = () => t().deps.db.updateTable('account').where('id', '=', network.account)
        const read = t()
          .deps.db.selectFrom('account')
          .select(['credentials', 'status', 'grant_id'])
          .where('id', '=', network.account)
        const { credentials, grant_id } = await read.executeTakeFirstOrThrow()
        const grant = () => t().deps.db.updateTable('oauth_grant').where('id', '=', grant_id)
        const grants = await t().deps.db.selectFrom('oauth_grant').select('tokens').where('id', '=', grant_id).execute()
        await account().set({ credentials: 'sealed with a lost key' }).execute()
        await grant().set({ tokens: 'sealed with a lost key' }).execute()
        t().advance(MINUTE)
        await t().runJobs()
        const { body } = await network.owner.get(`/api/v1/posts/${post.id}`)
        expect([body.status, body.targets[0].status]).toEqual(['publishing', 'unconfirmed'])
        expect((await read.executeTakeFirstOrThrow()).status).toBe('disconnected')
        await account().set({ credentials, status: 'connected' }).execute()
        for (const { tokens } of grants) await grant().set({ tokens }).execute()
        expect((await ended(t(), network, post)).status).toBe('published')
        expect(seen(network)).toBe(visible)
      })

    if (!canLookUp)
      test('a post that a person found is published although its account is gone', async () => {
        const network = await connect()
        network.server.fault('response_lost_after_saving', visible - 1)
        const post = await create(network, await fields(newText(), network))
        await t().runJobs()
        expectStatus(await network.owner.delete(`/api/v1/accounts/${network.account}`), 204)
        const [target] = (await network.owner.get(`/api/v1/posts/${post.id}`)).body.targets
        const resolve = `/api/v1/posts/${post.id}/targets/${target.id}/resolve`
        expectStatus(await network.owner.post(resolve, { published: true }), 200)
        expect((await ended(t(), network, post)).status).toBe('published')
      })

    test('a worker killed at any of its writes leaves one post, or one that a person decides about', async () => {
      const network = await connect()
      let moments = 0
      const writes = Array.from({ length: 50 }, (_, index) => index + 1)
      for (const when of ['before', 'after'] as const)
        for (const nth of thirdOf(writes)) {
          const before = seen(network)
          const post = await create(network, await fields(newText(), network))
          const isDead = await publishDying(t(), post, nth, when)
          const { targets } = await ended(t(), network, post)
          const left = seen(network) - before
          if (!isDead) {
            expect([targets[0].status, left]).toEqual(['published', visible])
            break
          }
          moments++
          if (canLookUp) expect([nth, when, targets[0].status, left]).toEqual([nth, when, 'published', visible])
          else {
            expect(['published', 'unconfirmed']).toContain(targets[0].error_code ?? targets[0].status)
            expect(left).toBeLessThanOrEqual(visible)
          }
        }
      expect(moments).toBeGreaterThanOrEqual(2 * thirdOf(writes.slice(0, 1 + visible)).length)
    })
  })
}
