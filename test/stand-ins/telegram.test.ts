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
    ['empty texts', { text: ' ' }, 'message text is empty'],
    ['unknown tags', { text: '<p>Hello</p>', parse_mode: 'HTML' }, /Unsupported start tag "p" at byte offset 0/],
    ['open tags', { text: '<b>Hello', parse_mode: 'HTML' }, /Can't find end tag/],
    ['replies to nothing', { text: 'Hello', reply_parameters: { message_id: 999 } }, 'message to be replied not found'],
    ['unknown chats', { text: 'Hello', chat_id: '@nobody' }, 'chat not found'],
  ])('refuses %s', async (_, fields, description) => {
    const { status, body } = await call('sendMessage', { chat_id, ...fields })
    expect(status).toBe(400)
    expect(body.description).toMatch(description)
  })

  const reply = { message_id: '1' }
  const entity = { type: 'bold', offset: 0, length: 0 }
  test.each([
    ['an unknown parameter', { disable_web_page_preview: true }, 'parameter "disable_web_page_preview" is not a known'],
    ['a text that is none', { text: 7 }, 'parameter "text" must be string'],
    ['no text', { text: undefined }, 'message text is empty'],
    ['no chat', { chat_id: undefined }, 'chat_id is empty'],
    ['a chat that is neither number nor name', { chat_id: 'news' }, 'parameter "chat_id" must'],
    ['a number that is a text', { message_thread_id: '7' }, 'parameter "message_thread_id" must be integer'],
    ['a flag that is a text', { disable_notification: 'true' }, 'parameter "disable_notification" must be boolean'],
    ['an unknown way to format', { parse_mode: 'BBCode' }, 'unsupported parse_mode'],
    ['a field of the wrong type', { reply_parameters: reply }, "can't parse reply_parameters JSON object: message_id"],
    ['a field that is missing', { reply_parameters: {} }, "can't parse reply_parameters JSON object: message_id"],
    ['an unknown field', { link_preview_options: { size: 1 } }, "can't parse link_preview_options JSON object: size"],
    ['an entity without a length', { entities: [entity] }, "can't parse entities JSON object: 0.length must be >= 1"],
  ])('refuses %s by the description', async (_, fields, description) => {
    const { status, body } = await call('sendMessage', { chat_id, text: 'Hello', ...fields })
    expect([status, body.ok]).toEqual([400, false])
    expect(body.description).toContain(`Bad Request: ${description}`)
  })

  test.each([
    ['getChatMember', { chat_id: '@news' }, 'invalid user_id specified'],
    ['getFile', {}, 'file_id not specified'],
    ['getMe', { name: 'x' }, 'parameter "name" is not a known field'],
    ['sendPhoto', { chat_id: '@news', caption: 'One' }, 'there is no photo in the request'],
    ['sendVideo', { chat_id: '@news', video: 'x', alt: 'x' }, 'parameter "alt" is not a known field'],
    ['sendDocument', { chat_id: '@news', document: 'x', has_spoiler: true }, 'parameter "has_spoiler" is not a known'],
    ['sendAnimation', { chat_id: '@news', animation: 'x', duration: 1.5 }, 'parameter "duration" must be integer'],
    ['sendMediaGroup', { chat_id: '@news', media: [] }, 'parameter "media" must not have fewer than 2 items'],
    ['editMessageText', { chat_id: '@news', text: 'x' }, 'message identifier is not specified'],
    ['editMessageCaption', { chat_id: '@news', message_id: 0 }, 'parameter "message_id" must be >= 1'],
    ['deleteMessage', { chat_id: '@news', message_id: 'x' }, 'parameter "message_id" must be integer'],
    ['getChat', { chat_id: '@news', text: 'x' }, 'parameter "text" is not a known field'],
    ['getChatMemberCount', {}, 'chat_id is empty'],
  ])('refuses wrong parameters of %s', async (method, fields, description) => {
    expect((await call(method, fields)).body.description).toContain(`Bad Request: ${description}`)
  })

  test('reads the texts of an address and a form as what they stand for', async () => {
    const address = new URLSearchParams({ chat_id: String(chat_id), text: 'Hello', disable_notification: 'True' })
    const sent = await request('GET', `${server.url}/bot${server.token}/sendMessage?${address}`, {})
    const { message_id } = sent.body.result
    expect(server.messages.at(-1)?.options.disable_notification).toBe(true)
    const replyTo = (reply_parameters: object) =>
      call('sendMessage', form({ chat_id, text: 'Hi', reply_parameters }, {}))
    expect((await replyTo({ message_id })).status).toBe(200)
    expect(server.stored().at(-1)?.replyTo).toBe(String(message_id))
    expect((await replyTo({ message_id: 'first' })).body.description).toContain('message_id must be integer')
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

  test.each([
    ['an empty file', Buffer.alloc(0), 'file must be non-empty'],
    ['a photo over 10 MB', Buffer.alloc(10_000_001), 'file is too big'],
  ])('refuses %s', async (_, bytes, description) => {
    const { body } = await call('sendPhoto', form({ chat_id }, { photo: fileOf(bytes, 'image/png', 'a.png') }))
    expect(body.description).toBe(`Bad Request: ${description}`)
  })

  test('refuses a file that no parameter refers to', async () => {
    const files = { photo: fileOf(png, 'image/png'), extra: fileOf(png, 'image/png') }
    expect((await call('sendPhoto', form({ chat_id }, files))).body.description).toContain('parameter "extra"')
  })

  test.each([
    ['an unknown kind', { type: 'sticker', media: 'x' }, 'type must be equal'],
    ['an animation', { type: 'animation', media: 'x' }, 'type must be equal'],
    ['a field of another kind', { type: 'document', media: 'x', width: 1 }, 'width is not a known field'],
    ['no file', { type: 'photo' }, 'media is required'],
    ['a description', { type: 'photo', media: 'x', alt: 'x' }, 'alt is not a known field'],
  ])('refuses an album with %s', async (_, member, description) => {
    const media = [member, { type: 'photo', media: 'attach://one' }]
    const { body } = await call('sendMediaGroup', form({ chat_id, media }, { one: fileOf(png, 'image/png') }))
    expect(body.description).toContain(`Bad Request: can't parse InputMedia: ${description}`)
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
