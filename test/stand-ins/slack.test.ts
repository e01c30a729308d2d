import { beforeEach, describe, expect, test } from 'vitest'
import { fileOf, request } from './request.ts'
import { type SlackServer, slackServer } from './slack.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

let slack: SlackServer
let token: string
let channel: string
beforeEach(async () => {
  slack = await slackServer()
  token = slack.addBot()
  channel = slack.addChannel().id
  return slack.close
})

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
const image = (id: string) => ({ type: 'image', slack_file: { id }, alt_text: 'A picture' })

/** Calls a method with JSON, as methods that write take it. */
const write = async (method: string, args: object, bearer = token) =>
  (await request('POST', `${slack.url}/api/${method}`, { authorization: `Bearer ${bearer}` }, args)).body
/** Calls a method with arguments in the query, as methods that read take them. */
const read = async (method: string, args: Record<string, string> = {}, bearer = token) => {
  const url = `${slack.url}/api/${method}?${new URLSearchParams(args)}`
  return (await request('GET', url, { authorization: `Bearer ${bearer}` })).body
}
const post = (args: object) => write('chat.postMessage', { channel, ...args })

async function upload(bytes: Buffer, alt = '') {
  const reserved = await read('files.getUploadURLExternal', {
    filename: 'a.png',
    length: String(bytes.length),
    alt_txt: alt,
  })
  const sent = await fetch(reserved.upload_url, { method: 'POST', body: new Uint8Array(bytes) })
  expect([sent.status, await sent.text()]).toEqual([200, `OK - ${bytes.length}`])
  return reserved.file_id as string
}

