import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../test/factories.ts'
import { pngOfSize, svgs } from '../../../test/hostile-files.ts'
import { download, testImage } from '../../../test/media.ts'
import { connectTo } from '../../../test/network-faults.ts'
import { expectProblem } from '../../../test/problem.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { discordServer } from '../../../test/stand-ins/discord.ts'
import { mastodonServer } from '../../../test/stand-ins/mastodon.ts'
import type { NetworkServer, Reply } from '../../../test/stand-ins/server.ts'
import { slackServer } from '../../../test/stand-ins/slack.ts'
import { telegramServer } from '../../../test/stand-ins/telegram.ts'
import { wordpressServer } from '../../../test/stand-ins/wordpress.ts'

const t = await testApp()

type Network = {
  server: { url: string } & Pick<NetworkServer, 'setImage' | 'close'>
  /** Fields that connect an account with an image. */
  fields: { network: string; [name: string]: string }
  path: string
}

async function mastodon(): Promise<Network> {
  const server = await mastodonServer()
  const { token, username } = server.addAccount()
  const fields = { network: 'mastodon', server: server.url, access_token: token }
  return { server, fields, path: `/avatars/${username}.png` }
}

const networks: Record<string, () => Promise<Network>> = {
  Bluesky: async () => {
    const server = await blueskyServer()
    const account = server.addAccount()
    server.setProfile(account.handle, { displayName: 'A bakery' })
    const fields = { network: 'bluesky', service: server.url, ...account }
    return { server, fields, path: '/xrpc/com.atproto.sync.getBlob' }
  },
  Mastodon: mastodon,
  Telegram: async () => {
    const server = await telegramServer()
    const fields = { network: 'telegram', token: server.token, chat: String(server.addChat().id) }
    return { server, fields, path: `/file/bot${server.token}/avatar.bin` }
  },
  Discord: async () => {
    const server = await discordServer()
    const avatar = 'a'.repeat(32)
    const { id, token } = server.addWebhook({ avatar })
    const fields = { network: 'discord', webhook_url: `https://discord.com/api/webhooks/${id}/${token}` }
    return { server, fields, path: `/avatars/${id}/${avatar}.png` }
  },
  Slack: async () => {
    const server = await slackServer()
    const fields = { network: 'slack', token: server.addBot(), channel: server.addChannel().id }
    return { server, fields, path: '/team_132.png' }
  },
  WordPress: async () => {
    const server = await wordpressServer({ hasIcon: true })
    const { login: user, password: app_password } = server.addUser()
    const fields = { network: 'wordpress', site: server.url, user, app_password }
    return { server, fields, path: '/wp-content/uploads/icon.png' }
  },
}

/** Connects an account while this is at the address of its image. */
async function connectWith(start: () => Promise<Network>, reply: Reply) {
  const { server, fields, path } = await start()
  onTestFinished(server.close)
  server.setImage(path, reply)
  const { owner, account } = await connectTo(t, server, fields)
  return { owner, server, path, address: `/api/v1/accounts/${account}/avatar`, account }
}

const image = (body: Buffer): Reply => ({ status: 200, headers: { 'content-type': 'image/png' }, body })

const whole = await testImage(400, 300)

describe('GET /accounts/:id/avatar', () => {
  test('200 returns the image of the network, as a small WebP, to members only', async () => {
    const { owner, address, account } = await connectWith(mastodon, image(await testImage(800, 600)))
    expect((await owner.get(`/api/v1/accounts/${account}`)).body.avatar_url).toBe(address)
    const { status, headers, bytes } = await download(owner, address)
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ])
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expect((await download(viewer, address)).status).toBe(200)
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(address), 404, 'not_found')
  })

  test.each(Object.entries(networks))('an account of %s is connected with its image', async (_, start) => {
    const { owner, address } = await connectWith(start, image(await testImage()))
    expect((await download(owner, address)).headers.get('content-type')).toBe('image/webp')
  })

  test.each(Object.entries(networks))('an account of %s is connected if its image is absent', async (_, start) => {
    const { owner, address } = await connectWith(start, { status: 404 })
    expectProblem(await owner.get(address), 404, 'not_found')
  })

  test.each<[string, Reply]>([
    ['is larger than two megabytes', image(Buffer.alloc(2_000_001))],
    ['has 65,535 × 65,535 pixels', image(pngOfSize(65_535, 65_535))],
    ['is cut off', image(whole.subarray(0, 200))],
    ...Object.entries(svgs).map(([name, body]): [string, Reply] => [`is an SVG: ${name}`, image(body)]),
    ['is a page', { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<script></script>') }],
    ['is empty', image(Buffer.alloc(0))],
    ['redirects to a private address', { status: 302, headers: { location: 'http://169.254.169.254/latest' } }],
  ])('an account is connected without an image that %s', async (_, reply) => {
    const { owner, address } = await connectWith(mastodon, reply)
    expectProblem(await owner.get(address), 404, 'not_found')
  })

  test.each([
    ['of a private address', 'http://10.0.0.1/a.png'],
    ['of another protocol', 'file:///etc/passwd'],
    ['that is malformed', 'a picture'],
    ['with no connection', 'http://127.0.0.1:1/a.png'],
  ])('an account is connected without an image at an address %s', async (_, avatar_static) => {
    const network = await mastodon()
    network.server.setImage('/api/v1/accounts/verify_credentials', {
      status: 200,
      body: { id: '1', username: 'ada', avatar_static },
    })
    const { owner, address } = await connectWith(async () => network, { status: 404 })
    expectProblem(await owner.get(address), 404, 'not_found')
  })

  test('a check fetches a new image, and keeps the former one while there is none', async () => {
    const { owner, server, path, account, address } = await connectWith(mastodon, image(await testImage()))
    const checked = async () => {
      expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200)
      return (await download(owner, address)).bytes
    }
    const former = (await download(owner, address)).bytes
    server.setImage(path, { status: 500 })
    expect(await checked()).toEqual(former)
    server.setImage(path, image(await testImage(300, 30)))
    expect(await checked()).not.toEqual(former)
  })
})
