import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { connectTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { type SlackServer, slackServer } from '../../../../test/stand-ins/slack.ts'

const slack = await slackServer()
afterAll(() => slack.close())
const t = await testApp({ NETWORK_ORIGINS: `slack=${slack.url}` })

let names = 0

type ChannelOptions = Parameters<SlackServer['addChannel']>[0]

/** The address of a webhook as Slack shows it. */
const addressOf = (server: SlackServer, channel: { id: string }) =>
  server.addWebhook(channel).replace(server.url, 'https://hooks.slack.com')

async function withChannel(options: ChannelOptions = {}) {
  const channel = slack.addChannel({ name: `news-${++names}`, ...options })
  const owner = await withWorkspace(t)
  const token = slack.addBot()
  const connect = (fields: object = { token, channel: channel.id }) =>
    owner.post('/api/v1/accounts', { network: 'slack', ...fields })
  return { channel, owner, token, connect }
}

async function withBot(options: ChannelOptions = {}) {
  const connected = await withChannel(options)
  const { body: account } = expectStatus(await connected.connect(), 201)
  return { ...connected, account }
}

async function withWebhook() {
  const connected = await withChannel()
  const webhook_url = addressOf(slack, connected.channel)
  const { body: account } = expectStatus(await connected.connect({ webhook_url }), 201)
  return { ...connected, account, webhook_url }
}

async function publish(owner: WorkspaceOwner, account: { id: string }, fields: object = {}, options: object = {}) {
  const post = { content: 'Hello', targets: [{ account_id: account.id, options }], publish_now: true, ...fields }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return async () => (await owner.get(`/api/v1/posts/${body.id}`)).body
}

const sentTo = (channel: { id: string }) => slack.messages.filter((message) => message.channel.id === channel.id)

describe('connecting Slack', () => {
  test('a bot finds its channel by id, name and address', async () => {
    const { channel, owner, token, connect } = await withChannel()
    for (const given of [channel.id, channel.name, `#${channel.name}`, `https://a.slack.com/archives/${channel.id}`]) {
      const { body } = expectStatus(await connect({ token, channel: given }), 201)
      expect(body).toMatchObject({
        handle: `#${channel.name}`,
        url: `https://stand-in.slack.com/archives/${channel.id}`,
        limits: {},
        form: { channel: given },
      })
      expectStatus(await owner.delete(`/api/v1/accounts/${body.id}`), 204)
    }
  })

  test('a webhook takes texts only, which its account says', async () => {
    const { account, webhook_url } = await withWebhook()
    expect(account).toMatchObject({
      url: null,
      form: {},
      limits: { media: null, max_parts: 1, first_comment: false, edit: false, delete: false },
    })
    expect(JSON.stringify(account)).not.toContain(webhook_url.split('/').at(-1))
    expect(slack.messages.filter(({ content }) => content.text === '')).toEqual([])
  })

  test('what is missing or wrong is explained at its field', async () => {
    const { channel, token, connect } = await withChannel()
    const webhook_url = addressOf(slack, channel)
    expectProblem(await connect({}), 400, 'validation_failed', '/token')
    expectProblem(await connect({ token }), 400, 'validation_failed', '/channel')
    expectProblem(await connect({ token, channel: channel.id, webhook_url }), 400, 'validation_failed', '/webhook_url')
    expectProblem(await connect({ webhook_url: 'https://example.com' }), 400, 'validation_failed', '/webhook_url')
    expectProblem(await connect({ webhook_url: `${webhook_url}x` }), 400, 'account_refused', '/webhook_url')
    expectProblem(await connect({ token: 'xoxb-unknown', channel: channel.id }), 400, 'account_refused', '/token')
    expectProblem(await connect({ token, channel: '#nowhere' }), 400, 'account_refused', '/channel')
    expectProblem(await connect({ token, channel: 'C0000000' }), 400, 'account_refused', '/channel')
  })

  test('a bot that is not in the channel, or lacks a scope, is not connected', async () => {
    const { channel, token, connect } = await withChannel({ isMember: false })
    const outside = await connect({ token, channel: channel.id })
    expectProblem(outside, 400, 'account_refused', '/channel')
    expect(outside.body.detail).toMatch(/\/invite/)
    channel.isMember = true
    const poor = await connect({ token: slack.addBot(['chat:write', 'channels:read']), channel: channel.id })
    expectProblem(poor, 400, 'account_refused', '/channel')
    expect(poor.body.detail).toMatch(/channels:history/)
  })

  test('a check reports a token or a webhook that was revoked', async () => {
    const [bot, webhook] = [await withBot(), await withWebhook()]
    const check = ({ owner, account }: typeof bot | typeof webhook) =>
      owner.post(`/api/v1/accounts/${account.id}/check`)
    expect([(await check(bot)).body.status, (await check(webhook)).body.status]).toEqual(['connected', 'connected'])
    slack.endBot(bot.token)
    slack.endWebhook(new URL(webhook.webhook_url).pathname)
    expect([(await check(bot)).body.status, (await check(webhook)).body.status]).toEqual([
      'disconnected',
      'disconnected',
    ])
    expect(sentTo(webhook.channel)).toEqual([])
  })
})

describe('publishing to Slack', () => {
  test('a thread and its first comment are replies to the post, which gets its address', async () => {
    const { owner, account, channel } = await withBot()
    const fields = { content: 'a < b & c <!channel>', thread: [{ content: 'Two' }], first_comment: 'Three' }
    const post = await (await publish(owner, account, fields, { link_preview: false }))()
    const [root, ...replies] = sentTo(channel)
    expect(root?.content.text).toBe('a < b & c <!channel>')
    expect(root?.sent.unfurl_links).toBe(false)
    expect(replies.map(({ content, threadTs }) => [content.text, threadTs])).toEqual([
      ['Two', root?.ts],
      ['Three', root?.ts],
    ])
    expect(post.targets[0]).toMatchObject({
      status: 'published',
      external_id: root?.ts,
      url: `https://stand-in.slack.com/archives/${channel.id}/p${root?.ts.replace('.', '')}`,
    })
  })

  test('files are one message with their alternative texts, also in a thread', async () => {
    const { owner, account, channel } = await withBot()
    const alts = [['alt', 'A tray of simit']] satisfies [string, string][]
    const files = [await uploaded(owner, { fields: alts }), await uploaded(owner)].map(({ id }) => id)
    const thread = [{ content: 'Two', media_ids: files.slice(1) }, { content: 'Three' }]
    const read = await publish(owner, account, { content: 'Fresh & warm', media_ids: files, thread })
    for (let times = 0; times < 3; times++) {
      t.advance(60_000)
      await t.runJobs()
    }
    const sent = sentTo(channel)
    expect((await read()).targets[0]).toMatchObject({ status: 'published', external_id: sent[0]?.ts })
    expect(sent.map(({ content, threadTs }) => [content.text, content.media, threadTs])).toEqual([
      [
        'Fresh & warm',
        [
          { type: 'image/png', alt: 'A tray of simit' },
          { type: 'image/png', alt: null },
        ],
        undefined,
      ],
      ['Two', [{ type: 'image/png', alt: null }], sent[0]?.ts],
      ['Three', [], sent[0]?.ts],
    ])
    expectStatus(await owner.post(`/api/v1/posts/${(await read()).id}/unpublish`), 200)
    expect(sentTo(channel).every(({ deleted }) => deleted)).toBe(true)
  })

  test('an edit changes the text there, and a deletion removes the post with its replies', async () => {
    const { owner, account, channel } = await withBot()
    const post = await (await publish(owner, account, { thread: [{ content: 'Two' }], first_comment: 'Three' }))()
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}/targets/${post.targets[0].id}`, { content: 'A & B' }), 200)
    const sent = sentTo(channel)
    expect(sent.map(({ content }) => content.text)).toEqual(['A & B', 'Two', 'Three'])
    const [, second] = sent
    if (second) second.deleted = true
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(sentTo(channel).map(({ deleted }) => deleted)).toEqual([true, true, true])
  })

  test('a webhook sends a text, and can neither change nor delete it', async () => {
    const { owner, account, channel } = await withWebhook()
    const post = await (await publish(owner, account, { content: 'a < b' }))()
    expect(sentTo(channel).map(({ content }) => content.text)).toEqual(['a < b'])
    expect(post.targets[0]).toMatchObject({ status: 'published', url: null })
    const edited = await owner.patch(`/api/v1/posts/${post.id}/targets/${post.targets[0].id}`, { content: 'x' })
    expectProblem(edited, 409, 'not_supported_by_network')
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 409, 'not_supported_by_network')
  })

  test('a thread or a first comment for a webhook is refused before it is sent', async () => {
    const { owner, account } = await withWebhook()
    const create = (fields: object) =>
      owner.post('/api/v1/posts', { content: 'x', account_ids: [account.id], publish_now: true, ...fields })
    expectProblem(await create({ thread: [{ content: 'y' }] }), 400, 'validation_failed')
    expectProblem(await create({ first_comment: 'y' }), 400, 'validation_failed')
  })

  test('a limit makes every post of the account wait as long as Slack asks for', async () => {
    const { owner, account } = await withBot()
    slack.fault('rate_limited')
    await publish(owner, account)
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(held_until).toEqual(new Date(t.clock.now().getTime() + 30_000))
  })

  test('an archived channel fails the post with a reason for people', async () => {
    const { owner, account, channel } = await withBot()
    channel.isArchived = true
    const post = await (await publish(owner, account))()
    expect(post.targets[0]).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(post.targets[0].error_message).toMatch(/^The channel is archived/)
  })
})

describeFaults('Slack for a bot', {
  t: () => t,
  connect: async () => {
    const server = await slackServer()
    return connectTo(t, server, { network: 'slack', token: server.addBot(), channel: server.addChannel().id })
  },
})

const withFile = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner)).id],
})

describeFaults('Slack for a bot with files', {
  t: () => t,
  visible: 1,
  post: withFile,
  upload: withFile,
  outcomes: { processing_fails: 'absent' },
  connect: async () => {
    const server = await slackServer()
    return connectTo(t, server, { network: 'slack', token: server.addBot(), channel: server.addChannel().id })
  },
})

describeFaults('Slack for a webhook', {
  t: () => t,
  canLookUp: false,
  visible: 1,
  post: (content) => ({ content }),
  connect: async () => {
    const server = await slackServer()
    return connectTo(t, server, { network: 'slack', webhook_url: addressOf(server, server.addChannel()) })
  },
})
