import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply } from '../calls/call.ts'
import { webhookProblem } from '../calls/connect-problem.ts'
import type { AccountLimits } from '../capabilities.ts'
import type { Publication, Published } from '../network.ts'
import type { ConnectedAccount } from '../network-account.ts'
import { escaped, faultOf } from './api.ts'

/** `path`: the path of the address. Its last part is the secret. */
export type Webhook = { kind: 'webhook'; path: string }

/** A webhook returns no id, so nothing can be done with its messages. */
const limits: AccountLimits = { media: null, max_parts: 1, first_comment: false, edit: false, delete: false }

const send = (deps: Deps, { path }: Webhook, json: object) =>
  call(deps, { url: `https://hooks.slack.com${path}`, method: 'POST', json, originKey: 'slack.hooks' })

/** Webhooks respond with a code as plain text. */
function faultOfText(reply: Reply, now: Date) {
  const code = reply.text.trim()
  if (reply.status !== 200 && /^[a-z_]{1,60}$/.test(code)) return faultOf(reply, { code }, now)
  return faultOfReply(reply, { message: `Slack responded with status ${reply.status}.` }, now)
}

/** Sends a message without a text, which a webhook refuses for that reason only if it works. */
export async function checkWebhook(deps: Deps, webhook: Webhook) {
  const reply = await send(deps, webhook, {})
  if (reply.status === 400 && /^(no_text|missing_text|invalid_payload)/.test(reply.text)) return
  throw faultOfText(reply, deps.clock.now())
}

export async function connectWebhook(deps: Deps, pasted: string): Promise<ConnectedAccount> {
  const [, path, team, id] =
    /^https:\/\/hooks\.slack\.com(\/services\/(T\w{5,20})\/(B\w{5,20})\/\w{5,60})\/?$/.exec(pasted.trim()) ?? []
  if (path === undefined)
    throw invalid('/webhook_url', {
      en: 'This is not an address such as https://hooks.slack.com/services/T…/B…/….',
      tr: 'Bu, https://hooks.slack.com/services/T…/B…/… gibi bir adres değil.',
    })
  const webhook: Webhook = { kind: 'webhook', path }
  try {
    await checkWebhook(deps, webhook)
  } catch (cause) {
    throw webhookProblem('Slack', cause)
  }
  return {
    external_id: `${team}/${id}`,
    name: `Webhook ${id}`,
    handle: `Webhook ${id}`,
    url: null,
    credentials: JSON.stringify(webhook),
    limits,
  }
}

/** Sends the text. The response has no id, and a webhook cannot read its channel. */
export async function publishThroughWebhook(
  deps: Deps,
  { parts: [post], options, step, key }: Publication,
  open: () => Webhook,
): Promise<Published> {
  const unfurl = options.link_preview !== false
  const sent = await step('post 0', {
    part: 0,
    run: async () => {
      const message = { text: escaped(post.text), unfurl_links: unfurl, unfurl_media: unfurl }
      const reply = await send(deps, open(), message)
      if (reply.status === 200 && reply.text.trim() === 'ok') return { external_id: key, url: null }
      throw faultOfText(reply, deps.clock.now())
    },
    ifLost: 'ask',
  })
  return sent ?? { external_id: key, url: null }
}
