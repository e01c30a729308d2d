import type { Call } from './server.ts'

type Kind = 'string' | 'integer' | 'boolean' | 'chat' | 'file' | 'object'
/** Types by name; a name with `!` is required. `file`: an upload, the id of a file, or an address. */
type Parameters = { [name: string]: Kind | Parameters }

const reply: Parameters = {
  'message_id!': 'integer',
  chat_id: 'chat',
  allow_sending_without_reply: 'boolean',
  quote: 'string',
  quote_parse_mode: 'string',
  quote_entities: 'object',
  quote_position: 'integer',
}
const preview: Parameters = {
  is_disabled: 'boolean',
  url: 'string',
  prefer_small_media: 'boolean',
  prefer_large_media: 'boolean',
  show_above_text: 'boolean',
}
const sent: Parameters = {
  business_connection_id: 'string',
  'chat_id!': 'chat',
  message_thread_id: 'integer',
  direct_messages_topic_id: 'integer',
  disable_notification: 'boolean',
  protect_content: 'boolean',
  allow_paid_broadcast: 'boolean',
  message_effect_id: 'string',
  reply_parameters: reply,
}
const single: Parameters = { ...sent, reply_markup: 'object' }
const caption: Parameters = { caption: 'string', parse_mode: 'string', caption_entities: 'object' }
const shown: Parameters = { show_caption_above_media: 'boolean', has_spoiler: 'boolean' }
const moving: Parameters = { duration: 'integer', width: 'integer', height: 'integer', thumbnail: 'file' }
const video: Parameters = { ...moving, cover: 'file', start_timestamp: 'integer', supports_streaming: 'boolean' }
const text: Parameters = {
  'text!': 'string',
  parse_mode: 'string',
  entities: 'object',
  link_preview_options: preview,
  reply_markup: 'object',
}
const edited: Parameters = { business_connection_id: 'string', 'chat_id!': 'chat', 'message_id!': 'integer' }
const detection: Parameters = { disable_content_type_detection: 'boolean' }

/** The parameters of the methods, after the official description. Inline messages are left out. */
export const methods: Record<string, Parameters> = {
  getMe: {},
  getChat: { 'chat_id!': 'chat' },
  getChatMemberCount: { 'chat_id!': 'chat' },
  getChatMember: { 'chat_id!': 'chat', 'user_id!': 'integer' },
  sendMessage: { ...single, ...text },
  sendPhoto: { ...single, ...caption, ...shown, 'photo!': 'file' },
  sendVideo: { ...single, ...caption, ...shown, ...video, 'video!': 'file' },
  sendAnimation: { ...single, ...caption, ...shown, ...moving, 'animation!': 'file' },
  sendDocument: { ...single, ...caption, ...detection, thumbnail: 'file', 'document!': 'file' },
  sendMediaGroup: { ...sent, 'media!': 'object' },
  editMessageText: { ...edited, ...text },
  editMessageCaption: { ...edited, ...caption, show_caption_above_media: 'boolean', reply_markup: 'object' },
  deleteMessage: { 'chat_id!': 'chat', 'message_id!': 'integer' },
  getFile: { 'file_id!': 'string' },
}

/** The fields of the members of an album. */
export const albumTypes: Record<string, Parameters> = {
  photo: { 'type!': 'string', 'media!': 'string', ...caption, ...shown },
  video: { 'type!': 'string', 'media!': 'string', ...caption, ...shown, ...video },
  document: { 'type!': 'string', 'media!': 'string', ...caption, ...detection, thumbnail: 'string' },
  audio: {
    'type!': 'string',
    'media!': 'string',
    ...caption,
    duration: 'integer',
    performer: 'string',
    title: 'string',
  },
}

/** Reads JSON in a form; other bodies have it already. */
export function objectOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function fits(kind: Kind, value: unknown) {
  if (kind === 'object') return typeof objectOf(value) === 'object'
  if (kind === 'boolean') return typeof value === 'boolean' || value === 'true' || value === 'false'
  const integer = Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
  return kind === 'integer'
    ? integer
    : kind === 'chat'
      ? integer || typeof value === 'string'
      : typeof value === 'string'
}

/**
 * The reason for which parameters are wrong. Stricter than Telegram, which ignores unknown names and reads a wrong type
 * as absent: both are mistakes that a test has to find.
 */
export function problemOf(parameters: Parameters, values: object, files: Call['files'] = []): string | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const uploaded = new Set(files.map(({ field }) => field))
  for (const [key, type] of Object.entries(parameters)) {
    if (!key.endsWith('!')) continue
    const name = key.slice(0, -1)
    const value = given.find(([each]) => each === name)?.[1]
    if ((value === undefined || value === '') && !(type === 'file' && uploaded.has(name)))
      return name === 'text' ? 'message text is empty' : `parameter "${name}" is required`
  }
  for (const [name, value] of given) {
    const key = [name, `${name}!`].find((each) => Object.hasOwn(parameters, each))
    const type = key === undefined ? undefined : parameters[key]
    if (type === undefined) return `parameter "${name}" is unknown`
    if (typeof type === 'string') {
      if (!fits(type, value)) return `parameter "${name}" has a wrong type`
      continue
    }
    const inner = objectOf(value)
    if (typeof inner !== 'object' || inner === null) return `can't parse ${name} JSON object`
    const problem = problemOf(type, inner)
    if (problem) return `can't parse ${name}: ${problem}`
  }
}
