import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { checkBy, credentialsOf } from '../calls/credentials.ts'
import { NetworkFault, type Publication, type Published, type PublishedPost } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import { callMethod, escaped, isRefusal } from './api.ts'
import { type Bot, connectBot, readChannel } from './bot.ts'
import { messagesOf, publishAsBot } from './messages.ts'
import { checkWebhook, connectWebhook, publishThroughWebhook, type Webhook } from './webhook.ts'

type Credentials = Webhook | Bot

export async function connect(
  deps: Deps,
  { webhook_url, token, channel }: Record<string, string>,
): Promise<ConnectedAccount> {
  if (webhook_url !== undefined && token !== undefined)
    throw invalid('/webhook_url', {
      en: 'Enter either a webhook, or a token with a channel.',
      tr: 'Ya bir webhook ya da kanalıyla birlikte bir belirteç girin.',
    })
  if (webhook_url !== undefined) return connectWebhook(deps, webhook_url)
  if (token === undefined)
    throw invalid('/token', {
      en: 'Enter a token with a channel, or a webhook.',
      tr: 'Kanalıyla birlikte bir belirteç ya da bir webhook girin.',
    })
  if (channel === undefined)
    throw invalid('/channel', { en: 'Enter the channel in which the bot posts.', tr: 'Botun yazacağı kanalı girin.' })
  return connectBot(deps, token, channel)
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    const credentials = credentialsOf<Credentials>(account)
    await (credentials.kind === 'webhook' ? checkWebhook(deps, credentials) : readChannel(deps, credentials))
    return {}
  })

/** The id of an account ends with that of its webhook, or else of its channel. */
const hasWebhook = ({ account }: Publication) => /\/B\w+$/.test(account.external_id)

/** Publishes a post. Opens credentials when needed: a post whose steps are all done needs none. */
export const publish = (deps: Deps, publication: Publication): Promise<Published> =>
  hasWebhook(publication)
    ? publishThroughWebhook(deps, publication, () => credentialsOf<Webhook>(publication))
    : publishAsBot(deps, publication, () => credentialsOf<Bot>(publication))

/** The bot of an account, which alone can change what it sent. */
function botOf(post: PublishedPost): Bot {
  const credentials = credentialsOf<Credentials>(post)
  if (credentials.kind === 'bot') return credentials
  const message = 'Messages of a webhook cannot be changed or deleted.'
  throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
}

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const { token, channel } = botOf(post)
  await callMethod(deps, token, 'chat.update', { channel, ts: post.external_id, text: escaped(text) })
}

/** Deletes the replies before the message that they belong to. */
export async function remove(deps: Deps, post: PublishedPost) {
  const { token, channel } = botOf(post)
  for (const { ts } of messagesOf(post.results).reverse()) {
    try {
      await callMethod(deps, token, 'chat.delete', { channel, ts })
    } catch (thrown) {
      if (!isRefusal(thrown, 'message_not_found')) throw thrown
    }
  }
}
