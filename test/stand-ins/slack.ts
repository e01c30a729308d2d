import { parametersOf, problemOf, ruleOf } from './request-rules.ts'
import { type Call, networkServer, type Reply } from './server.ts'
import { Refusal, readContent, refusalOf } from './slack-checks.ts'
import { slackFiles } from './slack-files.ts'
import { slackMethods } from './slack-methods.ts'
import { requests } from './slack-requests.ts'
import { type Bot, need, slackWorkspace } from './slack-workspace.ts'

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

  function runMethod(call: Call) {
    const rule = ruleOf(requests, call)
    const run = methods[call.path.slice('/api/'.length)]
    if (!rule || !run) throw new Refusal('unknown_method')
    const isJson = /^application\/json/.test(call.headers['content-type'] ?? '')
    const read = isJson && rule.isFormOnly ? { ...call, fields: {} } : call
    const token =
      /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? (isJson ? undefined : call.fields.token)
    if (!token) throw new Refusal('not_authed')
    const bot = bots.get(String(token))
    if (!bot) throw new Refusal('invalid_auth')
    if (bot.state !== 'live') throw new Refusal(bot.state)
    for (const scope of rule.scopes ?? []) need(bot, scope)
    const problem = problemOf(rule, read)
    if (problem) throw refusalOf(problem)
    const { query, body } = parametersOf(rule, read)
    const fields = { ...query, ...body }
    const kind = channels.get(String(fields.channel))?.isPrivate ? 'groups' : 'channels'
    if (rule.scopesOf) need(bot, `${kind}:${rule.scopesOf}`)
    return run(fields, bot, call.at)
  }

  function onMethod(call: Call): Reply {
    try {
      return { status: 200, body: { ok: true, ...runMethod(call) } }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: 200, body: { ok: false, error: error.code, ...error.details } }
    }
  }

  function onWebhook(call: Call): Reply {
    const webhook = webhooks.get(call.path)
    if (!webhook?.isLive) return plain(404, 'no_service')
    const channel = channels.get(webhook.channel)
    if (!channel) return plain(404, 'channel_not_found')
    if (channel.isArchived) return plain(410, 'channel_is_archived')
    const rule = ruleOf(requests, call)
    const problem = rule && problemOf(rule, call)
    if (!rule || (problem && !problem.name.startsWith('blocks'))) return plain(400, 'invalid_payload')
    try {
      if (problem) throw refusalOf(problem)
      workspace.add(channel, readContent(call.fields, files.image), call.fields, call.at)
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
