import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import { connectByOAuth, setUpApp } from '../network-accounts.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { discordServer } from '../stand-ins/discord.ts'
import { facebookServer } from '../stand-ins/facebook.ts'
import { httpChannel } from '../stand-ins/http-channel.ts'
import { instagramServer } from '../stand-ins/instagram.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import type { OAuthServer } from '../stand-ins/oauth.ts'
import type { NetworkServer } from '../stand-ins/server.ts'
import { slackServer } from '../stand-ins/slack.ts'
import { telegramServer } from '../stand-ins/telegram.ts'
import { threadsServer } from '../stand-ins/threads.ts'
import { wordpressServer } from '../stand-ins/wordpress.ts'
import { xServer } from '../stand-ins/x.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- publish-kill
const KILLS = timesOf('PUBLISH_KILLS', 2)
/** Time of a call, so that a kill hits any of the steps. */
const LATENCY_MS = 30
/** Longest time from the posts of a round to the kill. */
const MAX_DELAY_MS = 700

const HOUR = 3_600_000
/** Together they reach every retry, and the end of the search for a lost post. */
const WAITS = [60_000, HOUR, HOUR, 3 * HOUR, 25 * HOUR, 25 * HOUR]

type Network = {
  server: Pick<NetworkServer, 'stored' | 'slow' | 'close'>
  id: string
  /** Fields that connect an account. Without them its owner signs in at `oauth`. */
  form?: { [name: string]: string }
  oauth?: OAuthServer
  /** Posts that a reader sees of one. */
  visible: number
  /** Whether the network can be asked for a post whose response was lost. If not, a person decides. */
  canLookUp: boolean
}

/** `now`: the time by the clock of whoever sends. */
async function startNetworks(now: () => number) {
  const bluesky = await blueskyServer()
  const mastodon = await mastodonServer()
  const telegram = await telegramServer()
  const discord = await discordServer()
  const slack = await slackServer()
  const wordpress = await wordpressServer()
  const channel = await httpChannel({ now })
  const members = await linkedinServer()
  const facebook = await facebookServer()
  facebook.addPage()
  const instagram = await instagramServer()
  const threads = await threadsServer()
  const x = await xServer()
  const { id, token } = discord.addWebhook()
  const { login: user, password: app_password } = wordpress.addUser()
  const thread = { visible: 2, canLookUp: true }
  const single = { visible: 1, canLookUp: true }
  const networks: Network[] = [
    { id: 'bluesky', server: bluesky, ...thread, form: { service: bluesky.url, ...bluesky.addAccount() } },
    {
      ...{ id: 'mastodon', server: mastodon, ...thread },
      form: { server: mastodon.url, access_token: mastodon.addAccount().token },
    },
    {
      ...{ id: 'telegram', server: telegram, ...thread, canLookUp: false },
      form: { token: telegram.token, chat: String(telegram.addChat().id) },
    },
    {
      ...{ id: 'discord', server: discord, ...thread, canLookUp: false },
      form: { webhook_url: `https://discord.com/api/webhooks/${id}/${token}` },
    },
    { id: 'slack', server: slack, ...thread, form: { token: slack.addBot(), channel: slack.addChannel().id } },
    { id: 'wordpress', server: wordpress, ...single, form: { site: wordpress.url, user, app_password } },
    {
      ...{ id: 'http', server: channel, ...single, canLookUp: false },
      form: { url: channel.url, secret: channel.secret() },
    },
    // The profile of a member cannot be listed, and only a text without an image is certain to be refused twice.
    { id: 'linkedin', server: members, ...single, canLookUp: false, oauth: members.oauth },
    { id: 'facebook', server: facebook, ...single, oauth: facebook.oauth },
    { id: 'instagram', server: instagram, ...single, oauth: instagram.oauth },
    { id: 'threads', server: threads, ...thread, oauth: threads.oauth },
    { id: 'x', server: x, ...thread, oauth: x.oauth },
  ]
  const origins = Object.entries({ telegram, discord, slack, linkedin: members, facebook, instagram, threads, x })
    .map(([network, { url }]) => `${network}=${url}`)
    .join(',')
  /** Lets the networks that fetch files do so from this app. */
  const fetchFrom = ({ deps, url }: TestApp) => {
    for (const server of [instagram, threads]) server.fetchFrom(deps.baseUrl, url)
  }
  return { networks, origins, fetchFrom }
}

type Sent = { network: Network; id: string; text: (part: number) => string }

async function connect(t: TestApp, owner: WorkspaceOwner, { id: network, form, oauth }: Network): Promise<string> {
  if (!oauth) return expectStatus(await owner.post('/api/v1/accounts', { network, ...form }), 201).body.id
  await setUpApp(t, network, oauth)
  return (await connectByOAuth(owner, network)).account_ids[0]
}

/** Publishes a post with an image, and a thread where the network has them. */
async function publish(owner: WorkspaceOwner, network: Network & { account: string }, media_id: string, name: string) {
  const text = (part: number) => `${name}part${part}`
  const thread = network.visible > 1 ? { thread: [{ content: text(1) }] } : {}
  const post = { content: text(0), media_ids: [media_id], account_ids: [network.account], publish_now: true, ...thread }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  return { network, id: String(body.id), text }
}

/** Frees the jobs of the killed worker, as the heartbeat of another does after a while, and runs them to their end. */
async function finish(t: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(t.deps.db)
  await t.runJobs()
  for (const wait of WAITS) {
    t.advance(wait)
    await t.runJobs()
  }
}

test(
  `${KILLS} kills at any moment of publishing leave each post once, or one that a person decides about (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    let now = Date.now
    const { networks, origins, fetchFrom } = await startNetworks(() => now())
    const t = await testApp({ NETWORK_ORIGINS: origins }, { origin: new Date() })
    fetchFrom(t)
    let worker: ChildProcess | undefined
    onTestFinished(async () => {
      await kill(worker)
      for (const { server } of networks) server.close()
      await t.close()
    })
    const owner = await withWorkspace(t)
    const connected: (Network & { account: string })[] = []
    for (const network of networks) {
      connected.push({ ...network, account: await connect(t, owner, network) })
      network.server.slow(LATENCY_MS)
    }
    const { id: media_id } = await uploaded(owner)
    const sent: Sent[] = []
    for (let round = 0; round < KILLS; round++) {
      worker = await startTortureWorker(t, { DATA_DIR: t.deps.config.DATA_DIR, NETWORK_ORIGINS: origins })
      for (const network of connected) sent.push(await publish(owner, network, media_id, `round${round}`))
      await sleep(random() * MAX_DELAY_MS)
      await kill(worker)
    }
    for (const { server } of networks) server.slow(0)
    now = () => t.clock.now().getTime()
    await finish(t)

    const wrong: unknown[] = []
    for (const { network, id, text } of sent) {
      const { targets } = expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
      const seen = Array.from(
        { length: network.visible },
        (_, part) => network.server.stored().filter((post) => !post.deleted && post.text.includes(text(part))).length,
      )
      const isWhole = targets[0].status === 'published' && seen.every((times) => times === 1)
      const isAsked = !network.canLookUp && targets[0].needs_resolution && seen.every((times) => times <= 1)
      if (!isWhole && !isAsked) wrong.push([network.id, text(0), seen, targets[0].status, targets[0].error_code])
    }
    expect(wrong, `seed ${SEED}`).toEqual([])
  },
  scaled(60_000 + 30_000 * KILLS),
)
