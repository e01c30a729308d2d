import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { discordServer } from '../stand-ins/discord.ts'
import { httpChannel } from '../stand-ins/http-channel.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import type { NetworkServer } from '../stand-ins/server.ts'
import { slackServer } from '../stand-ins/slack.ts'
import { telegramServer } from '../stand-ins/telegram.ts'
import { wordpressServer } from '../stand-ins/wordpress.ts'
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
  /** Fields that connect an account. */
  form: { network: string; [name: string]: string }
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
  const { id, token } = discord.addWebhook()
  const { login: user, password: app_password } = wordpress.addUser()
  const thread = { visible: 2, canLookUp: true }
  const networks: Network[] = [
    { server: bluesky, ...thread, form: { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() } },
    {
      server: mastodon,
      ...thread,
      form: { network: 'mastodon', server: mastodon.url, access_token: mastodon.addAccount().token },
    },
    {
      server: telegram,
      ...thread,
      canLookUp: false,
      form: { network: 'telegram', token: telegram.token, chat: String(telegram.addChat().id) },
    },
    {
      server: discord,
      ...thread,
      canLookUp: false,
      form: { network: 'discord', webhook_url: `https://discord.com/api/webhooks/${id}/${token}` },
    },
    { server: slack, ...thread, form: { network: 'slack', token: slack.addBot(), channel: slack.addChannel().id } },
    {
      server: wordpress,
      visible: 1,
      canLookUp: true,
      form: { network: 'wordpress', site: wordpress.url, user, app_password },
    },
    {
      server: channel,
      visible: 1,
      canLookUp: false,
      form: { network: 'http', url: channel.url, secret: channel.secret() },
    },
  ]
  const origins = `telegram=${telegram.url},discord=${discord.url},slack=${slack.url}`
  return { networks, origins }
}

type Sent = { network: Network; id: string; text: (part: number) => string }

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
    const { networks, origins } = await startNetworks(() => now())
    const t = await testApp({ NETWORK_ORIGINS: origins }, { origin: new Date() })
    let worker: ChildProcess | undefined
    onTestFinished(async () => {
      await kill(worker)
      for (const { server } of networks) server.close()
      await t.close()
    })
    const owner = await withWorkspace(t)
    const connected: (Network & { account: string })[] = []
    for (const network of networks) {
      const { body } = expectStatus(await owner.post('/api/v1/accounts', network.form), 201)
      connected.push({ ...network, account: body.id })
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
      if (!isWhole && !isAsked)
        wrong.push([network.form.network, text(0), seen, targets[0].status, targets[0].error_code])
    }
    expect(wrong, `seed ${SEED}`).toEqual([])
  },
  scaled(60_000 + 30_000 * KILLS),
)
