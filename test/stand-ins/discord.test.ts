import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DiscordServer, discordServer } from './discord.ts'
import { fileOf, request } from './request.ts'

let discord: DiscordServer
beforeAll(async () => {
  discord = await discordServer()
})
afterAll(() => discord.close())

/** The address with the newest version, where a pasted one has none. */
const webhook = (given?: Parameters<DiscordServer['addWebhook']>[0]) => {
  const added = discord.addWebhook(given)
  return { ...added, url: added.url.replace('/api/', '/api/v10/') }
}
const call = (method: string, url: string, body?: unknown) => request(method, url, {}, body)
const form = (message: object, ...files: [field: string, bytes: Buffer][]) => {
  const data = new FormData()
  data.set('payload_json', JSON.stringify(message))
  for (const [field, bytes] of files) data.append(field, fileOf(bytes, 'image/png', 'a.png'))
  return data
}
const problemOf = ({ body, status }: Awaited<ReturnType<typeof call>>) => ({
  status,
  code: body.code,
  field: Object.keys(body.errors ?? {})[0],
})

describe('a webhook of Discord', () => {
  test('shows itself with its token, and 401 or 404 with another one', async () => {
    const { url, id, channel_id } = webhook({ name: 'News' })
    expect((await call('GET', url)).body).toMatchObject({ id, channel_id, name: 'News', type: 1 })
    expect(problemOf(await call('GET', `${url}x`))).toMatchObject({ status: 401, code: 50027 })
    discord.removeWebhook(id)
    expect(problemOf(await call('GET', url))).toMatchObject({ status: 404, code: 10015 })
  })

  test('returns the message only when asked to wait, and otherwise hides that it saved nothing', async () => {
    const { url } = webhook()
    expect((await call('POST', `${url}?wait=true`, { content: 'Hi' })).body).toMatchObject({ content: 'Hi', type: 0 })
    const before = discord.stored().length
    expect((await call('POST', url, { content: 'x'.repeat(2001) })).status).toBe(204)
    expect(discord.stored()).toHaveLength(before)
  })

  test.each([
    ['a long text', { content: 'x'.repeat(2001) }, 50035, 'content'],
    ['an emoji over the limit', { content: `${'x'.repeat(1999)}😀` }, 50035, 'content'],
    ['a name with Discord', { content: 'x', username: 'A Discord fan' }, 50035, 'username'],
    ['eleven embeds', { embeds: Array(11).fill({ title: 'x' }) }, 50035, 'embeds'],
    ['6,001 characters of embeds', { embeds: Array(2).fill({ description: 'x'.repeat(3001) }) }, 50035, 'embeds'],
    ['an unknown kind of mention', { content: 'x', allowed_mentions: { parse: ['all'] } }, 50035, 'allowed_mentions'],
    ['an address without a scheme', { content: 'x', embeds: [{ url: 'example.org' }] }, 50035, 'embeds'],
    ['a poll without answers', { poll: { question: { text: '?' }, answers: [] } }, 50035, 'poll'],
    ['an attachment without its file', { content: 'x', attachments: [{ id: 0 }] }, 50035, 'attachments'],
    ['nothing', { content: '' }, 50006, undefined],
    ['a thread outside of a forum', { content: 'x', thread_name: 'T' }, 220003, undefined],
  ])('refuses %s', async (_, message, code, field) => {
    const { url } = webhook()
    expect(problemOf(await call('POST', `${url}?wait=1`, message))).toEqual({ status: 400, code, field })
  })

  const at = (errors: object, name: string) =>
    name.split('.').reduce<Record<string, unknown>>((inner, key) => ({ ...(inner[key] as object) }), { ...errors })
      ._errors

  const embed = (fields: object) => ({ embeds: [fields] })
  const question = { text: '?' }
  const answers = [{ poll_media: { text: 'Yes' } }]
  test.each([
    ['an unknown field', { nonce: '1' }, 'nonce', 'UNKNOWN_FIELD'],
    ['an unknown field of an embed', embed({ colour: 1 }), 'embeds.0.colour', 'UNKNOWN_FIELD'],
    ['a text that is none', { content: 5 }, 'content', 'STRING_TYPE_CONVERT'],
    ['a flag that is a text', { tts: 'true' }, 'tts', 'BOOLEAN_TYPE_CONVERT'],
    ['a number that is a text', { flags: '4' }, 'flags', 'NUMBER_TYPE_COERCE'],
    ['a list that is none', { embeds: {} }, 'embeds', 'LIST_TYPE_CONVERT'],
    ['an object that is none', { poll: 'Yes or no?' }, 'poll', 'DICT_TYPE_CONVERT'],
    ['an empty name', { username: '' }, 'username', 'BASE_TYPE_BAD_LENGTH'],
    ['a long name', { username: 'x'.repeat(81) }, 'username', 'BASE_TYPE_BAD_LENGTH'],
    ['a long title', embed({ title: 'x'.repeat(257) }), 'embeds.0.title', 'BASE_TYPE_MAX_LENGTH'],
    ['a color over the limit', embed({ color: 0x1000000 }), 'embeds.0.color', 'NUMBER_TYPE_MAX'],
    ['a negative color', embed({ color: -1 }), 'embeds.0.color', 'NUMBER_TYPE_MIN'],
    ['a time that is none', embed({ timestamp: 'noon' }), 'embeds.0.timestamp', 'DATE_TIME_TYPE_PARSE'],
    ['a row without a value', embed({ fields: [{ name: 'x' }] }), 'embeds.0.fields.0.value', 'BASE_TYPE_REQUIRED'],
    ['an address that is none', { avatar_url: 'me' }, 'avatar_url', 'URL_TYPE_INVALID_URL'],
    ['another scheme', embed({ url: 'ftp://a.example/' }), 'embeds.0.url', 'URL_TYPE_INVALID_SCHEME'],
    ['a tag that is no id', { applied_tags: ['News'] }, 'applied_tags.0', 'NUMBER_TYPE_COERCE'],
    [
      'a mention twice',
      { allowed_mentions: { users: ['1', '1'] } },
      'allowed_mentions.users',
      'SET_TYPE_ALREADY_CONTAINS_VALUE',
    ],
    ['an unknown mention', { allowed_mentions: { parse: ['all'] } }, 'allowed_mentions.parse.0', 'BASE_TYPE_CHOICES'],
    [
      'an attachment without its id',
      { attachments: [{ filename: 'a.png' }] },
      'attachments.0.id',
      'BASE_TYPE_REQUIRED',
    ],
    ['a poll of 769 hours', { poll: { question, answers, duration: 769 } }, 'poll.duration', 'NUMBER_TYPE_MAX'],
    [
      'eleven answers',
      { poll: { question, answers: Array(11).fill(answers[0]) } },
      'poll.answers',
      'BASE_TYPE_BAD_LENGTH',
    ],
    ['an unknown component', { components: [{ type: 2 }] }, 'components.0.type', 'BASE_TYPE_CHOICES'],
  ])('refuses %s by the description, in JSON and in a form', async (_, message, name, code) => {
    const { url } = webhook()
    for (const body of [message, form(message)]) {
      const { status, body: error } = await call('POST', `${url}?wait=true`, body)
      expect([status, error.code]).toEqual([400, 50035])
      expect(at(error.errors, name)).toMatchObject([{ code }])
    }
  })

  test('refuses unknown parameters of an address, and takes null for what is absent', async () => {
    const { url } = webhook()
    expect(problemOf(await call('GET', `${url}?wait=true`))).toEqual({ status: 400, code: 50035, field: 'wait' })
    const { body } = await call('POST', `${url}?wait=true`, { content: 'x', embeds: null, poll: null, tts: null })
    expect(body.content).toBe('x')
    const message = `${url}/messages/${body.id}`
    expect(problemOf(await call('GET', `${message}?thread_id=first`))).toMatchObject({
      code: 50035,
      field: 'thread_id',
    })
    expect(problemOf(await call('PATCH', message, { username: 'x' }))).toMatchObject({ code: 50035, field: 'username' })
    expect(problemOf(await call('PUT', message, {}))).toMatchObject({ status: 405 })
  })

  test('refuses a form whose message is no JSON', async () => {
    const data = new FormData()
    data.set('payload_json', '{"content":')
    expect(problemOf(await call('POST', `${webhook().url}?wait=true`, data))).toMatchObject({
      status: 400,
      code: 50109,
    })
  })

  test('takes files with descriptions, and refuses large ones and other names of parts', async () => {
    const { url } = webhook()
    const bytes = Buffer.from('png')
    const message = { content: 'Two', attachments: [{ id: 1, description: 'Second' }, { id: '0' }] }
    const { body } = await call('POST', `${url}?wait=true`, form(message, ['files[0]', bytes], ['files[1]', bytes]))
    expect(body.attachments).toMatchObject([{ description: 'Second', size: 3, filename: 'a.png' }, { size: 3 }])
    expect(discord.stored().at(-1)?.media).toEqual([
      { type: 'image/png', alt: 'Second' },
      { type: 'image/png', alt: null },
    ])
    const large = form({}, ['files[0]', Buffer.alloc(10 * 1024 * 1024 + 1)])
    expect(problemOf(await call('POST', `${url}?wait=true`, large))).toMatchObject({ status: 413, code: 40005 })
    expect((await call('POST', `${url}?wait=true`, form({}, ['file', bytes]))).status).toBe(400)
  })

  test('posts to a forum only with one of thread name and thread', async () => {
    const { url } = webhook({ isForum: true })
    const codeOf = async (query: string, message: object) => (await call('POST', `${url}${query}`, message)).body.code
    expect(await codeOf('?wait=true', { content: 'x' })).toBe(220001)
    const { body } = await call('POST', `${url}?wait=true`, { content: 'x', thread_name: 'News' })
    expect(body.channel_id).toBe(body.id)
    expect(await codeOf(`?wait=true&thread_id=${body.id}`, { content: 'x', thread_name: 'News' })).toBe(220002)
    expect(await codeOf('?wait=true&thread_id=1', { content: 'x' })).toBe(10003)
    await call('POST', `${url}?wait=true&thread_id=${body.id}`, { content: 'Reply' })
    expect(discord.stored().at(-1)).toMatchObject({ text: 'Reply', replyTo: body.id })
    expect(problemOf(await call('GET', `${url}/messages/${body.id}`))).toMatchObject({ status: 404, code: 10008 })
    expect((await call('GET', `${url}/messages/${body.id}?thread_id=${body.id}`)).status).toBe(200)
  })

  test('an edit keeps only the attachments that it lists, and a deleted message is unknown', async () => {
    const { url } = webhook()
    const bytes = Buffer.from('png')
    const sent = await call(
      'POST',
      `${url}?wait=true`,
      form({ content: 'x' }, ['files[0]', bytes], ['files[1]', bytes]),
    )
    const [first] = sent.body.attachments
    const at = `${url}/messages/${sent.body.id}`
    const edited = await call('PATCH', at, { content: 'y', attachments: [{ id: first.id }] })
    expect(edited.body).toMatchObject({ content: 'y', attachments: [{ id: first.id }] })
    expect(edited.body.attachments).toHaveLength(1)
    expect(edited.body.edited_timestamp).not.toBeNull()
    expect((await call('DELETE', at)).status).toBe(204)
    expect(problemOf(await call('DELETE', at))).toMatchObject({ status: 404, code: 10008 })
  })

  test('an address without a version reports limits in milliseconds and errors without nesting', async () => {
    const { url } = discord.addWebhook()
    const { body } = await call('POST', `${url}?wait=true`, { content: 'x'.repeat(2001) })
    expect(body).toEqual({ content: ['Must be 2000 or fewer in length.'] })
    discord.fault('rate_limited')
    expect((await call('POST', url, { content: 'x' })).body.retry_after).toBe(64_570)
    discord.fault('rate_limited')
    const limited = await call('POST', url.replace('/api/', '/api/v10/'), { content: 'x' })
    expect(limited).toMatchObject({ status: 429, body: { retry_after: 64.57 } })
    expect(limited.headers.get('retry-after')).toBe('65')
  })
})
