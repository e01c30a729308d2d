import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { noise, picture, uploaded } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { discordServer } from '../../../../test/stand-ins/discord.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { httpChannel } from '../../../../test/stand-ins/http-channel.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import type { OAuthServer } from '../../../../test/stand-ins/oauth.ts'
import type { NetworkServer } from '../../../../test/stand-ins/server.ts'
import { slackServer } from '../../../../test/stand-ins/slack.ts'
import { telegramServer } from '../../../../test/stand-ins/telegram.ts'
import { threadsServer } from '../../../../test/stand-ins/threads.ts'
import { wordpressServer } from '../../../../test/stand-ins/wordpress.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { publishDying } from '../../networks/faults.fixture.ts'
import { advance, HOUR, publishNow, read } from './publishing.fixture.ts'

const t = await testApp()

type Server = Pick<NetworkServer, 'url' | 'stored' | 'failCall' | 'failNext' | 'failAlways' | 'fault' | 'close'> & {
  calls: readonly object[]
}

/** An account on a stand-in. */
type Connected = {
  server: Server
  account: string
  /** An option before the change and after it, and how the newest post has it. */
  option?: { name: string; former: unknown; corrected: unknown; shown: () => unknown }
}

/** How a network differs from the others. */
type Network = {
  connect: (owner: WorkspaceOwner) => Promise<Connected>
  /** Parts of a thread below the post. */
  hasThread?: boolean
  hasAlt?: boolean
  /** The media type of a picture as readers see it. */
  typeOf?: (mime: string) => string
  /** The text that readers see. */
  textOf?: (content: string) => string
  /** Whether the network fetches files from their addresses. */
  fetches?: boolean
  /** Whether the network can be asked for a post whose response was lost. */
  canLookUp?: boolean
}

const connectByForm = async (owner: WorkspaceOwner, fields: { network: string; [name: string]: string }) =>
  String(expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id)

const origins = t.deps.config.NETWORK_ORIGINS

async function connectSignedIn(
  owner: WorkspaceOwner,
  server: Server & { oauth: OAuthServer },
  network: string,
  origin = network,
) {
  origins[origin] = server.url
  await setUpApp(t, network, server.oauth)
  server.oauth.signInAs('ada')
  const { account_ids } = await connectByOAuth(owner, network)
  return String(account_ids[0])
}

