import { accountNumbers } from './numbers.ts'
import { parametersOf, problemOf, ruleOf } from './request-rules.ts'
import { type Call, networkServer, type Reply } from './server.ts'
import { isRefusal, readAlbum, readFile, type StoredFile } from './telegram-files.ts'
import { parseHtml, trimmed } from './telegram-html.ts'
import { descriptionOf, requests } from './telegram-requests.ts'

type Membership = 'administrator' | 'administrator_without_posting' | 'member' | 'kicked' | 'left'
/** `migratedTo`: the supergroup that a group became. */
type Chat = {
  id: number
  type: 'channel' | 'supergroup' | 'group'
  title: string
  username: string | undefined
  bot: Membership
  migratedTo: number | undefined
}
type Message = {
  id: number
  chat: Chat
  text: string | undefined
  caption: string | undefined
  entities: unknown[]
  file: StoredFile | undefined
  album: string | undefined
  replyTo: number | null
  options: Record<string, unknown>
  deleted: boolean
}

const TEXT_LENGTH = 4096
const CAPTION_LENGTH = 1024
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const DESCRIPTIONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden: bot was kicked from the channel chat',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
}
const refuse = (status: number, description?: string, parameters?: Record<string, number>): Reply => ({
  status,
  body: {
    ok: false,
    error_code: status,
    description: description ?? DESCRIPTIONS[status] ?? 'Error',
    ...(parameters ? { parameters } : {}),
  },
})
const bad = (reason: string) => refuse(400, `Bad Request: ${reason}`)
const done = (result: unknown): Reply => ({ status: 200, body: { ok: true, result } })

