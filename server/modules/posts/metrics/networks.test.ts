/** Every network that reports numbers, on its stand-in. */
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { connectByOAuthTo, connectTo } from '../../../../test/network-faults.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { accountNumbers, postNumbers } from '../../../../test/stand-ins/numbers.ts'
import { telegramServer } from '../../../../test/stand-ins/telegram.ts'
import { threadsServer } from '../../../../test/stand-ins/threads.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { findDueAccountMetrics } from '../../accounts/metrics/read-metrics.ts'
import { networks } from '../../networks/registry.ts'
import { findDuePostMetrics } from './read-metrics.ts'

const t = await testApp()

type Connected = { owner: WorkspaceOwner; account: string; server: { close: () => void } }

const DAY_MS = 86_400_000

const connect: Record<string, () => Promise<Connected>> = {
  bluesky: async () => {
    const server = await blueskyServer()
    return connectTo(t, server, { network: 'bluesky', service: server.url, ...server.addAccount() })
  },
  mastodon: async () => {
    const server = await mastodonServer()
    return connectTo(t, server, { network: 'mastodon', server: server.url, access_token: server.addAccount().token })
  },
  telegram: async () => {
    const server = await telegramServer()
    const chat = server.addChat({ type: 'channel', username: 'bakery' })
    return connectTo(t, server, { network: 'telegram', token: server.token, chat: String(chat.id) })
  },
  x: async () => {
    const server = await xServer()
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'x')
  },
  facebook: async () => {
    const server = await facebookServer()
    server.addPage()
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'facebook')
  },
  instagram: async () => {
    const server = await instagramServer()
    server.fetchFrom(t.deps.baseUrl, t.url)
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'instagram')
  },
  instagram_facebook: async () => {
    const server = await facebookServer()
    server.addPage({ instagram: { id: '17841400000000001', username: 'bakery' } })
    server.fetchFrom(t.deps.baseUrl, t.url)
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'instagram_facebook', { origin: 'facebook' })
  },
  threads: async () => {
    const server = await threadsServer()
    server.fetchFrom(t.deps.baseUrl, t.url)
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'threads')
  },
  linkedin_page: async () => {
    const server = await linkedinServer({ pages: { ada: [{ id: '7', name: 'Bakery', role: 'ADMINISTRATOR' }] } })
    server.oauth.signInAs('ada')
    return connectByOAuthTo(t, server, 'linkedin_page', { origin: 'linkedin' })
  },
}

const reporting = networks.flatMap(({ id, metrics }) => (metrics ? [{ id, metrics }] : []))

/** The numbers of these names, null for all others. */
const only = (numbers: Record<string, number>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, names.includes(name) ? value : null]))

async function publish({ owner, account }: Connected, network: string) {
  const needsImage = networks.find(({ id }) => id === network)?.capabilities.media?.required
  const media_ids = needsImage ? [(await uploaded(owner)).id] : []
  const post = { content: 'Fresh simit', account_ids: [account], media_ids, publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  for (let minute = 0; minute < 5; minute++) {
    await t.runJobs()
    t.advance(60_000)
  }
  return String(body.id)
}

test('every network that reports numbers is tried', () => {
  expect(Object.keys(connect).sort()).toEqual(reporting.map(({ id }) => id).sort())
})

test.each(reporting)('$id reports the numbers of an account that it declares', async ({ id, metrics }) => {
  const network = await connect[id]?.()
  if (!network) throw new Error(`${id} cannot be connected`)
  onTestFinished(network.server.close)
  await findDueAccountMetrics(t.deps)
  await t.runJobs()
  const { body } = expectStatus(await network.owner.get(`/api/v1/accounts/${network.account}/metrics`), 200)
  const numbers = only(accountNumbers, metrics.account)
  expect(body).toMatchObject({ state: 'read', metrics: numbers, error: null, days: [numbers] })
})

test.each(reporting.filter(({ metrics }) => metrics.readPosts))(
  '$id reports the numbers of a post that it declares',
  async ({ id, metrics }) => {
    const network = await connect[id]?.()
    if (!network) throw new Error(`${id} cannot be connected`)
    onTestFinished(network.server.close)
    const post = await publish(network, id)
    const read = async () => expectStatus(await network.owner.get(`/api/v1/posts/${post}/metrics`), 200).body
    expect((await read()).targets).toMatchObject([{ state: 'planned', read_at: null }])
    t.advance(metrics.readings === 'often' ? DAY_MS / 96 : DAY_MS)
    await findDuePostMetrics(t.deps)
    await t.runJobs()
    const numbers = only(postNumbers, metrics.posts)
    expect(await read()).toMatchObject({
      // The same people may have seen it on several accounts.
      total: { ...numbers, reach: null },
      targets: [{ state: 'read', metrics: numbers, error: null, history: [numbers] }],
    })
  },
)
