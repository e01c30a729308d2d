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
