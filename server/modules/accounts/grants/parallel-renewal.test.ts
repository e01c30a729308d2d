import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withToken, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'
import type { OAuthServer } from '../../../../test/stand-ins/oauth.ts'
import type { NetworkServer } from '../../../../test/stand-ins/server.ts'
import { threadsServer } from '../../../../test/stand-ins/threads.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { findDueGrants } from './grants.jobs.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const POSTS = 50

const t = await testApp()
const second = await testApp({ DATA_DIR: t.deps.config.DATA_DIR }, { beside: t })
afterAll(() => second.close())

type SignedIn = {
  server: Pick<NetworkServer, 'url' | 'stored' | 'close'> & { oauth: OAuthServer; advance?: (ms: number) => void }
  /** The time from the sign-in to the last minute of its token, in milliseconds. */
  untilLastMinute: number
  renewals: () => number
  /** Whether each post needs an image. */
  needsImage?: boolean
  origin?: string
}

/** Networks that renew tokens. Bluesky, which binds them to a key, has such a test of its own. */
const networks: [string, () => Promise<SignedIn>][] = [
  [
    'x',
    async () => {
      const server = await xServer()
      return { server, untilLastMinute: 119 * MINUTE, renewals: server.oauth.renewals }
    },
  ],
  [
    'linkedin_page',
    async () => {
      const pages = { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] }
      const server = await linkedinServer({ pages, refresh: 'single_use' })
      return { server, untilLastMinute: 60 * DAY - MINUTE, renewals: server.oauth.renewals, origin: 'linkedin' }
    },
  ],
  [
    'instagram',
    async () => {
      const server = await instagramServer()
      server.fetchFrom(t.deps.baseUrl, t.url)
      return { server, untilLastMinute: 60 * DAY - MINUTE, renewals: server.renewals, needsImage: true }
    },
  ],
  [
    'threads',
    async () => {
      const server = await threadsServer()
      server.fetchFrom(t.deps.baseUrl, t.url)
      return { server, untilLastMinute: 60 * DAY - MINUTE, renewals: server.renewals }
    },
  ],
]

describe(`${POSTS} posts that two nodes publish in the last minute of a token`, () => {
  test.each(networks)('are published at %s with one renewal', async (network, start) => {
    const { server, untilLastMinute, renewals, needsImage, origin = network } = await start()
    onTestFinished(server.close)
    for (const { deps } of [t, second]) Object.assign(deps.config.NETWORK_ORIGINS, { [origin]: server.url })
    await setUpApp(t, network, server.oauth)
    const owner = await withWorkspace(t)
    const { account_ids } = await connectByOAuth(owner, network)
    // The session of the owner ends before the token of the network.
    const client = await withToken(t, owner, ['posts:read', 'posts:write'])
    const files = needsImage ? { media_ids: [(await uploaded(owner)).id] } : {}
    const advance = (ms: number) => {
      for (const clock of [t, second, server]) clock.advance?.(ms)
    }
    advance(untilLastMinute)
    const posts = await Promise.all(
      Array.from({ length: POSTS }, async (_, index) => {
        const post = { content: `Post ${index}`, account_ids, publish_now: true, ...files }
        return expectStatus(await client.post('/api/v1/public/posts', post), 201).body.id
      }),
    )
    await Promise.all([t, second].flatMap((node) => [findDueGrants(node.deps), node.runJobs()]))
    for (let minute = 0; minute < 3; minute++) {
      await Promise.all([t, second].map((node) => node.runJobs()))
      advance(MINUTE)
    }
    const statuses = await Promise.all(
      posts.map(async (id) => expectStatus(await client.get(`/api/v1/public/posts/${id}`), 200).body.status),
    )
    expect(new Set(statuses)).toEqual(new Set(['published']))
    expect(server.stored()).toHaveLength(POSTS)
    expect(renewals()).toBe(1)
  })
})