/** Leaves out files that a parameter refers to by `attach://`, under names that the caller chose. */
function withoutAttached(call: Call): Call {
  const names = new Set([...JSON.stringify(call.fields).matchAll(/attach:\/\/([^"\\]+)/g)].map(([, name]) => name))
  return { ...call, files: call.files.filter(({ field }) => !names.has(field)) }
}

/** The Bot API with one bot. `retryAfterSeconds`: how long it refuses when it limits the rate. */
export async function telegramServer({ retryAfterSeconds = 30 }: { retryAfterSeconds?: number } = {}) {
  const bot = { id: 7_000_000_001, is_bot: true, first_name: 'Stand-in', username: 'stand_in_bot' }
  let token: string | undefined = `${bot.id}:AAstand-in_token-of-35-characters-000`
  const chats = new Map<number, Chat>()
  const messages: Message[] = []
  const files = new Map<string, StoredFile>()
  let made = 0

  const showChat = ({ id, type, title, username }: Chat) => ({ id, type, title, ...(username ? { username } : {}) })
  const show = (message: Message) => ({
    message_id: message.id,
    date: Math.floor(Date.now() / 1000),
    chat: showChat(message.chat),
    ...(message.chat.type === 'channel' ? { sender_chat: showChat(message.chat) } : { from: bot }),
    ...(message.text === undefined ? {} : { text: message.text, entities: message.entities }),
    ...(message.caption ? { caption: message.caption, caption_entities: message.entities } : {}),
    ...(message.album ? { media_group_id: message.album } : {}),
    ...(message.file ? { [message.file.kind]: showFile(message.file) } : {}),
  })
  function showFile({ id, kind, type, bytes }: StoredFile) {
    const shown = { file_id: id, file_unique_id: id.slice(-8), file_size: bytes.length, width: 1, height: 1 }
    return kind === 'photo' ? [shown] : { ...shown, mime_type: type }
  }

  const chatOf = (given: unknown) =>
    [...chats.values()].find(({ id, username }) => String(id) === String(given) || `@${username}` === given)

  /** The chat of a call, or the refusal. `rights`: the rights that the call needs. */
  function openChat(given: unknown, rights: 'read' | 'post'): Chat | Reply {
    const chat = chatOf(given)
    if (!chat) return bad('chat not found')
    if (chat.migratedTo !== undefined)
      return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: chat.migratedTo,
      })
    if (chat.bot === 'kicked') return refuse(403, `Forbidden: bot was kicked from the ${chat.type} chat`)
    if (chat.bot === 'left') return refuse(403, `Forbidden: bot is not a member of the ${chat.type} chat`)
    if (rights === 'read') return chat
    if (chat.type === 'channel' && chat.bot === 'member') return bad('need administrator rights in the channel chat')
    if (chat.bot === 'administrator_without_posting') return bad('not enough rights to post messages in the chat')
    return chat
  }

  /** The text and entities of a text or caption, or the refusal. */
  function readText(fields: Record<string, unknown>, name: 'text' | 'caption') {
    const given = typeof fields[name] === 'string' ? fields[name] : ''
    const mode = fields.parse_mode
    if (mode !== undefined && mode !== '' && String(mode).toUpperCase() !== 'HTML') return bad('unsupported parse_mode')
    const parsed = mode ? parseHtml(given) : trimmed({ text: given, entities: [] })
    if (typeof parsed === 'string') return refuse(400, parsed)
    if (name === 'text' && parsed.text === '') return bad('message text is empty')
    if (parsed.text.length > (name === 'text' ? TEXT_LENGTH : CAPTION_LENGTH))
      return bad(name === 'text' ? 'message is too long' : 'message caption is too long')
    return parsed
  }

  /** The message that a new one replies to, or the refusal. */
  function readReply(fields: Record<string, unknown>, chat: Chat): { replyTo: number | null } | Reply {
    const reply = fields.reply_parameters
    if (typeof reply !== 'object' || reply === null || !('message_id' in reply)) return { replyTo: null }
    const found = messages.find(({ id, chat: of, deleted }) => id === reply.message_id && of === chat && !deleted)
    if (found) return { replyTo: found.id }
    const lenient = 'allow_sending_without_reply' in reply && reply.allow_sending_without_reply === true
    return lenient ? { replyTo: null } : bad('message to be replied not found')
  }

  function store(chat: Chat, replyTo: number | null, fields: Record<string, unknown>, content: Partial<Message>) {
    const message: Message = {
      id: ++made,
      chat,
      text: undefined,
      caption: undefined,
      entities: [],
      file: undefined,
      album: undefined,
      replyTo,
      options: fields,
      deleted: false,
      ...content,
    }
    messages.push(message)
    if (message.file) files.set(message.file.id, message.file)
    return message
  }

  async function sendMessage(method: string, { fields, files: uploads }: Call): Promise<Reply> {
    const chat = openChat(fields.chat_id, 'post')
    if ('status' in chat) return chat
    const reply = readReply(fields, chat)
    if ('status' in reply) return reply
    if (method === 'sendMediaGroup') {
      const album = await readAlbum(fields.media, uploads, files)
      if (isRefusal(album)) return bad(album.refused)
      const captions = album.map(({ fields: each }) => readText(each, 'caption'))
      const refused = captions.find((each) => 'status' in each)
      if (refused && 'status' in refused) return refused
      const group = String(13_000_000_000_000_000n + BigInt(made))
      const sent = album.map(({ file }, index) => {
        const parsed = captions[index]
        const caption = parsed && 'text' in parsed ? { caption: parsed.text, entities: parsed.entities } : {}
        return store(chat, reply.replyTo, fields, { ...caption, file, album: group })
      })
      return done(sent.map(show))
    }
    const kind = method.slice('send'.length).toLowerCase()
    const parsed = readText(fields, kind === 'message' ? 'text' : 'caption')
    if ('status' in parsed) return parsed
    const { text, entities } = parsed
    if (kind === 'message') return done(show(store(chat, reply.replyTo, fields, { text, entities })))
    const file = await readFile(kind, fields[kind], uploads, files)
    if (isRefusal(file)) return bad(file.refused)
    return done(show(store(chat, reply.replyTo, fields, { caption: text, entities, file })))
  }

  function changeMessage(method: string, { fields }: Call): Reply {
    const chat = openChat(fields.chat_id, 'post')
    if ('status' in chat) return chat
    const message = messages.find(
      ({ id, chat: of, deleted }) => String(id) === String(fields.message_id) && of === chat && !deleted,
    )
    if (method === 'deleteMessage') {
      if (!message) return bad('message to delete not found')
      message.deleted = true
      return done(true)
    }
    const name = method === 'editMessageText' ? 'text' : 'caption'
    if (!message) return bad('message to edit not found')
    if ((name === 'text') === (message.file !== undefined)) return bad(`there is no ${name} in the message to edit`)
    const parsed = readText(fields, name)
    if ('status' in parsed) return parsed
    if (parsed.text === message[name] && JSON.stringify(parsed.entities) === JSON.stringify(message.entities))
      return bad(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      )
    message[name] = parsed.text
    message.entities = parsed.entities
    return done(show(message))
  }

  function readChat(method: string, { fields }: Call): Reply {
    const chat = openChat(fields.chat_id, 'read')
    if ('status' in chat) return chat
    const photo = {
      small_file_id: 'avatar',
      small_file_unique_id: 'as',
      big_file_id: 'avatar',
      big_file_unique_id: 'ab',
    }
    if (method === 'getChat') return done({ ...showChat(chat), photo, accent_color_id: 0, max_reaction_count: 11 })
    if (method === 'getChatMemberCount') return done(accountNumbers.followers)
    if (String(fields.user_id) !== String(bot.id)) return bad('PARTICIPANT_ID_INVALID')
    const administers = chat.bot.startsWith('administrator')
    if (chat.type === 'channel' && !administers) return bad('member list is inaccessible')
    return done(
      administers
        ? {
            status: 'administrator',
            user: bot,
            can_post_messages: chat.bot === 'administrator',
            can_edit_messages: true,
          }
        : { status: 'member', user: bot },
    )
  }

  async function handle(call: Call): Promise<Reply> {
    const path = decodeURIComponent(call.path)
    const [, file, given, rest = ''] = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(path) ?? []
    if (given === undefined || !/^\d+:[\w-]{30,}$/.test(given)) return refuse(404)
    if (given !== token) return refuse(401)
    if (file) {
      const found = [...files.values()].find(({ id }) => `${id}.bin` === rest)
      return found ? { status: 200, body: found.bytes, headers: { 'content-type': found.type } } : refuse(404)
    }
    if (call.raw.length > 50_000_000 + 100_000) return refuse(413)
    const rule = ruleOf(requests, { method: call.method, path })
    if (!rule) return refuse(404, 'Not Found: method not found')
    const problem = problemOf(rule, withoutAttached(call))
    if (problem) return bad(descriptionOf(problem))
    const method = rest
    const { query, body } = parametersOf(rule, call)
    const fields = { ...query, ...body }
    if (method === 'getMe') return done({ ...bot, can_join_groups: true, can_read_all_group_messages: false })
    if (method === 'getFile') {
      const found = files.get(String(fields.file_id))
      if (!found) return bad('invalid file_id')
      if (found.bytes.length > 20_000_000) return bad('file is too big')
      return done({
        file_id: found.id,
        file_unique_id: 'u',
        file_size: found.bytes.length,
        file_path: `${found.id}.bin`,
      })
    }
    if (method.startsWith('getChat')) return readChat(method, { ...call, fields })
    return method.startsWith('send')
      ? sendMessage(method, { ...call, fields })
      : changeMessage(method, { ...call, fields })
  }

  files.set('avatar', { id: 'avatar', kind: 'photo', type: 'image/png', bytes: PIXEL })

  const server = await networkServer({
    handle,
    errorOf: refuse,
    isPost: ({ path }) => /\/send\w+$/i.test(path),
    isUpload: ({ path, headers }) =>
      /\/send\w+$/i.test(path) && (headers['content-type'] ?? '').startsWith('multipart/form-data'),
    failures: {
      refused: { kind: 'reply', of: () => bad('not enough rights to send text messages to the chat') },
      rate_limited: {
        kind: 'reply',
        of: () =>
          refuse(429, `Too Many Requests: retry after ${retryAfterSeconds}`, { retry_after: retryAfterSeconds }),
      },
      false_success: {
        kind: 'reply',
        of: () => ({ ...refuse(400, 'Bad Request: wrong file identifier/HTTP URL specified'), status: 200 }),
      },
    },
    endTokens: () => {
      token = undefined
    },
    stored: () => {
      // Readers see an album as one post.
      const groups = Map.groupBy(messages, ({ album, id }) => album ?? String(id))
      return [...groups.values()].flatMap(([first, ...others]) => {
        if (!first) return []
        const all = [first, ...others]
        return {
          id: String(first.id),
          text: first.text ?? all.find(({ caption }) => caption)?.caption ?? '',
          media: all.flatMap(({ file }) => (file ? { type: file.type, alt: null } : [])),
          replyTo: first.replyTo === null ? null : String(first.replyTo),
          deleted: all.every(({ deleted }) => deleted),
        }
      })
    },
  })

  return {
    ...server,
    token: token ?? '',
    bot,
    /** Every message with all that was sent for it. */
    messages,
    /** Creates a chat. `username`: without it only its number finds it. */
    addChat: (options: { type?: Chat['type']; username?: string; bot?: Membership } = {}) => {
      const number = chats.size + 1
      const type = options.type ?? 'channel'
      const id = type === 'group' ? -number : -1_000_000_000_000 - number
      const chat: Chat = {
        id,
        type,
        title: `Chat ${number}`,
        username: options.username,
        bot: options.bot ?? 'administrator',
        migratedTo: undefined,
      }
      chats.set(id, chat)
      return chat
    },
  }
}
