import type { TestApp } from './app.ts'
import { expectStatus, type WorkspaceOwner } from './factories.ts'
import { connectByOAuth, setUpApp } from './network-accounts.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'
import { discordServer } from './stand-ins/discord.ts'
import { facebookServer } from './stand-ins/facebook.ts'
import { httpChannel } from './stand-ins/http-channel.ts'
import { instagramServer } from './stand-ins/instagram.ts'
import { linkedinServer } from './stand-ins/linkedin.ts'
import { mastodonServer } from './stand-ins/mastodon.ts'
import type { OAuthServer } from './stand-ins/oauth.ts'
import type { NetworkServer } from './stand-ins/server.ts'
import { slackServer } from './stand-ins/slack.ts'
import { telegramServer } from './stand-ins/telegram.ts'
import { threadsServer } from './stand-ins/threads.ts'
import { wordpressServer } from './stand-ins/wordpress.ts'
import { xServer } from './stand-ins/x.ts'

export type Server = Pick<
  NetworkServer,
  'url' | 'stored' | 'slow' | 'failCall' | 'failNext' | 'failAlways' | 'fault' | 'close'
> & {
  calls: readonly object[]
}

/** An account on a stand-in. */
export type Connected = {
  server: Server
  account: string
  /** The option of the newest post. Undefined on a network without options. */
  shownOption?: () => unknown
}

/** The differences of a network from the others. */
export type Network = {
  connect: (owner: WorkspaceOwner) => Promise<Connected>
  /** An option before the change and after it. */
  option?: { name: string; former: unknown; corrected: unknown }
  /** Parts of a thread below the post. */
  hasThread?: boolean
  hasAlt?: boolean
  /** The media type of an image as readers see it. */
  typeOf?: (mime: string) => string
  /** The text that readers see. */
  textOf?: (content: string) => string
  /** Whether the network fetches files from their addresses. */
  fetches?: boolean
  /** Whether the network can be asked for a post whose response was lost. */
  canLookUp?: boolean
}

export const connectByForm = async (owner: WorkspaceOwner, fields: { network: string; [name: string]: string }) =>
  String(expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id)

/** Every network on its stand-in, by its id. `now`: the time by the clock of whoever sends, in milliseconds. */
export function networkAccounts(t: TestApp, now = () => t.clock.now().getTime()): Record<string, Network> {
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

  let facebook: Awaited<ReturnType<typeof facebookServer>> | undefined

  /** Facebook with one Page and the account of Instagram linked to it. Both are at one address, so on one stand-in. */
  async function openFacebook() {
    if (facebook) return facebook
    const server = await facebookServer()
    server.addPage({ instagram: { id: '17841400000000001', username: 'bakery' } })
    server.fetchFrom(t.deps.baseUrl, t.url)
    const close = () => {
      facebook = undefined
      server.close()
    }
    facebook = { ...server, close }
    return facebook
  }

  return {
    mastodon: {
      hasThread: true,
      option: { name: 'spoiler_text', former: 'Former', corrected: 'Corrected' },
      connect: async (owner) => {
        const server = await mastodonServer()
        const account = await connectByForm(owner, {
          network: 'mastodon',
          server: server.url,
          access_token: server.addAccount().token,
        })
        const shownOption = () => [...server.posts.values()].findLast(({ replyTo }) => replyTo === null)?.spoiler
        return { server, account, shownOption }
      },
    },
    threads: {
      hasThread: true,
      fetches: true,
      option: { name: 'topic_tag', former: 'Former', corrected: 'Corrected' },
      connect: async (owner) => {
        const server = await threadsServer()
        server.fetchFrom(t.deps.baseUrl, t.url)
        const account = await connectSignedIn(owner, server, 'threads')
        const shownOption = () => [...server.posts.values()].findLast(({ replyTo }) => replyTo === null)?.topic_tag
        return { server, account, shownOption }
      },
    },
    instagram: {
      fetches: true,
      typeOf: () => 'image/jpeg',
      option: { name: 'collaborators', former: ['former'], corrected: ['corrected'] },
      connect: async (owner) => {
        const server = await instagramServer()
        server.fetchFrom(t.deps.baseUrl, t.url)
        const account = await connectSignedIn(owner, server, 'instagram')
        const shownOption = () => [...server.media.values()].at(-1)?.fields.collaborators
        return { server, account, shownOption }
      },
    },
    facebook: {
      connect: async (owner) => {
        const server = await openFacebook()
        return { server, account: await connectSignedIn(owner, server, 'facebook') }
      },
    },
    instagram_facebook: {
      fetches: true,
      typeOf: () => 'image/jpeg',
      option: { name: 'collaborators', former: ['former'], corrected: ['corrected'] },
      connect: async (owner) => {
        const server = await openFacebook()
        const account = await connectSignedIn(owner, server, 'instagram_facebook', 'facebook')
        const shownOption = () => [...server.instagram.media.values()].at(-1)?.fields.collaborators
        return { server, account, shownOption }
      },
    },
    linkedin: {
      typeOf: () => 'image',
      canLookUp: false,
      option: { name: 'visibility', former: 'CONNECTIONS', corrected: 'PUBLIC' },
      connect: async (owner) => {
        const server = await linkedinServer()
        const account = await connectSignedIn(owner, server, 'linkedin')
        const shownOption = () => server.calls.findLast(({ path }) => path === '/rest/posts')?.fields.visibility
        return { server, account, shownOption }
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
      option: { name: 'reply_settings', former: 'following', corrected: 'mentionedUsers' },
      connect: async (owner) => {
        const server = await xServer()
        const account = await connectSignedIn(owner, server, 'x')
        const shownOption = () => server.posts.findLast(({ parent }) => parent === null)?.fields.reply_settings
        return { server, account, shownOption }
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
      option: { name: 'langs', former: ['en'], corrected: ['tr'] },
      connect: async (owner) => {
        const server = await blueskyServer()
        const account = await connectByForm(owner, { network: 'bluesky', service: server.url, ...server.addAccount() })
        const shownOption = () =>
          [...server.records.values()].findLast(({ value }) => value.reply === undefined)?.value.langs
        return { server, account, shownOption }
      },
    },
    wordpress: {
      textOf: (content) => content.split('\n\n')[1] ?? '',
      option: { name: 'excerpt', former: 'Former', corrected: 'Corrected' },
      connect: async (owner) => {
        const server = await wordpressServer()
        const { login: user, password: app_password } = server.addUser({ role: 'editor' })
        const account = await connectByForm(owner, { network: 'wordpress', site: server.url, user, app_password })
        const shownOption = () => [...server.posts.values()].at(-1)?.excerpt
        return { server, account, shownOption }
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
        const server = await httpChannel({ now })
        return {
          server,
          account: await connectByForm(owner, { network: 'http', url: server.url, secret: server.secret() }),
        }
      },
    },
  }
}
