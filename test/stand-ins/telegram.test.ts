import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileOf, MP4, request } from './request.ts'
import { telegramServer } from './telegram.ts'

describe('the stand-in of Telegram', () => {
  let server: Awaited<ReturnType<typeof telegramServer>>
  let chat_id: number
  let png: Buffer

  beforeAll(async () => {
    server = await telegramServer()
    chat_id = server.addChat({ username: 'news' }).id
    png = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  })
  afterAll(() => server.close())

  const call = (method: string, body: unknown = {}, token = server.token) =>
    request('POST', `${server.url}/bot${token}/${method}`, {}, body)

  function form(fields: Record<string, unknown>, files: Record<string, File>) {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields))
      body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    for (const [name, file] of Object.entries(files)) body.set(name, file)
    return body
  }

  test('counts a text in UTF-16 units after its tags are read', async () => {
    const text = `<b>${'a'.repeat(4094)}</b>😀`
    const fits = await call('sendMessage', { chat_id: '@news', text, parse_mode: 'HTML' })
    expect(fits.body.result.entities).toEqual([{ type: 'bold', offset: 0, length: 4094 }])
    expect(await call('sendMessage', { chat_id, text: `a${text}`, parse_mode: 'HTML' })).toMatchObject({
      status: 400,
      body: { ok: false, error_code: 400, description: 'Bad Request: message is too long' },
    })
  })

  test.each([
    ['unknown parameters', { text: 'Hello', disable_web_page_preview: true }, /unknown/],
    ['wrong types', { text: 7 }, /wrong type/],
    ['empty texts', { text: ' ' }, /message text is empty/],
    ['unknown tags', { text: '<p>Hello</p>', parse_mode: 'HTML' }, /Unsupported start tag "p" at byte offset 0/],
    ['open tags', { text: '<b>Hello', parse_mode: 'HTML' }, /Can't find end tag/],
    ['replies to nothing', { text: 'Hello', reply_parameters: { message_id: 999 } }, /message to be replied not found/],
    ['unknown chats', { text: 'Hello', chat_id: '@nobody' }, /chat not found/],
  ])('refuses %s', async (_, fields, description) => {
    const { status, body } = await call('sendMessage', { chat_id, ...fields })
    expect(status).toBe(400)
    expect(body.description).toMatch(description)
  })

  test('refuses wrong tokens, unknown methods and chats where the bot may not post', async () => {
    const kicked = server.addChat({ bot: 'kicked' })
    const member = server.addChat({ bot: 'member' })
    const group = server.addChat({ type: 'group', bot: 'member' })
    group.migratedTo = -1_000_000_000_777
    const post = (id: number) => call('sendMessage', { chat_id: id, text: 'Hello' })
    expect((await call('getMe', {}, `1:${'a'.repeat(35)}`)).status).toBe(401)
    expect((await call('sendPigeon')).status).toBe(404)
    expect((await post(kicked.id)).body.description).toBe('Forbidden: bot was kicked from the channel chat')
    expect((await post(member.id)).status).toBe(400)
    expect((await post(group.id)).body.parameters).toEqual({ migrate_to_chat_id: -1_000_000_000_777 })
  })

  test('takes files as uploads, and albums of two to ten', async () => {
    const photo = fileOf(png, 'image/png', 'a.png')
    const wide = await sharp({ create: { width: 2100, height: 100, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const sent = await call('sendPhoto', form({ chat_id, caption: 'One' }, { photo }))
    expect(sent.body).toMatchObject({ ok: true, result: { caption: 'One', photo: [{ file_size: png.length }] } })
    const refused = await call('sendPhoto', form({ chat_id }, { photo: fileOf(wide, 'image/png') }))
    expect(refused.body.description).toBe('Bad Request: PHOTO_INVALID_DIMENSIONS')
    const long = await call('sendPhoto', form({ chat_id, caption: 'a'.repeat(1025) }, { photo }))
    expect(long.body.description).toBe('Bad Request: message caption is too long')
    const media = [
      { type: 'photo', media: 'attach://one', caption: 'Two' },
      { type: 'video', media: 'attach://two' },
    ]
    const album = await call('sendMediaGroup', form({ chat_id, media }, { one: photo, two: fileOf(MP4, 'video/mp4') }))
    expect(album.body.result).toHaveLength(2)
    expect((await call('sendMediaGroup', form({ chat_id, media }, { one: photo }))).status).toBe(400)
    expect((await call('sendMediaGroup', form({ chat_id, media: media.slice(1) }, { two: photo }))).status).toBe(400)
    expect(server.stored().at(-1)).toMatchObject({ text: 'Two', media: [{ type: 'image/png' }, { type: 'video/mp4' }] })
  })

  test('edits and deletes, and says when nothing changes', async () => {
    const { message_id } = (await call('sendMessage', { chat_id, text: 'First' })).body.result
    const edit = () => call('editMessageText', { chat_id, message_id, text: 'Second' })
    expect((await edit()).body.result.text).toBe('Second')
    expect((await edit()).body.description).toMatch(/^Bad Request: message is not modified/)
    expect((await call('editMessageCaption', { chat_id, message_id, caption: 'x' })).status).toBe(400)
    expect((await call('deleteMessage', { chat_id, message_id })).body).toEqual({ ok: true, result: true })
    expect((await call('deleteMessage', { chat_id, message_id })).status).toBe(400)
  })

  test('shows the channel, the rights of the bot and the avatar', async () => {
    const { photo } = (await call('getChat', { chat_id: '@news' })).body.result
    const { file_path } = (await call('getFile', { file_id: photo.small_file_id })).body.result
    const avatar = await fetch(`${server.url}/file/bot${server.token}/${file_path}`)
    const member = await call('getChatMember', { chat_id, user_id: server.bot.id })
    expect(member.body.result).toMatchObject({ status: 'administrator', can_post_messages: true })
    expect(avatar.headers.get('content-type')).toBe('image/png')
  })

  test('names the seconds of a rate limit in the body', async () => {
    server.fault('rate_limited')
    expect((await call('sendMessage', { chat_id, text: 'Hello' })).body).toMatchObject({
      error_code: 429,
      parameters: { retry_after: 30 },
    })
  })
})
