import { randomBytes } from 'node:crypto'
import { messageErrors } from './discord-checks.ts'
import { type Errors, errorsOf, invalidForm, isLegacy, limited, refusal } from './discord-errors.ts'
import { requests } from './discord-requests.ts'
import { parametersOf, problemOf, type RequestRule, type RuleProblem, ruleOf } from './request-rules.ts'
import { type Call, networkServer, type Reply } from './server.ts'

export type DiscordServer = Awaited<ReturnType<typeof discordServer>>

type Webhook = {
  id: string
  token: string
  name: string
  avatar: string | null
  guild_id: string
  channel_id: string
  isForum: boolean
}

type UploadedFile = Call['files'][number]

type Attachment = { id: string; filename: string; size: number; content_type: string; description?: string }

type Message = {
  id: string
  webhook: Webhook
  /** The thread, or the channel of the webhook. */
  channel: string
  fields: Record<string, unknown>
  author: string
  attachments: Attachment[]
  at: Date
  edited: Date | null
  deleted: boolean
}

const SILENT_AND_NO_EMBEDS = 4 | 4096

/** The part of the path after the version. */
const unversioned = (path: string) => path.replace(/^\/api(\/v\d+)?/, '')

/** The fields of a message: of JSON, of `payload_json`, or of the form itself. */
function messageOf(rule: RequestRule, call: Call): Record<string, unknown> {
  const { payload_json, ...fields } = parametersOf(rule, call).body
  if (typeof payload_json === 'object') return { ...payload_json }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('files[')))
}

/** The reply to a request that breaks a rule. */
function refuse(call: Call, problem: RuleProblem): Reply {
  if (problem.name === 'payload_json') return refusal(400, 'The request body contains invalid JSON.', 50109)
  if (/^files\[\d\]\.size$/.test(problem.name) && problem.keyword === 'maximum') return refusal(413)
  return invalidForm(call, errorsOf(problem))
}

