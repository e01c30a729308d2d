import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { noise, upload, uploaded } from '../../../../test/media.ts'
import { connectTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { telegramServer } from '../../../../test/stand-ins/telegram.ts'

const telegram = await telegramServer()
afterAll(() => telegram.close())
const t = await testApp({ NETWORK_ORIGINS: `telegram=${telegram.url}` })

const SECOND = 1000
let names = 0

type ChatOptions = Parameters<typeof telegram.addChat>[0]

async function withChat(options: ChatOptions = {}) {
  const chat = telegram.addChat({ username: `news_${++names}`, ...options })
  const owner = await withWorkspace(t)
  const connect = (fields: object = {}) =>
    owner.post('/api/v1/accounts', { network: 'telegram', token: telegram.token, chat: String(chat.id), ...fields })
  return { chat, owner, connect }
}

async function withAccount(options: ChatOptions = {}) {
  const connected = await withChat(options)
  const { body: account } = expectStatus(await connected.connect(), 201)
  return { ...connected, account }
}

async function publish(owner: WorkspaceOwner, account: { id: string }, fields: object = {}, options: object = {}) {
  const post = { content: 'Hello', targets: [{ account_id: account.id, options }], publish_now: true, ...fields }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return async () => (await owner.get(`/api/v1/posts/${body.id}`)).body
}

const sentTo = (chat: { id: number }) => telegram.messages.filter((message) => message.chat.id === chat.id)

describe('connecting Telegram', () => {
  test('a channel is found by its name, its address and its number', async () => {
    const { chat, owner } = await withChat()
    for (const given of [chat.username, `@${chat.username}`, `https://t.me/${chat.username}`, String(chat.id)]) {
      const fields = { network: 'telegram', token: telegram.token, chat: given }
      const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
      expect(body).toMatchObject({ handle: `@${chat.username}`, url: `https://t.me/${chat.username}` })
      expect(body.form).toEqual({ chat: given })
      expectStatus(await owner.delete(`/api/v1/accounts/${body.id}`), 204)
    }
  })

  test('a malformed token, and one that Telegram refuses, are explained at their field', async () => {
    const { connect } = await withChat()
    expectProblem(await connect({ token: 'secret' }), 400, 'validation_failed', '/token')
    const refused = await connect({ token: `123456:${'a'.repeat(35)}` })
    expectProblem(refused, 400, 'account_refused', '/token')
    expect(JSON.stringify(refused.body)).not.toContain('aaaa')
  })

  test.each([
    ['is kicked', { bot: 'kicked' }],
    ['has left', { bot: 'left' }],
    ['is no administrator', { bot: 'member' }],
    ['may not post', { bot: 'administrator_without_posting' }],
  ] as const)('a channel in which the bot %s is refused at its field', async (_, options) => {
    const { connect } = await withChat(options)
    expectProblem(await connect(), 400, 'account_refused', '/chat')
    expectProblem(await connect({ chat: '@nobody_knows_it' }), 400, 'account_refused', '/chat')
    expectProblem(await connect({ chat: 'two words' }), 400, 'validation_failed', '/chat')
  })

  test('a member of a group may post, and a check reports a bot that is no longer in it', async () => {
    const { owner, account, chat } = await withAccount({ type: 'supergroup', bot: 'member' })
    const check = () => owner.post(`/api/v1/accounts/${account.id}/check`)
    expect((await check()).body).toMatchObject({ status: 'connected' })
    chat.bot = 'kicked'
    expect((await check()).body).toMatchObject({ status: 'disconnected' })
  })
})

describe('publishing to Telegram', () => {
  test('a text is sent as it was written, and gets its address', async () => {
    const { owner, account, chat } = await withAccount()
    const content = '5 < 6 & <b>not bold</b> *stars* https://example.com/a_b_c'
    const post = await (await publish(owner, account, { content }))()
    const [message] = sentTo(chat)
    expect(message).toMatchObject({ text: content, entities: [] })
    expect(message?.options).not.toHaveProperty('parse_mode')
    expect(post.targets[0]).toMatchObject({
      status: 'published',
      external_id: String(message?.id),
      url: `https://t.me/${chat.username}/${message?.id}`,
    })
  })

  test('a message in a chat without a name has an address for its members', async () => {
    const { owner, account, chat } = await withAccount({ username: '' })
    const post = await (await publish(owner, account))()
    const [message] = sentTo(chat)
    expect(post.targets[0].url).toBe(`https://t.me/c/${String(chat.id).slice(4)}/${message?.id}`)
  })

  test('the parts of a thread reply to the one before', async () => {
    const { owner, account, chat } = await withAccount()
    await publish(owner, account, { thread: [{ content: 'Two' }, { content: 'Three' }] })
    const sent = sentTo(chat)
    expect(sent.map(({ text }) => text)).toEqual(['Hello', 'Two', 'Three'])
    expect(sent.map(({ replyTo }) => replyTo)).toEqual([null, sent[0]?.id, sent[1]?.id])
  })

  test('the settings of a post are sent with each of its messages', async () => {
    const { owner, account, chat } = await withAccount({ type: 'supergroup' })
    await publish(owner, account, {}, { silent: true, link_preview: false, topic_id: '12' })
    expect(sentTo(chat)[0]?.options).toMatchObject({
      disable_notification: true,
      link_preview_options: { is_disabled: true },
      message_thread_id: 12,
    })
    const targets = [{ account_id: account.id, options: { topic_id: 'twelve' } }]
    const refused = await owner.post('/api/v1/posts', { content: 'x', targets })
    expectProblem(refused, 400, 'validation_failed', '/targets/0/options/topic_id')
  })

  test('one file is a message of its kind, and several are an album with the text in the first', async () => {
    const { owner, account, chat } = await withAccount()
    const ids = [await uploaded(owner), await uploaded(owner)].map(({ id }) => id)
    const thread = [{ content: 'Two', media_ids: ids.slice(1) }]
    const post = await (await publish(owner, account, { media_ids: ids, thread }))()
    const sent = sentTo(chat)
    expect(sent.map(({ caption, file }) => [caption, file?.kind])).toEqual([
      ['Hello', 'photo'],
      ['', 'photo'],
      ['Two', 'photo'],
    ])
    expect([sent[0]?.album, sent[2]?.album, sent[2]?.replyTo]).toEqual([sent[1]?.album, undefined, sent[0]?.id])
    const path = `/api/v1/posts/${post.id}/targets/${post.targets[0].id}`
    expectStatus(await owner.patch(path, { content: 'Better' }), 200)
    expect(sentTo(chat)[0]?.caption).toBe('Better')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(sentTo(chat).map(({ deleted }) => deleted)).toEqual([true, true, true])
  })

  test('a text over 1,024 characters is refused beside a file, and accepted without one', async () => {
    const { owner, account } = await withAccount()
    const post = { content: 'x'.repeat(1025), account_ids: [account.id] }
    const media_ids = [(await uploaded(owner)).id]
    const publish_now = true
    const refused = await owner.post('/api/v1/posts', { ...post, media_ids, publish_now })
    expectProblem(refused, 400, 'validation_failed', '/content')
    expectStatus(await owner.post('/api/v1/posts', { ...post, publish_now }), 201)
  })

  test('a group that became a supergroup is used under its new number from then on', async () => {
    const { owner, account, chat } = await withAccount({ type: 'group' })
    const next = telegram.addChat({ type: 'supergroup' })
    chat.migratedTo = next.id
    const post = await (await publish(owner, account, { thread: [{ content: 'Two' }] }))()
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    await publish(owner, account, { content: 'Three' })
    expect(sentTo(next).map(({ text }) => text)).toEqual(['Hello', 'Two', 'Three'])
    const calls = telegram.calls.filter(({ fields }) => fields.chat_id === chat.id && fields.text !== undefined)
    expect(calls).toHaveLength(1)
  })

  test('a limit makes every post of the account wait as long as Telegram asks for', async () => {
    const { owner, account, chat } = await withAccount()
    telegram.fault('rate_limited')
    const read = await publish(owner, account)
    expect((await read()).targets[0]).toMatchObject({ status: 'pending', error_code: 'network_unavailable' })
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(held_until).toEqual(new Date(t.clock.now().getTime() + 30 * SECOND))
    t.advance(31 * SECOND)
    await t.runJobs()
    expect((await read()).targets[0]).toMatchObject({ status: 'published' })
    expect(sentTo(chat)).toHaveLength(1)
  })

  test.each(['kicked', 'administrator_without_posting'] as const)(
    'a bot that is %s disconnects the account',
    async (bot) => {
      const { owner, account, chat } = await withAccount()
      chat.bot = bot
      const post = await (await publish(owner, account))()
      expect(post.targets[0]).toMatchObject({ status: 'failed', error_code: 'account_disconnected' })
      expect((await owner.get(`/api/v1/accounts/${account.id}`)).body.status).toBe('disconnected')
    },
  )

  test('a lost response is left to a person', async () => {
    const { owner, account, chat } = await withAccount()
    telegram.fault('response_lost_after_saving')
    const read = await publish(owner, account)
    expect((await read()).targets[0]).toMatchObject({ status: 'unconfirmed', needs_resolution: true })
    expect(sentTo(chat)).toHaveLength(1)
  })

  test('an edit changes the text there, and a deletion removes every part', async () => {
    const { owner, account, chat } = await withAccount()
    const post = await (await publish(owner, account, { thread: [{ content: 'Two' }] }, { link_preview: false }))()
    const [target] = post.targets
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}/targets/${target.id}`, { content: 'Better' }), 200)
    const edit = telegram.calls.findLast(({ path }) => path.endsWith('/editMessageText'))
    expect(sentTo(chat).map(({ text }) => text)).toEqual(['Better', 'Two'])
    expect(edit?.fields.link_preview_options).toEqual({ is_disabled: true })
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}/targets/${target.id}`, { content: 'Better' }), 200)
    const [first] = sentTo(chat)
    if (first) first.deleted = true
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(sentTo(chat).map(({ deleted }) => deleted)).toEqual([true, true])
  })

  test('a post that only a person has seen there is not said to be deleted', async () => {
    const { owner, account } = await withAccount()
    telegram.fault('response_lost_after_saving')
    const read = await publish(owner, account)
    const { id, targets } = await read()
    const resolution = { published: true, url: 'https://t.me/news/1' }
    expectStatus(await owner.post(`/api/v1/posts/${id}/targets/${targets[0].id}/resolve`, resolution), 200)
    await t.runJobs()
    expect((await read()).targets[0]).toMatchObject({ status: 'published', url: resolution.url })
    await owner.post(`/api/v1/posts/${id}/unpublish`)
    expect((await read()).targets[0]).toMatchObject({ status: 'published', error_code: 'unpublish_failed' })
  })

  test('the token is in no record, event or response', async () => {
    const { owner, account } = await withAccount()
    telegram.failNext({
      kind: 'reply',
      of: ({ path }) => ({ status: 401, body: { ok: false, error_code: 401, description: `Unauthorized: ${path}` } }),
    })
    const post = await (await publish(owner, account))()
    const listed = await owner.get('/api/v1/accounts')
    const events = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    const written = JSON.stringify([post, listed.body, events.map(({ payload }) => payload.toString())])
    expect(written).toContain('Unauthorized')
    expect(written).not.toContain(telegram.token)
  })
})

/** More than a connection takes at once, so that a cut leaves it unsent. */
const large = noise(1000, 1000)

describeFaults('Telegram', {
  t: () => t,
  canLookUp: false,
  upload: async (content, { owner }) => ({ content, media_ids: [(await upload(owner, await large)).body.id] }),
  outcomes: {
    processing_never_ends: 'absent',
    processing_fails: 'absent',
    // A file comes with its message.
    upload_server_error: 'unconfirmed',
    refused: 'account_disconnected',
    false_success: 'rejected_by_network',
  },
  connect: async () => {
    const server = await telegramServer()
    return connectTo(t, server, { network: 'telegram', token: server.token, chat: String(server.addChat().id) })
  },
})
