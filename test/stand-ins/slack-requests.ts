import { type TProperties, type TSchema, Type } from 'typebox'
import { byType, characters, only, type RequestRule, words } from './request-rules.ts'

const text = Type.String()
const flag = Type.Boolean()
/** Time of a message, which is its id in a channel. */
const ts = Type.String({ pattern: '^\\d+\\.\\d{6}$' })
const time = Type.String({ pattern: '^\\d+(\\.\\d+)?$' })

const markup = (max: number) => only({ text: characters(max, 1) }, { verbatim: flag })
const plain = (max: number) => only({ text: characters(max, 1) }, { emoji: flag })
const textObject = (max: number) => byType({ mrkdwn: markup(max), plain_text: plain(max) })
const plainText = (max: number) => byType({ plain_text: plain(max) })

const image = {
  image_url: Type.String({ maxLength: 3000, format: 'uri' }),
  slack_file: only({}, { id: text, url: text }),
}
const element = byType({
  mrkdwn: markup(3000),
  plain_text: plain(3000),
  image: only({ alt_text: text }, image),
})
const block = (required: TProperties, optional: TProperties = {}) =>
  only(required, { block_id: characters(255), ...optional })
const parts = Type.Object({ type: text, elements: Type.Array(Type.Object({ type: text })) })

/** Blocks that show something. Those with controls are left out. */
const blocks = Type.Array(
  byType({
    section: block(
      {},
      {
        ...{ text: textObject(3000), fields: Type.Array(textObject(2000), { minItems: 1, maxItems: 10 }) },
        ...{ accessory: element, expand: flag },
      },
    ),
    header: block({ text: plainText(150) }),
    context: block({ elements: Type.Array(element, { minItems: 1, maxItems: 10 }) }),
    markdown: block({ text: characters(12_000) }),
    image: block({ alt_text: characters(2000) }, { ...image, title: plainText(2000) }),
    divider: block({}),
    rich_text: block({ elements: Type.Array(parts) }),
  }),
  { maxItems: 50 },
)
const metadata = only(
  { event_type: characters(255, 1), event_payload: Type.Object({}) },
  { entities: Type.Array(Type.Object({})) },
)
const attachments = Type.Array(Type.Object({}), { maxItems: 100 })

const content = { text, blocks, attachments }
const formatted = { parse: Type.Enum(['none', 'full']), link_names: flag }
const unfurled = { unfurl_links: flag, unfurl_media: flag }

/**
 * `isFormOnly`: a method that ignores a body of JSON. `scopesOf`: the right that a call needs for the kind of its
 * channel, public or private.
 */
type SlackRule = RequestRule & { isFormOnly?: true; scopesOf?: 'read' | 'history' }

type Needs = Pick<SlackRule, 'scopes' | 'scopesOf'>

/** A token may come as a parameter instead of in the header. */
const parameters = (required: TProperties, optional: TProperties) => only(required, { token: text, ...optional })

/** A method that reads. Parameters come in the address, or in a form. */
const reading = (name: string, needs: Needs, required: TProperties = {}, optional: TProperties = {}): SlackRule[] => [
  { method: 'GET', path: `/api/${name}`, ...needs, query: parameters(required, optional) },
  { method: 'POST', path: `/api/${name}`, ...needs, body: parameters(required, optional), isFormOnly: true },
]
/** A method that writes. Parameters come as JSON or in a form. */
const writing = (name: string, needs: Needs, required: TProperties, optional: TProperties = {}): SlackRule => ({
  ...{ method: 'POST', path: `/api/${name}`, ...needs, body: parameters(required, optional) },
})

const page = (max: number): Record<string, TSchema> => ({
  limit: Type.Integer({ minimum: 1, maximum: max }),
  cursor: text,
})
const timeline = { oldest: time, latest: time, inclusive: flag, include_all_metadata: flag, ...page(999) }
const channel = Type.String({ minLength: 1 })
const posting = { scopes: ['chat:write'] }
const uploading = { scopes: ['files:write'] }

/**
 * Requests of a publisher. The description is of 2021; later arguments are those of the documentation: metadata,
 * `markdown_text`, and the upload of files.
 */
export const requests: SlackRule[] = [
  ...reading('auth.test', {}),
  ...reading('team.info', { scopes: ['team:read'] }, {}, { team: text, domain: text }),
  ...reading('users.info', { scopes: ['users:read'] }, { user: text }, { include_locale: flag }),
  ...reading(
    'conversations.list',
    {},
    {},
    {
      ...{ types: words('public_channel', 'private_channel', 'mpim', 'im'), exclude_archived: flag, team_id: text },
      ...page(1000),
    },
  ),
  ...reading(
    'conversations.info',
    { scopesOf: 'read' },
    { channel },
    { include_locale: flag, include_num_members: flag },
  ),
  ...reading('conversations.history', { scopesOf: 'history' }, { channel }, timeline),
  ...reading('conversations.replies', { scopesOf: 'history' }, { channel, ts }, timeline),
  writing('conversations.join', { scopes: ['channels:join'] }, { channel }),
  writing(
    'chat.postMessage',
    posting,
    { channel },
    {
      ...{ ...content, ...formatted, ...unfurled, markdown_text: text, metadata, mrkdwn: flag },
      ...{ thread_ts: ts, reply_broadcast: flag, as_user: flag, username: text, icon_emoji: text, icon_url: text },
    },
  ),
  writing(
    'chat.update',
    posting,
    { channel, ts },
    {
      ...{ ...content, ...formatted, markdown_text: text, metadata, as_user: flag },
      ...{ reply_broadcast: flag, file_ids: Type.Array(text) },
    },
  ),
  writing('chat.delete', posting, { channel, ts }, { as_user: flag }),
  ...reading('chat.getPermalink', {}, { channel, message_ts: ts }),
  ...reading(
    'files.info',
    { scopes: ['files:read'] },
    { file: text },
    {
      ...{ count: Type.Integer({ minimum: 1 }), page: Type.Integer({ minimum: 1 }), ...page(1000) },
    },
  ),
  ...reading(
    'files.getUploadURLExternal',
    uploading,
    { filename: Type.String({ minLength: 1 }), length: Type.Integer({ minimum: 1 }) },
    { alt_txt: characters(1000), snippet_type: text },
  ),
  writing(
    'files.completeUploadExternal',
    uploading,
    { files: Type.Array(only({ id: text }, { title: text, highlight_type: text }), { minItems: 1 }) },
    { channel_id: channel, channels: text, thread_ts: ts, initial_comment: text, blocks },
  ),
  {
    ...{ method: 'POST', path: '/services/{team}/{webhook}/{secret}' },
    body: only({}, { ...content, ...unfurled, thread_ts: ts, mrkdwn: flag, metadata }),
  },
]