/** Webhooks of Discord, each with a channel of its own. It has no list of messages, as Discord's webhooks have none. */
export async function discordServer() {
  const webhooks = new Map<string, Webhook>()
  const threads = new Map<string, { parent: string; name: string }>()
  const messages = new Map<string, Message>()
  let lastId = 1_300_000_000_000_000_000n
  let remaining = 5

  const newId = () => String(++lastId)

  /** Files by the number in `files[n]`, which `attachments[].id` refers to. */
  function filesOf(call: Call): Map<string, UploadedFile> | Errors {
    const files = new Map<string, UploadedFile>()
    for (const file of call.files) {
      const [, number] = /^files\[(\d+)\]$/.exec(file.field) ?? []
      if (number === undefined || files.has(number) || !file.name)
        return {
          [file.field]: [{ code: 'FILE_NAME_INVALID', message: 'Files must have a name, and each number once.' }],
        }
      files.set(number, file)
    }
    return files
  }

  /** Attachments of a new message, or those that stay and come with an edit. */
  function attach(given: unknown, files: Map<string, UploadedFile>, kept: Attachment[]): Attachment[] | Errors {
    const wanted: { id: string | number; filename?: string; description?: string }[] = Array.isArray(given)
      ? given
      : [...kept.map(({ id }) => ({ id })), ...[...files.keys()].map((id) => ({ id }))]
    const attachments: Attachment[] = []
    for (const [index, { id, filename, description }] of wanted.entries()) {
      const old = kept.find((each) => each.id === String(id))
      const file = files.get(String(id))
      if (!old && !file)
        return { attachments: { [index]: { id: [{ code: 'ATTACHMENT_NOT_FOUND', message: `No file ${id}.` }] } } }
      const added = file && {
        id: newId(),
        filename: filename ?? file.name,
        size: file.bytes.length,
        content_type: file.type,
      }
      const base = old ?? added
      if (base) attachments.push({ ...base, ...(description && { description }) })
    }
    return attachments
  }

  const isErrors = <T extends object>(value: T | Errors): value is Errors =>
    !(value instanceof Map) && !Array.isArray(value)

  const toJson = ({ id, webhook, channel, fields, author, attachments, at, edited }: Message) => ({
    type: 0,
    id,
    channel_id: channel,
    content: fields.content ?? '',
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: attachments.map((each) => ({
      ...each,
      url: `https://cdn.discordapp.com/attachments/${channel}/${each.id}/${each.filename}`,
      proxy_url: `https://media.discordapp.net/attachments/${channel}/${each.id}/${each.filename}`,
    })),
    embeds: (Array.isArray(fields.embeds) ? fields.embeds : []).map((embed: object) => ({ ...embed, type: 'rich' })),
    timestamp: at.toISOString(),
    edited_timestamp: edited?.toISOString() ?? null,
    flags: Number(fields.flags ?? 0),
    components: [],
    pinned: false,
    tts: fields.tts ?? false,
    webhook_id: webhook.id,
    author: {
      id: webhook.id,
      username: author,
      avatar: webhook.avatar,
      discriminator: '0000',
      public_flags: 0,
      flags: 0,
      bot: true,
      global_name: null,
      primary_guild: null,
    },
  })

  /** The channel that a new message goes to. */
  function placeOf(call: Call, webhook: Webhook, fields: Record<string, unknown>): string | Reply {
    const thread = call.query.get('thread_id')
    if (thread && threads.get(thread)?.parent !== webhook.channel_id) return refusal(404, 'Unknown Channel', 10003)
    const name = fields.thread_name
    if (!webhook.isForum && name) return refusal(400, 'Webhooks can only create threads in forum channels', 220003)
    if (!webhook.isForum) return thread ?? webhook.channel_id
    if (thread && name)
      return refusal(400, 'Webhooks posted to forum channels cannot have both a thread_name and thread_id', 220002)
    if (!thread && !name)
      return refusal(400, 'Webhooks posted to forum channels must have a thread_name or thread_id', 220001)
    return thread ?? 'new'
  }

  function create(call: Call, webhook: Webhook, fields: Record<string, unknown>): Reply {
    const errors = messageErrors(fields)
    const files = filesOf(call)
    if (errors) return invalidForm(call, errors)
    if (isErrors(files)) return invalidForm(call, files)
    const attachments = attach(fields.attachments, files, [])
    if (isErrors(attachments)) return invalidForm(call, attachments)
    if (!fields.content && !fields.poll && attachments.length === 0 && !(fields.embeds as unknown[] | null)?.length)
      return refusal(400, 'Cannot send an empty message', 50006)
    const place = placeOf(call, webhook, fields)
    if (typeof place !== 'string') return place
    const id = newId()
    // The thread of a forum post has the id of its first message.
    const channel = place === 'new' ? id : place
    if (place === 'new') threads.set(id, { parent: webhook.channel_id, name: String(fields.thread_name) })
    const author = typeof fields.username === 'string' ? fields.username : webhook.name
    const at = new Date(call.at)
    const flags = Number(fields.flags ?? 0) & SILENT_AND_NO_EMBEDS
    const kept = { ...fields, flags }
    const message = { id, webhook, channel, fields: kept, author, attachments, at, edited: null, deleted: false }
    messages.set(id, message)
    return { status: 200, body: toJson(message) }
  }

  function change(call: Call, message: Message, fields: Record<string, unknown>): Reply {
    const errors = messageErrors(fields)
    const files = filesOf(call)
    if (errors) return invalidForm(call, errors)
    if (isErrors(files)) return invalidForm(call, files)
    const attachments = attach(fields.attachments, files, message.attachments)
    if (isErrors(attachments)) return invalidForm(call, attachments)
    const next = { ...message.fields, ...fields }
    if (!next.content && attachments.length === 0 && !(next.embeds as unknown[] | null)?.length)
      return refusal(400, 'Cannot send an empty message', 50006)
    Object.assign(message, { fields: next, attachments, edited: new Date(call.at) })
    return { status: 200, body: toJson(message) }
  }

  function onMessage(call: Call, webhook: Webhook, id: string, fields: Record<string, unknown>): Reply {
    const message = messages.get(id)
    const thread = call.query.get('thread_id')
    const isThere = message && !message.deleted && message.webhook === webhook
    // A message in a thread is found only with the thread.
    if (!isThere || message.channel !== (thread ?? webhook.channel_id)) return refusal(404, 'Unknown Message', 10008)
    if (call.method === 'GET') return { status: 200, body: toJson(message) }
    if (call.method === 'PATCH') return change(call, message, fields)
    message.deleted = true
    return { status: 204 }
  }

  function onWebhook(call: Call, webhook: Webhook, fields: Record<string, unknown>): Reply {
    const { id, name, avatar, guild_id, channel_id, token } = webhook
    const url = `https://discord.com/api/webhooks/${id}/${token}`
    if (call.method === 'GET')
      return {
        status: 200,
        body: { application_id: null, avatar, channel_id, guild_id, id, name, type: 1, token, url },
      }
    if (call.method === 'POST') return create(call, webhook, fields)
    webhooks.delete(id)
    return { status: 204 }
  }

  function respond(call: Call, webhook: Webhook, messageId: string | undefined): Reply {
    const isForm = /^(multipart|application\/x-www-form)/.test(call.headers['content-type'] ?? '')
    const rule = ruleOf(
      requests.filter((each) => (each.isForm ?? false) === isForm),
      { method: call.method, path: unversioned(call.path) },
    )
    if (!rule) return refusal(405)
    const problem = problemOf(rule, call)
    const fields = messageOf(rule, call)
    const reply = problem
      ? refuse(call, problem)
      : messageId
        ? onMessage(call, webhook, messageId, fields)
        : onWebhook(call, webhook, fields)
    // Without waiting, Discord reports neither the message nor that it did not save it.
    const isHidden = call.method === 'POST' && parametersOf(rule, call).query.wait !== true
    return isHidden && reply.status !== 413 ? { status: 204 } : reply
  }

  function handle(call: Call): Reply {
    const [, id = '', token, messageId] =
      /^\/webhooks\/(\d+)\/([\w-]+)(?:\/messages\/(\d+))?$/.exec(unversioned(call.path)) ?? []
    const webhook = webhooks.get(id)
    if (!webhook) return refusal(404)
    if (webhook.token !== token) return refusal(401)
    const { status, body, headers } = respond(call, webhook, messageId)
    remaining = remaining === 0 ? 4 : remaining - 1
    return {
      status,
      body,
      headers: {
        ...headers,
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset-after': '0.5',
        'x-ratelimit-bucket': 'stand-in',
      },
    }
  }

  const isPost = ({ method, path }: Pick<Call, 'method' | 'path'>) => method === 'POST' && path.includes('/webhooks/')

  const server = await networkServer({
    handle,
    errorOf: (status) => (status === 429 ? limited(64.57) : refusal(status)),
    isPost,
    // Files come with the message.
    isUpload: ({ headers, ...call }) => isPost(call) && /^multipart/.test(headers['content-type'] ?? ''),
    failures: {
      refused: { kind: 'response', status: 403 },
      rate_limited: { kind: 'reply', of: ({ path }) => limited(64.57, isLegacy(path)) },
      false_success: { kind: 'response', status: 204, body: Buffer.alloc(0) },
    },
    endTokens: () => webhooks.clear(),
    stored: () =>
      [...messages.values()].map(({ id, channel, fields, attachments, deleted }) => ({
        id,
        text: String(fields.content ?? ''),
        media: attachments.map(({ content_type, description }) => ({ type: content_type, alt: description ?? null })),
        // The id of a forum's thread is that of its first message.
        replyTo: channel !== id && messages.has(channel) ? channel : null,
        deleted,
      })),
  })

  return {
    ...server,
    /** Messages with all that was sent: embeds, flags, allowed mentions. */
    messages,
    threads,
    /** Creates a webhook in a channel, its own unless given, and returns its address at this server. */
    addWebhook: ({ name = 'Meydan', isForum = false, avatar = null as string | null, channel_id = newId() } = {}) => {
      const webhook = { id: newId(), token: randomBytes(34).toString('base64url'), name, avatar, isForum }
      const complete = { ...webhook, guild_id: newId(), channel_id }
      webhooks.set(webhook.id, complete)
      return { ...complete, url: `${server.url}/api/webhooks/${webhook.id}/${webhook.token}` }
    },
    /** Opens a thread in the channel of a webhook, and returns its id. */
    addThread: ({ channel_id }: { channel_id: string }, name = 'A thread') => {
      const id = newId()
      threads.set(id, { parent: channel_id, name })
      return id
    },
    /** Deletes a webhook, as a moderator does. */
    removeWebhook: (id: string) => webhooks.delete(id),
  }
}