const networks: Record<string, Network> = {
  mastodon: {
    hasThread: true,
    connect: async (owner) => {
      const server = await mastodonServer()
      const account = await connectByForm(owner, {
        network: 'mastodon',
        server: server.url,
        access_token: server.addAccount().token,
      })
      const shown = () => [...server.posts.values()].findLast(({ replyTo }) => replyTo === null)?.spoiler
      return { server, account, option: { name: 'spoiler_text', former: 'Former', corrected: 'Corrected', shown } }
    },
  },
  threads: {
    hasThread: true,
    fetches: true,
    connect: async (owner) => {
      const server = await threadsServer()
      server.fetchFrom(t.deps.baseUrl, t.url)
      const account = await connectSignedIn(owner, server, 'threads')
      const shown = () => [...server.posts.values()].findLast(({ replyTo }) => replyTo === null)?.topic_tag
      return { server, account, option: { name: 'topic_tag', former: 'Former', corrected: 'Corrected', shown } }
    },
  },
  instagram: {
    fetches: true,
    typeOf: () => 'image/jpeg',
    connect: async (owner) => {
      const server = await instagramServer()
      server.fetchFrom(t.deps.baseUrl, t.url)
      const account = await connectSignedIn(owner, server, 'instagram')
      const shown = () => [...server.media.values()].at(-1)?.fields.collaborators
      return { server, account, option: { name: 'collaborators', former: ['former'], corrected: ['corrected'], shown } }
    },
  },
  facebook: {
    connect: async (owner) => {
      const server = await facebookServer()
      server.addPage()
      return { server, account: await connectSignedIn(owner, server, 'facebook') }
    },
  },
  linkedin: {
    typeOf: () => 'image',
    canLookUp: false,
    connect: async (owner) => {
      const server = await linkedinServer()
      const account = await connectSignedIn(owner, server, 'linkedin')
      const shown = () => server.calls.findLast(({ path }) => path === '/rest/posts')?.fields.visibility
      return { server, account, option: { name: 'visibility', former: 'CONNECTIONS', corrected: 'PUBLIC', shown } }
    },
  },
  linkedin_page: {
    typeOf: () => 'image',
    connect: async (owner) => {
      const server = await linkedinServer({ pages: { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] } })
      return { server, account: await connectSignedIn(owner, server, 'linkedin_page', 'linkedin') }
    },
  },
  x: {
    hasThread: true,
    connect: async (owner) => {
      const server = await xServer()
      const account = await connectSignedIn(owner, server, 'x')
      const shown = () => server.posts.findLast(({ parent }) => parent === null)?.fields.reply_settings
      const former = 'following'
      return { server, account, option: { name: 'reply_settings', former, corrected: 'mentionedUsers', shown } }
    },
  },
  slack: {
    hasThread: true,
    connect: async (owner) => {
      const server = await slackServer()
      origins.slack = server.url
      const account = await connectByForm(owner, {
        network: 'slack',
        token: server.addBot(),
        channel: server.addChannel().id,
      })
      return { server, account }
    },
  },
  bluesky: {
    hasThread: true,
    connect: async (owner) => {
      const server = await blueskyServer()
      const account = await connectByForm(owner, { network: 'bluesky', service: server.url, ...server.addAccount() })
      const shown = () => [...server.records.values()].findLast(({ value }) => value.reply === undefined)?.value.langs
      return { server, account, option: { name: 'langs', former: ['en'], corrected: ['tr'], shown } }
    },
  },
  wordpress: {
    textOf: (content) => content.split('\n\n')[1] ?? '',
    connect: async (owner) => {
      const server = await wordpressServer()
      const { login: user, password: app_password } = server.addUser({ role: 'editor' })
      const account = await connectByForm(owner, { network: 'wordpress', site: server.url, user, app_password })
      const shown = () => [...server.posts.values()].at(-1)?.excerpt
      return { server, account, option: { name: 'excerpt', former: 'Former', corrected: 'Corrected', shown } }
    },
  },
  telegram: {
    hasThread: true,
    hasAlt: false,
    canLookUp: false,
    connect: async (owner) => {
      const server = await telegramServer()
      origins.telegram = server.url
      const chat = String(server.addChat({ username: 'news' }).id)
      return { server, account: await connectByForm(owner, { network: 'telegram', token: server.token, chat }) }
    },
  },
  discord: {
    hasThread: true,
    canLookUp: false,
    connect: async (owner) => {
      const server = await discordServer()
      origins.discord = server.url
      const { id, token } = server.addWebhook()
      const webhook_url = `https://discord.com/api/webhooks/${id}/${token}`
      return { server, account: await connectByForm(owner, { network: 'discord', webhook_url }) }
    },
  },
  http: {
    canLookUp: false,
    connect: async (owner) => {
      const server = await httpChannel({ now: () => t.clock.now().getTime() })
      return {
        server,
        account: await connectByForm(owner, { network: 'http', url: server.url, secret: server.secret() }),
      }
    },
  },
}

type File = { id: string; mime: string; alt: string; bytes: Buffer }

/** Two pictures of a post, and another. */
async function uploadFiles(owner: WorkspaceOwner) {
  const jpeg = async () =>
    // Pictures of like colours would have the same bytes as JPEG.
    sharp(await noise(40, 30))
      .jpeg()
      .toBuffer()
  const file = async (alt: string, bytes: Buffer, mime: string): Promise<File> => {
    const { id } = await uploaded(owner, { bytes, type: mime, fields: [['alt', alt]] })
    return { id, mime, alt, bytes }
  }
  return {
    first: await file('First', await picture(), 'image/png'),
    second: await file('Second', await jpeg(), 'image/jpeg'),
    other: await file('Other', await jpeg(), 'image/jpeg'),
  }
}

let texts = 0
/** A title and a text, which no other post has. */
const newText = (name: string) => `${name} ${++texts}\n\nText of ${name} ${texts}`

type Post = { id: string; content: string; media_ids: string[]; thread: { content: string; media_ids: string[] }[] }

