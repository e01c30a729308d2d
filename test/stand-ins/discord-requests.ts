import { type TProperties, type TSchema, Type } from 'typebox'
import { characters, only, type RequestRule, upload } from './request-rules.ts'

/** Null counts as absent wherever a field may be absent. */
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])
const fields = (optional: TProperties, required: TProperties = {}) =>
  only(required, Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, orNull(schema)])))

const flag = Type.Boolean()
const integer = Type.Integer()
const snowflake = Type.String({ pattern: '^(0|[1-9][0-9]*)$' })
const url = (...schemes: string[]) =>
  Type.String({ maxLength: 2048, format: 'uri', pattern: `^(${schemes.join('|')})://` })
const link = url('http', 'https')
const attached = url('http', 'https', 'attachment')

const shown = {
  ...{ url: attached, width: integer, height: integer, placeholder: characters(64) },
  ...{ placeholder_version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), is_animated: flag },
  description: characters(4096),
}
const embed = fields({
  ...{ type: characters(152_133), url: link, title: characters(256), description: characters(4096) },
  color: Type.Integer({ minimum: 0, maximum: 0xffffff }),
  timestamp: Type.String({ format: 'date-time' }),
  author: fields({ name: characters(256), url: link, icon_url: attached }),
  ...{ image: fields(shown), thumbnail: fields(shown), video: fields(shown) },
  footer: fields({ text: characters(2048), icon_url: attached }),
  fields: Type.Array(fields({ inline: flag }, { name: characters(256), value: characters(1024) }), { maxItems: 25 }),
  provider: fields({ name: characters(256), url: link }),
})

const set = (item: TSchema, maxItems: number) => Type.Array(item, { maxItems, uniqueItems: true })
const allowed_mentions = fields({
  parse: set(Type.Enum(['users', 'roles', 'everyone']), 1521),
  ...{ users: set(snowflake, 100), roles: set(snowflake, 100), replied_user: flag },
})

/** Kinds that need no app: a row, a section, a text, a gallery, a file, a separator and a container. */
const component = Type.Object({ type: Type.Enum([1, 9, 10, 12, 13, 14, 17]) })

const attachment = fields(
  {
    ...{ filename: characters(1024, 1), description: characters(1024), title: characters(1024) },
    duration_secs: Type.Number({ minimum: 0, maximum: 2_147_483_647 }),
    ...{ waveform: characters(400), is_spoiler: flag, is_remix: flag },
  },
  // Numbers are in the examples of the documentation, though not in the description.
  { id: Type.Union([snowflake, Type.Integer({ minimum: 0 })]) },
)

const pollMedia = fields({
  text: characters(300, 1),
  emoji: fields({ id: snowflake, name: characters(32), animated: flag }),
})
const poll = fields(
  {
    ...{ allow_multiselect: flag, layout_type: Type.Enum([1]) },
    duration: Type.Integer({ minimum: 1, maximum: 768 }),
  },
  { question: pollMedia, answers: Type.Array(only({ poll_media: pollMedia }), { minItems: 1, maxItems: 10 }) },
)

const edit = {
  ...{ content: characters(2000), embeds: Type.Array(embed, { maxItems: 10 }), allowed_mentions, poll, flags: integer },
  components: Type.Array(component, { maxItems: 40 }),
  attachments: Type.Array(attachment, { maxItems: 10 }),
}
const message = {
  ...{ ...edit, tts: flag, username: characters(80, 1), avatar_url: link, thread_name: characters(100) },
  applied_tags: Type.Array(snowflake, { maxItems: 5 }),
}

/** The largest file of a server without boosts. */
const FILE_LIMIT = 10 * 1024 * 1024
const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`files[${index}]`, upload(FILE_LIMIT)]))

const webhook = '/webhooks/{id}/{token}'
const thread = { thread_id: snowflake }
const writing = { with_components: flag }

/** Bodies of a form have the message in `payload_json`, or field by field, and its files beside it. */
type DiscordRule = RequestRule & { isForm?: true }

const written = (rule: Pick<RequestRule, 'method' | 'path' | 'query'>, optional: TProperties): DiscordRule[] => [
  { ...rule, body: fields(optional) },
  {
    ...{ ...rule, isForm: true },
    body: only({}, { ...fields(optional).properties, payload_json: fields(optional), ...files }),
  },
]

/** Requests about a webhook with its token, under the address of a version. */
export const requests: DiscordRule[] = [
  { method: 'GET', path: webhook },
  { method: 'DELETE', path: webhook },
  ...written({ method: 'POST', path: webhook, query: only({}, { wait: flag, ...thread, ...writing }) }, message),
  { method: 'GET', path: `${webhook}/messages/{message}`, query: only({}, thread) },
  { method: 'DELETE', path: `${webhook}/messages/{message}`, query: only({}, thread) },
  ...written(
    { method: 'PATCH', path: `${webhook}/messages/{message}`, query: only({}, { ...thread, ...writing }) },
    edit,
  ),
]
