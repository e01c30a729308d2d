import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import { textOption } from '../options.ts'
import { partResults, publishThread } from '../publish-thread.ts'
import type { Credentials } from './connect.ts'
import { callWebhook, isRefusal } from './webhook.ts'

/** A part as it was sent. `thread_id`: the thread that contains it, if any. Only its webhook can change it. */
type Sent = { id: string; channel_id: string; thread_id?: string; webhook_id: string }

const SUPPRESS_EMBEDS = 4
const SUPPRESS_NOTIFICATIONS = 4096
const UNKNOWN_CHANNEL = 10003
const UNKNOWN_MESSAGE = 10008

const mentions: Record<string, string[]> = {
  none: [],
  users: ['users'],
  all: ['users', 'roles', 'everyone'],
}

/** The text of an option; undefined if it is empty. */
const chosen = (value: unknown) => textOption(value) || undefined

/** The fields that every message of a post has. */
function settingsOf({ options }: Publication) {
  const username = chosen(options.username)
  const flags =
    (options.suppress_embeds === true ? SUPPRESS_EMBEDS : 0) + (options.silent === true ? SUPPRESS_NOTIFICATIONS : 0)
  return {
    ...(username !== undefined && { username }),
    ...(flags > 0 && { flags }),
    allowed_mentions: { parse: mentions[chosen(options.mentions) ?? 'none'] ?? [] },
  }
}

const contentOf = ({ text, media }: Part) => ({
  ...(text !== '' && { content: text }),
  ...(media.length > 0 && {
    attachments: media.map(({ alt }, id) => ({ id, ...(alt !== '' && { description: alt }) })),
  }),
})

function sentOf({ id, channel_id }: Record<string, unknown>) {
  if (typeof id === 'string' && typeof channel_id === 'string') return { id, channel_id }
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Discord responded without the id of the message.' })
}

/** Sends the parts one after the other: a webhook cannot reply. In a forum, all are in the thread of the first. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, options, step, key } = publication
  // Opens credentials when needed: a post whose steps are all done needs none.
  const webhookOf = () => credentialsOf<Credentials>(publication)
  const settings = settingsOf(publication)
  const title = chosen(options.thread_name)
  const first = await publishThread<Sent | null>(parts, ({ part, index, name, before }) => {
    const inThread = before?.root?.thread_id ?? chosen(options.thread_id)
    const opens = title !== undefined && index === 0
    const run = async (): Promise<Sent> => {
      const webhook = webhookOf()
      const reply = await callWebhook(deps, webhook, {
        method: 'POST',
        // Without it, Discord reports no message, and no failure to save it.
        query: { wait: 'true', thread_id: inThread },
        json: { ...contentOf(part), ...settings, ...(opens && { thread_name: title }) },
        files: part.media.map((file, number) => ({ name: `files[${number}]`, file })),
      })
      const sent = sentOf(reply)
      const thread_id = opens ? sent.channel_id : inThread
      return { ...sent, webhook_id: webhook.id, ...(thread_id !== undefined && { thread_id }) }
    }
    // A webhook can neither name a message before it is sent nor list those of its channel.
    return step(name, { part: index, run, ifLost: 'ask' })
  })
  if (!first) return { external_id: key, url: null }
  return {
    external_id: first.id,
    // The credentials name the server of the channel.
    url:
      publication.account.credentials === null
        ? null
        : `https://discord.com/channels/${webhookOf().guild_id}/${first.channel_id}/${first.id}`,
  }
}

const isSent = (result: unknown): result is Sent => typeof fieldsOf(result).webhook_id === 'string'

async function onMessage(
  deps: Deps,
  post: PublishedPost,
  { id, thread_id, webhook_id }: Sent,
  request: { method: 'PATCH' | 'DELETE'; json?: object },
) {
  const webhook = credentialsOf<Credentials>(post)
  if (webhook_id !== webhook.id) {
    const message = 'This message was sent through another webhook, which alone can change or delete it.'
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  }
  await callWebhook(deps, webhook, { ...request, path: `/messages/${id}`, query: { thread_id } })
}

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const [first] = partResults(post, isSent)
  await onMessage(deps, post, first, { method: 'PATCH', json: { content: text, allowed_mentions: { parse: [] } } })
}

export async function remove(deps: Deps, post: PublishedPost) {
  for (const sent of partResults(post, isSent).reverse()) {
    try {
      await onMessage(deps, post, sent, { method: 'DELETE' })
    } catch (thrown) {
      if (!isRefusal(thrown, [UNKNOWN_MESSAGE, UNKNOWN_CHANNEL])) throw thrown
    }
  }
}
