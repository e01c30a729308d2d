import { type TProperties, Type } from 'typebox'
import { byType, characters, only, type RequestRule, type RuleProblem, upload } from './request-rules.ts'

const text = Type.String()
const flag = Type.Boolean()
const integer = Type.Integer()
const positive = Type.Integer({ minimum: 1 })
const natural = Type.Integer({ minimum: 0 })
/** The number of a chat, or the name of a public one. */
const chat_id = Type.Union([Type.Integer(), Type.String({ pattern: '^(?:@\\w+|-?\\d+)$' })])
const parse_mode = Type.Enum(['HTML', 'Markdown', 'MarkdownV2'])

/** The largest files that a bot uploads, in bytes. */
export const uploadLimits = { photo: 10_000_000, other: 50_000_000, thumbnail: 200_000 }
/** An upload, the id of a file, or an address. */
const file = (max = uploadLimits.other) => Type.Union([upload(max), Type.String({ minLength: 1 })])

const entities = Type.Array(
  only(
    {
      type: Type.Enum([
        ...['mention', 'hashtag', 'cashtag', 'bot_command', 'url', 'email', 'phone_number', 'bold', 'italic'],
        ...['underline', 'strikethrough', 'spoiler', 'blockquote', 'expandable_blockquote', 'code', 'pre'],
        ...['text_link', 'text_mention', 'custom_emoji', 'date_time'],
      ]),
      ...{ offset: natural, length: positive },
    },
    {
      ...{ url: text, user: Type.Object({}), language: text, custom_emoji_id: text },
      ...{ unix_time: integer, date_time_format: text },
    },
  ),
)

const reply_parameters = only(
  { message_id: positive },
  {
    ...{ chat_id, allow_sending_without_reply: flag, quote: text, quote_parse_mode: parse_mode },
    ...{ quote_entities: entities, quote_position: natural, checklist_task_id: integer, poll_option_id: text },
  },
)
const link_preview_options = only(
  {},
  { is_disabled: flag, url: text, prefer_small_media: flag, prefer_large_media: flag, show_above_text: flag },
)

const rows = Type.Array(Type.Array(Type.Object({ text })))
const inlineKeyboard = only({ inline_keyboard: rows })
const placeholder = characters(64, 1)
const reply_markup = Type.Union([
  inlineKeyboard,
  only(
    { keyboard: rows },
    {
      ...{ is_persistent: flag, resize_keyboard: flag, one_time_keyboard: flag },
      ...{ input_field_placeholder: placeholder, selective: flag },
    },
  ),
  only({ remove_keyboard: Type.Literal(true) }, { selective: flag }),
  only({ force_reply: Type.Literal(true) }, { input_field_placeholder: placeholder, selective: flag }),
])

/** A part of a conversation: a topic of a forum, or one of the direct messages of a channel. */
const place = { business_connection_id: text, message_thread_id: integer, direct_messages_topic_id: integer }
const sending = {
  ...{ ...place, disable_notification: flag, protect_content: flag, allow_paid_broadcast: flag },
  ...{ message_effect_id: text, reply_parameters },
}
const sendingOne = {
  ...sending,
  suggested_post_parameters: only(
    {},
    { price: only({ currency: Type.Enum(['XTR', 'TON']), amount: positive }), send_date: positive },
  ),
  reply_markup,
}
const caption = { caption: text, parse_mode, caption_entities: entities }
const shown = { show_caption_above_media: flag, has_spoiler: flag }
const thumbnail = file(uploadLimits.thumbnail)
const moving = { duration: natural, width: natural, height: natural }
const video = { ...moving, start_timestamp: natural, supports_streaming: flag }

/** A member of an album. Its files come beside it, under the names of their `attach://`. */
const media = characters(2048, 1)
const album = byType({
  photo: only({ media }, { ...caption, ...shown }),
  live_photo: only({ media, photo: media }, { ...caption, ...shown }),
  video: only({ media }, { ...caption, ...shown, ...video, thumbnail: media, cover: media }),
  document: only({ media }, { ...caption, thumbnail: media, disable_content_type_detection: flag }),
  audio: only({ media }, { ...caption, thumbnail: media, duration: natural, performer: text, title: text }),
})

/** Its length counts only after its entities are parsed. */
const content = Type.String({ minLength: 1 })
const formatted = { parse_mode, entities, link_preview_options }
const edited = { chat_id, message_id: positive }

/** Both ways to call a method: parameters come in the address, or in the body. */
const method = (name: string, required: TProperties = {}, optional: TProperties = {}): RequestRule[] => {
  const path = `/bot{token}/${name}`
  const parameters = only(required, optional)
  return [
    { method: 'GET', path, query: parameters },
    { method: 'POST', path, body: parameters },
  ]
}

/** Methods that a publisher calls. Messages of inline queries and rich messages are left out. */
export const requests: RequestRule[] = [
  ...method('getMe'),
  ...method('getChat', { chat_id }),
  ...method('getChatMemberCount', { chat_id }),
  ...method('getChatMember', { chat_id, user_id: positive }),
  ...method('getFile', { file_id: characters(2048, 1) }),
  ...method('sendMessage', { chat_id, text: content }, { ...sendingOne, ...formatted }),
  ...method('sendPhoto', { chat_id, photo: file(uploadLimits.photo) }, { ...sendingOne, ...caption, ...shown }),
  ...method(
    'sendVideo',
    { chat_id, video: file() },
    { ...sendingOne, ...caption, ...shown, ...video, thumbnail, cover: file() },
  ),
  ...method(
    'sendAnimation',
    { chat_id, animation: file() },
    { ...sendingOne, ...caption, ...shown, ...moving, thumbnail },
  ),
  ...method(
    'sendDocument',
    { chat_id, document: file() },
    { ...sendingOne, ...caption, thumbnail, disable_content_type_detection: flag },
  ),
  ...method('sendMediaGroup', { chat_id, media: Type.Array(album, { minItems: 2, maxItems: 10 }) }, sending),
  ...method(
    'editMessageText',
    { ...edited, text: content },
    { business_connection_id: text, ...formatted, reply_markup: inlineKeyboard },
  ),
  ...method('editMessageCaption', edited, {
    ...{ business_connection_id: text, ...caption, show_caption_above_media: flag, reply_markup: inlineKeyboard },
  }),
  ...method('deleteMessage', edited),
]

/** Errors about parameters that are missing; those of files name the file. */
const missing: Record<string, string> = {
  chat_id: 'chat_id is empty',
  message_id: 'message identifier is not specified',
  user_id: 'invalid user_id specified',
  file_id: 'file_id not specified',
  text: 'message text is empty',
}

/**
 * The description of an error. Telegram ignores unknown names and reads a wrong type as absent, so it has no words of
 * its own for either.
 */
export function descriptionOf({ name, message, keyword }: RuleProblem) {
  const [parameter = '', ...rest] = name.split('.')
  if (rest.length === 0 && (keyword === 'required' || keyword === 'minLength'))
    return missing[name] ?? `there is no ${name} in the request`
  if (name.endsWith('parse_mode')) return 'unsupported parse_mode'
  if (rest.at(-1) === 'size' && keyword === 'minimum') return 'file must be non-empty'
  if (rest.at(-1) === 'size' && keyword === 'maximum') return 'file is too big'
  if (parameter === 'media' && rest.length > 0) return `can't parse InputMedia: ${rest.slice(1).join('.')} ${message}`
  return rest.length > 0
    ? `can't parse ${parameter} JSON object: ${rest.join('.')} ${message}`
    : `parameter "${name}" ${message}`
}
