import { type Call, networkServer, type Reply } from './server.ts'
import { isObject, parsed, Refusal, readContent } from './slack-checks.ts'
import { slackFiles } from './slack-files.ts'
import { slackMethods } from './slack-methods.ts'
import { type Bot, slackWorkspace } from './slack-workspace.ts'

export type SlackServer = Awaited<ReturnType<typeof slackServer>>

const SCOPES = [
  ...['chat:write', 'chat:write.public', 'channels:read', 'channels:join', 'channels:history', 'groups:read'],
  ...['groups:history', 'files:read', 'files:write', 'users:read', 'team:read'],
]

const RETRY_AFTER = { 'retry-after': '30' }

const plain = (status: number, text: string, headers = {}) => ({ status, body: Buffer.from(text), headers })

/** Incoming webhooks and uploads respond with text, methods with JSON. */
const isMethod = ({ path }: Pick<Call, 'path'>) => path.startsWith('/api/')

/** A workspace of Slack with incoming webhooks and bots. */
export async function slackServer() {
  const workspace = slackWorkspace()
  const { channels, messages, newId } = workspace
  const bots = new Map<string, Bot>()
  const webhooks = new Map<string, { channel: string; isLive: boolean }>()
  const files = slackFiles({ newId, origin: () => server.url })
  const methods = slackMethods(workspace, files)

  function runMethod({ path, query, fields, headers, at }: Call) {
    const method = methods[path.slice('/api/'.length)]
    if (!method) throw new Refusal('unknown_method')
    const isJson = /^application\/json/.test(headers['content-type'] ?? '')
    const body = isJson && method.noJson ? {} : fields
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? (isJson ? undefined : body.token)
    if (!token) throw new Refusal('not_authed')
    const bot = bots.get(String(token))
    if (!bot) throw new Refusal('invalid_auth')
    if (bot.state !== 'live') throw new Refusal(bot.state)
    if (method.scope && !bot.scopes.includes(method.scope))
      throw new Refusal('missing_scope', { needed: method.scope, provided: bot.scopes.join(',') })
    return method.run({ ...Object.fromEntries(query), ...body }, bot, at)
  }

  function onMethod(call: Call): Reply {
    try {
      return { status: 200, body: { ok: true, ...runMethod(call) } }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: 200, body: { ok: false, error: error.code, ...error.details } }
    }
  }

  /** A form has the message in its field `payload`. */
  function onWebhook({ path, method, fields, at }: Call): Reply {
    const webhook = webhooks.get(path)
    if (!webhook?.isLive) return plain(404, 'no_service')
    const channel = channels.get(webhook.channel)
    if (!channel) return plain(404, 'channel_not_found')
    if (channel.isArchived) return plain(410, 'channel_is_archived')
    const payload = fields.payload === undefined ? fields : parsed(fields.payload)
    if (method !== 'POST' || !isObject(payload)) return plain(400, 'invalid_payload')
    try {
      workspace.add(channel, readContent(payload, files.image), payload, at)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return plain(400, error.code)
    }
    return plain(200, 'ok')
  }

  const handle = (call: Call): Reply | Promise<Reply> => {
    if (isMethod(call)) return onMethod(call)
    if (call.path.startsWith('/services/')) return onWebhook(call)
    if (call.method === 'POST') return files.receive(call.path, call.files[0]?.bytes ?? call.raw)
    return plain(404, 'Not Found')
  }

  const server = await networkServer({
    handle,
    errorOf: (status, error = status === 400 ? 'invalid_payload' : 'internal_error') => {
      if (status === 429) return { status, body: { ok: false, error: 'ratelimited' }, headers: RETRY_AFTER }
      return status === 200 ? { status, body: { ok: false, error } } : plain(status, error)
    },
    isPost: ({ path, fields }) =>
      path === '/api/chat.postMessage' ||
      path.startsWith('/services/') ||
      (path === '/api/files.completeUploadExternal' && Boolean(fields.channel_id)),
    isUpload: ({ path }) => path.startsWith('/upload/'),
    failures: {
      refused: {
        kind: 'reply',
        of: (call) =>
          isMethod(call)
            ? { status: 200, body: { ok: false, error: 'restricted_action' } }
            : plain(403, 'action_prohibited'),
      },
      rate_limited: {
        kind: 'reply',
        of: (call) =>
          isMethod(call)
            ? { status: 429, body: { ok: false, error: 'ratelimited' }, headers: RETRY_AFTER }
            : plain(429, 'rate_limited', RETRY_AFTER),
      },
      false_success: {
        kind: 'reply',
        of: (call) =>
          isMethod(call) ? { status: 200, body: { ok: false, error: 'fatal_error' } } : plain(200, 'rollup_error'),
      },
      processing_never_ends: { kind: 'after', act: files.neverFinishNext },
    },
    endTokens: () => {
      for (const bot of bots.values()) bot.state = 'token_revoked'
      for (const webhook of webhooks.values()) webhook.isLive = false
    },
    stored: () =>
      messages.map(({ ts, content, threadTs, deleted }) => ({
        id: ts,
        ...content,
        replyTo: threadTs ?? null,
        deleted,
      })),
  })

  return {
    ...server,
    channels,
    /** Messages with the arguments of their call. */
    messages,
    processFor: files.processFor,
    /** Creates a channel, with the bots of the workspace in it unless `isMember` is false. */
    addChannel: ({ name = 'news', isPrivate = false, isMember = true, isArchived = false } = {}) => {
      const channel = { id: newId('C'), name, isPrivate, isMember, isArchived }
      channels.set(channel.id, channel)
      return channel
    },
    /** Creates a bot, and returns its token. */
    addBot: (scopes = SCOPES) => {
      const token = newId('xoxb-')
      bots.set(token, { token, scopes, state: 'live' })
      return token
    },
    endBot: (token: string, state: Bot['state'] = 'token_revoked') => {
      const bot = bots.get(token)
      if (bot) bot.state = state
    },
    /** Ends an incoming webhook by its path. */
    endWebhook: (path: string) => {
      const webhook = webhooks.get(path)
      if (webhook) webhook.isLive = false
    },
    /** Creates an incoming webhook, and returns its address at this server. */
    addWebhook: (channel: { id: string }) => {
      const path = `/services/T012AB3C4/${newId('B')}/${newId('x')}`
      webhooks.set(path, { channel: channel.id, isLive: true })
      return `${server.url}${path}`
    },
  }
}