/** The post with its thread as readers should see it. */
const expectedOf = (
  files: Record<string, File>,
  { hasAlt = true, typeOf = String, textOf = String }: Network,
  { content, media_ids, thread }: Post,
) =>
  [{ content, media_ids }, ...thread]
    .map((part) => ({
      text: textOf(part.content),
      media: part.media_ids.map((id) => {
        const file = Object.values(files).find((each) => each.id === id)
        return { type: typeOf(file?.mime ?? ''), alt: hasAlt ? (file?.alt ?? '') : '' }
      }),
    }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))

/** What readers see, except for these posts. Posts of a moment are in no order. */
const seen = (server: Server, except: ReadonlySet<string>) =>
  server
    .stored()
    .filter(({ id, deleted }) => !deleted && !except.has(id))
    .map(({ text, media }) => ({ text, media: media.map(({ type, alt }) => ({ type, alt: alt ?? '' })) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))

const idsOf = (server: Server) => new Set(server.stored().map(({ id }) => id))

const REFUSED = { kind: 'answer', status: 400 } as const

describe.each(Object.entries(networks))('on %s', (_, network) => {
  let owner: WorkspaceOwner
  let files: Awaited<ReturnType<typeof uploadFiles>>
  let connected: Connected
  beforeAll(async () => {
    owner = await withWorkspace(t)
    files = await uploadFiles(owner)
    connected = await network.connect(owner)
  })
  afterAll(() => connected.server.close())

  const setAlt = async (file: File, alt: string) => {
    expectStatus(await owner.patch(`/api/v1/media/${file.id}`, { alt }), 200)
    file.alt = alt
  }

  const current = async ({ id }: { id: string }) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

  /** Runs jobs until the post has ended. */
  async function ended(post: { id: string }, waits = [60_000, HOUR, HOUR, HOUR, 3 * HOUR]) {
    await t.runJobs()
    for (const wait of waits) {
      if ((await current(post)).status !== 'publishing') break
      await advance(t, wait)
    }
    return current(post)
  }

  const targets = (which: 'former' | 'corrected') => {
    const { account, option } = connected
    return [{ account_id: account, options: option ? { [option.name]: option[which] } : {} }]
  }

  const create = async (fields: object | false = {}): Promise<{ id: string }> => {
    const post = {
      content: newText('Former'),
      media_ids: [files.first.id, files.second.id],
      ...(network.hasThread && { thread: [{ content: newText('Former part'), media_ids: [files.second.id] }] }),
      ...{ targets: targets('former'), publish_now: true },
    }
    return expectStatus(await owner.post('/api/v1/posts', { ...post, ...fields }), 201).body
  }

  const change = (post: { id: string }, fields: object) => owner.patch(`/api/v1/posts/${post.id}`, fields)

  /** A post that was refused, and the posts that readers saw before. */
  async function refused(fields: object = {}) {
    const { server } = connected
    const before = idsOf(server)
    server.failNext(REFUSED)
    const post = await create(fields)
    expect((await ended(post)).status).toBe('failed')
    return { post, before }
  }

  /** Publishes a post that failed, and expects that readers see it as Meydan shows it. */
  async function expectPublished(post: { id: string }, how: 'publish' | 'retry', before: Set<string>) {
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/${how}`), 200)
    const done = await ended(post)
    expect(done.targets[0]).toMatchObject({ status: 'published', error_message: null })
    expect(seen(connected.server, before)).toEqual(expectedOf(files, network, done))
  }

  const changes: [string, () => object, boolean][] = [
    ['the text', () => ({ content: newText('Corrected') }), true],
    ['a picture', () => ({ media_ids: [files.other.id, files.second.id] }), true],
    ['the order of two pictures', () => ({ media_ids: [files.second.id, files.first.id] }), true],
    ['a part of the thread', () => ({ thread: [{ content: newText('Corrected part') }] }), network.hasThread === true],
  ]
  test.each(changes.filter(([, , isPossible]) => isPossible))(
    'a refused post of which %s was changed is published as it is then',
    async (_, fields) => {
      const { post, before } = await refused()
      expectStatus(await change(post, fields()), 200)
      await expectPublished(post, 'publish', before)
    },
  )

  if (network.typeOf && !network.fetches)
    test('the bytes of another picture are sent', async () => {
      const { post, before } = await refused()
      const { id, bytes } = files.other
      const callsBefore = connected.server.calls.length
      expectStatus(await change(post, { media_ids: [id] }), 200)
      await expectPublished(post, 'publish', before)
      expect(
        connected.server.calls
          .slice(callsBefore)
          .some((call) => 'raw' in call && Buffer.isBuffer(call.raw) && call.raw.includes(bytes)),
      ).toBe(true)
    })

  test('a refused post of which an option was changed is published with it', async ({ skip }) => {
    const { option } = connected
    if (!option) return skip()
    const { post, before } = await refused()
    expectStatus(await change(post, { targets: targets('corrected') }), 200)
    await expectPublished(post, 'publish', before)
    expect(option.shown()).toEqual(option.corrected)
  })

  test('a refused post is retried with the alternative text that its picture has then', async () => {
    const { post, before } = await refused()
    await setAlt(files.second, `Second ${texts}`)
    await expectPublished(post, 'retry', before)
  })

  test('whichever call is refused, a changed post is published as it is then', async () => {
    const { server } = connected
    for (let nth = 1, isLast = false; !isLast; nth++) {
      const before = idsOf(server)
      const isPending = server.failCall(nth, REFUSED)
      const post = await create(network.hasThread === true && { thread: [{ content: newText('Former part') }] })
      const { status } = await ended(post)
      isLast = isPending()
      server.failCall(0)
      if (status === 'published') {
        expect(seen(server, before)).toEqual(expectedOf(files, network, await current(post)))
        continue
      }
      const corrected = await change(post, {
        content: newText('Corrected'),
        media_ids: [files.other.id, files.first.id],
        ...(network.hasThread && { thread: [{ content: newText('Corrected part') }] }),
        targets: targets('corrected'),
      })
      if (status === 'partially_published') {
        // Readers see a part already, which would stay as it is.
        expectProblem(corrected, 409, 'invalid_transition')
        await expectPublished(post, 'retry', before)
      } else {
        expectStatus(corrected, 200)
        await setAlt(files.first, `First ${texts}`)
        await expectPublished(post, 'publish', before)
      }
    }
  })

  if (network.canLookUp !== false)
    describe('a post that nobody could look up for a day', () => {
      /** A post whose response was lost, and which was changed since. */
      async function lost(fault: 'response_lost_before_saving' | 'response_lost_after_saving') {
        const { server } = connected
        const before = idsOf(server)
        server.fault(fault)
        const post = await create()
        await t.runJobs()
        while ((await current(post)).targets[0].status === 'publishing') await advance(t, 10_000)
        server.failAlways({ kind: 'answer', status: 503 })
        await advance(t, 25 * HOUR)
        server.failAlways()
        expect((await current(post)).targets[0]).toMatchObject({ status: 'failed', error_code: 'unconfirmed' })
        const fields = { content: newText('Corrected'), media_ids: [files.other.id], targets: targets('corrected') }
        expectStatus(await change(post, fields), 200)
        return { post, before }
      }

      test('is published as it is after a change if it did not arrive', async () => {
        const { post, before } = await lost('response_lost_before_saving')
        await expectPublished(post, 'publish', before)
      })

      test('is found by what was sent if it arrived, and not published again', async () => {
        const { post, before } = await lost('response_lost_after_saving')
        expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
        expect((await ended(post)).status).toBe('published')
        expect(seen(connected.server, before)).toHaveLength(network.hasThread ? 2 : 1)
      })
    })
})

describe('inside Meydan', () => {
  const feed = (owner: WorkspaceOwner) =>
    connectByForm(owner, { network: 'rss', title: 'Bakery', description: 'News', language: 'en' })
  const addressOf = async (owner: WorkspaceOwner, account: string) =>
    String((await owner.get(`/api/v1/accounts/${account}`)).body.url).replace(t.deps.baseUrl, '')

  test.each([
    ['the Playground', playgroundAccount, async () => '/api/v1/playground'],
    ['a feed', feed, addressOf],
  ] as const)('what a dead worker left on %s is shown as the post is after a change', async (_, connect, pathOf) => {
    const owner = await withWorkspace(t)
    const account = await connect(owner)
    const post = await publishNow(owner, { content: 'Former', account_ids: [account] })
    expect(await publishDying(t, post, 1, 'before')).toBe(true)
    expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: true }), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('failed')
    expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Corrected' }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    const shown = JSON.stringify((await owner.get(await pathOf(owner, account))).body)
    expect([shown.includes('Corrected'), shown.includes('Former')]).toEqual([true, false])
  })
})
