import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { noise, upload, uploaded } from '../../../../test/media.ts'
import { connectTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { type DiscordServer, discordServer } from '../../../../test/stand-ins/discord.ts'

const discord = await discordServer()
afterAll(() => discord.close())
const t = await testApp({ NETWORK_ORIGINS: `discord=${discord.url}` })

/** The address as Discord shows it. */
const addressOf = ({ id, token }: { id: string; token: string }, host = 'discord.com') =>
  `https://${host}/api/webhooks/${id}/${token}`

async function withWebhook(options: Parameters<DiscordServer['addWebhook']>[0] = {}) {
  const webhook = discord.addWebhook(options)
  const owner = await withWorkspace(t)
  const connect = (webhook_url = addressOf(webhook)) =>
    owner.post('/api/v1/accounts', { network: 'discord', webhook_url })
  return { webhook, owner, connect }
}

async function withAccount(options: Parameters<DiscordServer['addWebhook']>[0] = {}) {
  const connected = await withWebhook(options)
  const { body: account } = expectStatus(await connected.connect(), 201)
  return { ...connected, account }
}

async function publish(owner: WorkspaceOwner, account: { id: string }, fields: object = {}, options: object = {}) {
  const post = { content: 'Hello', targets: [{ account_id: account.id, options }], publish_now: true, ...fields }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return async () => (await owner.get(`/api/v1/posts/${body.id}`)).body
}

const sentThrough = (webhook: { id: string }) =>
  [...discord.messages.values()].filter((message) => message.webhook.id === webhook.id)

describe('connecting Discord', () => {
  test.each(['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'])(
    'an address of %s is accepted, and kept out of what is shown',
    async (host) => {
      const { webhook, connect } = await withWebhook({ name: 'News' })
      const { body } = expectStatus(await connect(addressOf(webhook, host)), 201)
      expect(body).toMatchObject({
        name: 'News',
        handle: 'News',
        url: `https://discord.com/channels/${webhook.guild_id}/${webhook.channel_id}`,
        form: {},
      })
      expect(JSON.stringify(body)).not.toContain(webhook.token)
    },
  )

  test('an address of no webhook, and a webhook that Discord refuses, are explained at the field', async () => {
    const { webhook, connect } = await withWebhook()
    for (const address of ['https://example.com/api/webhooks/1/2', addressOf(webhook).replace('https', 'http')])
      expectProblem(await connect(address), 400, 'validation_failed', '/webhook_url')
    const refused = await connect(addressOf({ ...webhook, token: 'x'.repeat(68) }))
    expectProblem(refused, 400, 'account_refused', '/webhook_url')
    expect(JSON.stringify(refused.body)).not.toContain('xxxx')
    discord.removeWebhook(webhook.id)
    expectProblem(await connect(), 400, 'account_refused', '/webhook_url')
  })

  test('a deleted webhook disconnects the account, and a new one of the channel takes its place', async () => {
    const { owner, account, webhook, connect } = await withAccount()
    discord.removeWebhook(webhook.id)
    const post = await (await publish(owner, account))()
    expect(post.targets[0]).toMatchObject({ status: 'failed', error_code: 'account_disconnected' })
    const next = discord.addWebhook({ channel_id: webhook.channel_id })
    expect((await connect(addressOf(next))).body).toMatchObject({ id: account.id, status: 'connected' })
    expect((await owner.post(`/api/v1/accounts/${account.id}/check`)).body.status).toBe('connected')
    discord.removeWebhook(next.id)
    expect((await owner.post(`/api/v1/accounts/${account.id}/check`)).body.status).toBe('disconnected')
  })
})

describe('publishing to Discord', () => {
  test('a text is saved, notifies nobody, and gets its address', async () => {
    const { owner, account, webhook } = await withAccount()
    const post = await (await publish(owner, account, { content: '@everyone see https://example.com' }))()
    const [message] = sentThrough(webhook)
    expect(message?.fields).toMatchObject({
      content: '@everyone see https://example.com',
      allowed_mentions: { parse: [] },
    })
    expect(post.targets[0]).toMatchObject({
      status: 'published',
      external_id: message?.id,
      url: `https://discord.com/channels/${webhook.guild_id}/${webhook.channel_id}/${message?.id}`,
    })
  })

  test('the settings of a post are sent with each of its messages', async () => {
    const { owner, account, webhook } = await withAccount()
    const options = { username: 'Ada', mentions: 'all', silent: true, suppress_embeds: true }
    await publish(owner, account, { thread: [{ content: 'Two' }] }, options)
    const sent = sentThrough(webhook)
    expect(sent.map(({ fields }) => fields.content)).toEqual(['Hello', 'Two'])
    for (const { author, fields } of sent)
      expect([author, fields.flags, fields.allowed_mentions]).toEqual([
        'Ada',
        4 | 4096,
        { parse: ['users', 'roles', 'everyone'] },
      ])
  })

  test('a title opens a post in a forum, and the other parts follow in it', async () => {
    const { owner, account, webhook } = await withAccount({ isForum: true })
    const refused = await (await publish(owner, account))()
    expect(refused.targets[0]).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(refused.targets[0].error_message).toMatch(/thread_name/)
    const fields = { thread: [{ content: 'Two' }] }
    const post = await (await publish(owner, account, fields, { thread_name: 'News' }))()
    const [first, second] = sentThrough(webhook)
    expect([first?.channel, second?.channel]).toEqual([first?.id, first?.id])
    expect(discord.threads.get(String(first?.id))?.name).toBe('News')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(sentThrough(webhook).map(({ deleted }) => deleted)).toEqual([true, true])
  })

  test('a thread of the channel takes the post and its changes', async () => {
    const { owner, account, webhook } = await withAccount()
    const thread_id = discord.addThread(webhook)
    const post = await (await publish(owner, account, {}, { thread_id }))()
    const path = `/api/v1/posts/${post.id}/targets/${post.targets[0].id}`
    expectStatus(await owner.patch(path, { content: 'Better' }), 200)
    expect(sentThrough(webhook)).toMatchObject([{ channel: thread_id, fields: { content: 'Better' } }])
  })

  test('a message that is gone counts as deleted, and one of another webhook does not', async () => {
    const { owner, account, webhook, connect } = await withAccount()
    const [gone, kept] = [await publish(owner, account), await publish(owner, account)]
    const [message] = sentThrough(webhook)
    if (message) message.deleted = true
    const unpublish = async (read: typeof gone) => {
      await owner.post(`/api/v1/posts/${(await read()).id}/unpublish`)
      return (await read()).targets[0]
    }
    expect(await unpublish(gone)).toMatchObject({ status: 'unpublished' })
    discord.removeWebhook(webhook.id)
    await owner.post(`/api/v1/accounts/${account.id}/check`)
    const next = discord.addWebhook({ channel_id: webhook.channel_id })
    expectStatus(await connect(addressOf(next)), 201)
    expect(await unpublish(kept)).toMatchObject({ status: 'published', error_code: 'unpublish_failed' })
  })

  test('files are sent with their alternative texts, and stay when the text is changed', async () => {
    const { owner, account, webhook } = await withAccount()
    const described = await uploaded(owner, { fields: [['alt', 'A tray of "simit"']] })
    const media_ids = [described.id, (await uploaded(owner)).id]
    const post = await (await publish(owner, account, { media_ids }))()
    const path = `/api/v1/posts/${post.id}/targets/${post.targets[0].id}`
    expectStatus(await owner.patch(path, { content: 'Better' }), 200)
    const [message] = sentThrough(webhook)
    expect(message?.fields.content).toBe('Better')
    expect(message?.attachments.map(({ content_type, description }) => [content_type, description])).toEqual([
      ['image/png', 'A tray of "simit"'],
      ['image/png', undefined],
    ])
  })

  test('a limit is obeyed to the millisecond', async () => {
    const { owner, account, webhook } = await withAccount()
    discord.fault('rate_limited')
    const read = await publish(owner, account)
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(held_until).toEqual(new Date(t.clock.now().getTime() + 64_570))
    t.advance(65_000)
    await t.runJobs()
    expect((await read()).targets[0]).toMatchObject({ status: 'published' })
    expect(sentThrough(webhook)).toHaveLength(1)
  })

  test.each(['Discord Haber', 'Fırın discord', 'everyone', 'Here', 'clyde', 'Clyde Bar', 'a```b'])(
    'the name %j, which Discord refuses, is a problem before the post is published',
    async (username) => {
      const { owner, account } = await withAccount()
      const targets = [{ account_id: account.id, options: { username } }]
      const response = await owner.post('/api/v1/posts/validate', { content: 'Simit', targets })
      expect(JSON.stringify(response.body)).toContain('/targets/0/options/username')
    },
  )

  test('names that only resemble those are taken', async () => {
    const { owner, account } = await withAccount()
    for (const username of ['', 'Hereford', 'Everyone at Fırın', 'Disco'])
      expectStatus(
        await owner.post('/api/v1/posts', {
          content: 'Simit',
          targets: [{ account_id: account.id, options: { username } }],
        }),
        201,
      )
  })

  test('a refusal names what is wrong, and never the token', async () => {
    const { owner, account, webhook } = await withAccount()
    discord.failNext({
      kind: 'reply',
      of: ({ path }) => ({ status: 403, body: { message: `No: ${path}`, code: 50013 } }),
    })
    const post = await (await publish(owner, account))()
    expect(post.targets[0].error_message).toContain(`/webhooks/${webhook.id}/…`)
    const events = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expect(JSON.stringify(events.map(({ payload }) => payload.toString()))).not.toContain(webhook.token)
  })
})

/** More than a connection takes at once, so that a cut leaves it unsent. */
const large = noise(1000, 1000)

describeFaults('Discord', {
  t: () => t,
  canLookUp: false,
  upload: async (content, { owner }) => ({ content, media_ids: [(await upload(owner, await large)).body.id] }),
  outcomes: {
    processing_never_ends: 'absent',
    processing_fails: 'absent',
    // A file comes with its message.
    upload_server_error: 'unconfirmed',
  },
  connect: async () => {
    const server = await discordServer()
    return connectTo(t, server, { network: 'discord', webhook_url: addressOf(server.addWebhook()) })
  },
})