describe('methods of Slack', () => {
  test('report errors with status 200, and a wrong, ended or narrow token with its own error', async () => {
    const narrow = slack.addBot(['chat:write'])
    const ended = slack.addBot()
    slack.endBot(ended)
    expect(await read('auth.test')).toMatchObject({ ok: true, user_id: 'U0BOT00001' })
    expect(await read('auth.test', {}, 'xoxb-wrong')).toEqual({ ok: false, error: 'invalid_auth' })
    expect(await read('auth.test', {}, ended)).toEqual({ ok: false, error: 'token_revoked' })
    expect(await read('conversations.list', {}, narrow)).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:read',
    })
  })

  test.each([
    ['a channel that does not exist', { channel: 'C0', text: 'x' }, 'channel_not_found'],
    ['no text', { text: '' }, 'no_text'],
    ['Markdown beside text', { text: 'x', markdown_text: 'x' }, 'markdown_text_conflict'],
    ['51 blocks', { blocks: Array(51).fill({ type: 'divider' }) }, 'invalid_blocks'],
    ['a long section', { blocks: [section('x'.repeat(3001))] }, 'invalid_blocks'],
    ['an image without its description', { blocks: [{ type: 'image', image_url: 'https://x.y' }] }, 'invalid_blocks'],
    ['an image that nobody uploaded', { blocks: [image('F0000000009')] }, 'invalid_blocks'],
    ['blocks that are not a list', { blocks: '{' }, 'invalid_blocks_format'],
    ['metadata without a payload', { text: 'x', metadata: { event_type: 'x' } }, 'invalid_metadata_format'],
    ['a reply to nothing', { text: 'x', thread_ts: '1.000001' }, 'cannot_reply_to_message'],
  ])('refuse %s', async (_, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error })
  })

  test.each([
    ['an unknown argument', { color: 'red' }, 'invalid additional property: color [json-pointer:/]'],
    ['no channel', { channel: undefined }, 'missing required field: channel [json-pointer:/]'],
    ['a text that is none', { text: 5 }, 'must be string [json-pointer:/text]'],
    ['a flag that is a text', { unfurl_links: 'true' }, 'must be boolean [json-pointer:/unfurl_links]'],
    ['an unknown way to parse', { parse: 'some' }, 'must be equal to one of the allowed values [json-pointer:/parse]'],
    ['a time that is a number', { thread_ts: 1.5 }, 'must be string [json-pointer:/thread_ts]'],
  ])('refuse %s by the description', async (_, args, sentence) => {
    expect(await post({ text: 'x', ...args })).toEqual({
      ...{ ok: false, error: 'invalid_arguments', response_metadata: { messages: [`[ERROR] ${sentence}`] } },
    })
  })

  const header = (text: object) => ({ type: 'header', text: { type: 'plain_text', ...text } })
  const context = (count: number) => ({ type: 'context', elements: Array(count).fill({ type: 'mrkdwn', text: 'x' }) })
  test.each([
    [
      'an unknown kind',
      { type: 'paragraph' },
      'must be equal to one of the allowed values [json-pointer:/blocks/0/type]',
    ],
    ['no kind', {}, 'missing required field: type [json-pointer:/blocks/0]'],
    ['an unknown field', { type: 'divider', color: 1 }, 'invalid additional property: color [json-pointer:/blocks/0]'],
    ['no text', { type: 'header' }, 'missing required field: text [json-pointer:/blocks/0]'],
    ['an empty text', section(''), 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    [
      'a long header',
      header({ text: 'x'.repeat(151) }),
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ],
    ['eleven elements', context(11), 'no more than 10 items allowed [json-pointer:/blocks/0/elements]'],
    ['neither text nor fields', { type: 'section' }, 'must define either `text` or `fields` [json-pointer:/blocks/0]'],
  ])('refuse a block with %s', async (_, block, error) => {
    expect(await post({ blocks: [block] })).toMatchObject({ error: 'invalid_blocks', errors: [error] })
  })

  test.each([
    ['conversations.info', {}, 'invalid_arguments'],
    ['conversations.info', { channel: 'C1', include_locale: 'maybe' }, 'invalid_arguments'],
    ['conversations.history', { channel: 'C1', limit: '1000' }, 'invalid_limit'],
    ['conversations.history', { channel: 'C1', oldest: 'noon' }, 'invalid_ts_oldest'],
    ['conversations.history', { channel: 'C1', latest: 'noon' }, 'invalid_ts_latest'],
    ['conversations.replies', { channel: 'C1' }, 'invalid_arguments'],
    ['conversations.list', { types: 'public_channel,group' }, 'invalid_types'],
    ['users.info', {}, 'invalid_arguments'],
    ['team.info', { user: 'U1' }, 'invalid_arguments'],
    ['auth.test', { scope: 'chat:write' }, 'invalid_arguments'],
    ['chat.getPermalink', { channel: 'C1', message_ts: 'p1' }, 'invalid_arguments'],
    ['files.info', {}, 'invalid_arguments'],
    ['files.getUploadURLExternal', { filename: 'a.png', length: '1', alt_text: 'x' }, 'invalid_arguments'],
  ])('refuse wrong arguments of %s, in an address and in a form', async (method, args, error) => {
    expect(await read(method, args as Record<string, string>)).toMatchObject({ ok: false, error })
    const form = new URLSearchParams({ token, ...args } as Record<string, string>)
    expect((await request('POST', `${slack.url}/api/${method}`, {}, form)).body).toMatchObject({ ok: false, error })
  })

  test.each([
    ['conversations.join', {}, 'invalid_arguments'],
    ['chat.update', { channel: 'C1', text: 'x' }, 'invalid_arguments'],
    ['chat.update', { channel: 'C1', ts: '1.000001', thread_ts: '1.000001' }, 'invalid_arguments'],
    ['chat.delete', { channel: 'C1', ts: 1.000001 }, 'invalid_arguments'],
    ['chat.postMessage', { channel: 'C1', attachments: Array(101).fill({}) }, 'too_many_attachments'],
    [
      'chat.postMessage',
      { channel: 'C1', metadata: { event_type: 'x', event_payload: {}, at: 1 } },
      'invalid_metadata_format',
    ],
    ['files.completeUploadExternal', { files: [] }, 'invalid_arguments'],
    ['files.completeUploadExternal', { files: [{ id: 'F1', alt_txt: 'x' }] }, 'invalid_arguments'],
  ])('refuse wrong arguments of %s', async (method, args, error) => {
    expect(await write(method, args)).toMatchObject({ ok: false, error })
  })

  test('read a form, with objects as JSON', async () => {
    const send = async (blocks: unknown) => {
      const form = new URLSearchParams({ token, channel, blocks: JSON.stringify(blocks), unfurl_links: 'false' })
      return (await request('POST', `${slack.url}/api/chat.postMessage`, {}, form)).body
    }
    expect(await send([section('By form')])).toMatchObject({ ok: true })
    expect(slack.stored().at(-1)?.text).toBe('By form')
    expect(await send(section('Alone'))).toMatchObject({ ok: false, error: 'invalid_blocks_format' })
  })

  test('need a scope, those about a channel by its kind', async () => {
    const only = (...scopes: string[]) => slack.addBot(scopes)
    const hidden = slack.addChannel({ isPrivate: true }).id
    const neededFor = async (method: string, args: Record<string, string>, bearer: string) =>
      (await read(method, args, bearer)).needed
    const neededToWrite = async (method: string) => (await write(method, {}, only())).needed
    expect(await neededFor('team.info', {}, only())).toBe('team:read')
    expect(await neededFor('users.info', {}, only())).toBe('users:read')
    expect(await neededFor('files.info', {}, only())).toBe('files:read')
    expect(await neededFor('conversations.list', { types: 'private_channel' }, only('channels:read'))).toBe(
      'groups:read',
    )
    expect(await neededFor('conversations.info', { channel }, only('groups:read'))).toBe('channels:read')
    expect(await neededFor('conversations.info', { channel: hidden }, only('channels:read'))).toBe('groups:read')
    expect(await neededFor('conversations.history', { channel: hidden }, only('channels:history'))).toBe(
      'groups:history',
    )
    expect(await neededFor('conversations.replies', { channel, ts: '1.000001' }, only())).toBe('channels:history')
    const writing = [
      'chat.postMessage',
      'chat.update',
      'chat.delete',
      'conversations.join',
      'files.completeUploadExternal',
    ]
    expect(await Promise.all(writing.map(neededToWrite))).toEqual([
      ...['chat:write', 'chat:write', 'chat:write', 'channels:join', 'files:write'],
    ])
  })

  test('refuse posts where the bot may not post', async () => {
    const closed = slack.addBot(['chat:write'])
    const elsewhere = slack.addChannel({ name: 'elsewhere', isMember: false })
    const errorOf = async (id: string, bearer = token) =>
      (await write('chat.postMessage', { channel: id, text: 'x' }, bearer)).error
    expect(await errorOf(slack.addChannel({ isArchived: true }).id)).toBe('is_archived')
    expect(await errorOf(slack.addChannel({ isPrivate: true, isMember: false }).id)).toBe('channel_not_found')
    expect(await errorOf(elsewhere.id, closed)).toBe('not_in_channel')
    expect(await errorOf(elsewhere.id)).toBeUndefined()
    expect(await read('conversations.history', { channel: elsewhere.id })).toMatchObject({ error: 'not_in_channel' })
    expect(await write('conversations.join', { channel: elsewhere.id })).toMatchObject({ ok: true })
    expect(await read('conversations.history', { channel: elsewhere.id })).toMatchObject({ ok: true })
  })

  test('show readers the blocks instead of the text, and resolve what was not escaped', async () => {
    await post({ text: 'a &lt;b&gt; <!channel> <https://x.y|site>' })
    expect(slack.stored().at(-1)?.text).toBe('a <b> @channel site')
    await post({ text: 'Fallback', blocks: [section('Shown')] })
    expect(slack.stored().at(-1)?.text).toBe('Shown')
    await post({ text: 'x'.repeat(40_001) })
    expect(slack.stored().at(-1)?.text).toHaveLength(40_000)
  })

  test('find a post by its metadata; a reply only in its thread', async () => {
    const metadata = { event_type: 'post', event_payload: { key: 'k1' } }
    const { ts } = await post({ text: 'Root', metadata })
    const reply = await post({ text: 'Reply', thread_ts: ts, metadata })
    expect(await post({ text: 'x', thread_ts: reply.ts })).toMatchObject({ error: 'cannot_reply_to_message' })
    const all = { channel, include_all_metadata: 'true' }
    const { messages } = await read('conversations.history', all)
    expect(messages[0]).toMatchObject({ ts, metadata })
    expect((await read('conversations.history', { channel, limit: '1' })).messages[0].metadata).toEqual({
      event_type: 'post',
    })
    expect((await read('conversations.replies', { ...all, ts })).messages[1]).toMatchObject({ ts: reply.ts, metadata })
    expect((await read('conversations.history', { channel, oldest: ts })).messages).toHaveLength(0)
    expect(await read('chat.getPermalink', { channel, message_ts: ts })).toMatchObject({
      permalink: `https://stand-in.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    })
  })

  test('edit up to 4,000 characters, and delete once', async () => {
    const { ts } = await post({ text: 'x' })
    expect(await write('chat.update', { channel, ts, text: 'x'.repeat(4001) })).toMatchObject({ error: 'msg_too_long' })
    expect(await write('chat.update', { channel, ts, text: 'y' })).toMatchObject({ ok: true, ts })
    expect(await write('chat.delete', { channel, ts })).toMatchObject({ ok: true })
    expect(await write('chat.delete', { channel, ts })).toMatchObject({ error: 'message_not_found' })
  })

  test('a file is shown only after it was uploaded whole, completed and processed', async () => {
    const errorOf = async (args: Record<string, string>) => (await read('files.getUploadURLExternal', args)).error
    expect(await errorOf({ filename: 'a.png', length: '0' })).toBe('missing_argument')
    expect(await errorOf({ filename: 'a.png', length: '1', alt_txt: 'x'.repeat(1001) })).toBe('alt_txt_too_large')
    const { upload_url, file_id } = await read('files.getUploadURLExternal', { filename: 'a.png', length: '5' })
    const short = new FormData()
    short.set('file', fileOf(Buffer.from('1234'), 'image/png'))
    expect((await fetch(upload_url, { method: 'POST', body: short })).status).toBe(400)
    const complete = (id: string, args = {}) => write('files.completeUploadExternal', { files: [{ id }], ...args })
    expect(await complete(file_id)).toMatchObject({ error: 'file_not_found' })

    const id = await upload(PNG)
    expect(await complete(id)).toEqual({ ok: true, files: [{ id, title: 'a.png' }] })
    expect(await post({ text: 'x', blocks: [image(id)] })).toMatchObject({ error: 'invalid_blocks' })
    expect((await read('files.info', { file: id })).file.mimetype).toBe('')
    expect((await read('files.info', { file: id })).file.mimetype).toBe('image/png')
    expect(await post({ text: 'x', blocks: [image(id)] })).toMatchObject({ ok: true })
    expect(slack.stored().at(-1)?.media).toEqual([{ type: 'image/png', alt: 'A picture' }])
  })

  test('a completed file that names a channel is a message, whose time only the file has', async () => {
    const id = await upload(PNG, 'A square')
    const args = { files: [{ id, title: 'T' }], channel_id: channel, initial_comment: 'Look' }
    expect(await write('files.completeUploadExternal', args)).toMatchObject({ ok: true })
    const { id: ts, ...stored } = slack.stored().at(-1) ?? { id: '' }
    expect(stored).toMatchObject({ text: 'Look', media: [{ type: 'image/png', alt: 'A square' }] })
    expect((await read('files.info', { file: id })).file.shares).toEqual({})
    expect((await read('files.info', { file: id })).file.shares).toEqual({ public: { [channel]: [{ ts }] } })
  })

  test('ignore JSON where they only read forms, and fail as Slack fails', async () => {
    expect(await write('files.getUploadURLExternal', { filename: 'a', length: 1 })).toMatchObject({
      error: 'invalid_arguments',
    })
    slack.failNext({ kind: 'response', status: 200, error: 'internal_error', arrives: true })
    const before = slack.stored().length
    expect(await post({ text: 'x' })).toEqual({ ok: false, error: 'internal_error' })
    expect(slack.stored()).toHaveLength(before + 1)
    slack.fault('rate_limited')
    const limited = await request('POST', `${slack.url}/api/chat.postMessage`, { authorization: `Bearer ${token}` }, {})
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30'])
  })
})

describe('an incoming webhook of Slack', () => {
  const send = async (url: string, body: unknown) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [response.status, await response.text()]
  }

  test('responds with text: ok without an id, or what is wrong', async () => {
    const url = slack.addWebhook({ id: channel })
    const archived = slack.addChannel({ isArchived: true })
    expect(await send(url, { text: 'Hi' })).toEqual([200, 'ok'])
    expect(slack.stored().at(-1)?.text).toBe('Hi')
    expect(await send(url, {})).toEqual([400, 'no_text'])
    expect(await send(url, 'x')).toEqual([400, 'invalid_payload'])
    expect(await send(url, { text: 'Hi', channel: '#other' })).toEqual([400, 'invalid_payload'])
    expect(await send(url, { text: 5 })).toEqual([400, 'invalid_payload'])
    expect(await send(url, { blocks: [{ type: 'header' }] })).toEqual([400, 'invalid_blocks'])
    expect(await send(url, { blocks: 'x' })).toEqual([400, 'invalid_blocks_format'])
    expect(await send(`${url}x`, { text: 'Hi' })).toEqual([404, 'no_service'])
    expect(await send(slack.addWebhook(archived), { text: 'Hi' })).toEqual([410, 'channel_is_archived'])
    slack.fault('refused')
    expect(await send(url, { text: 'Hi' })).toEqual([403, 'action_prohibited'])
    slack.endTokens()
    expect(await send(url, { text: 'Hi' })).toEqual([404, 'no_service'])
  })
})
