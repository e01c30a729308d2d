import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { connectProblem, webhookProblem } from '../calls/connect-problem.ts'
import { checkBy, credentialsOf } from '../calls/credentials.ts'
import type { ConnectedAccount, OpenAccount, RemoteAvatar } from '../network-account.ts'
import { callWebhook, type Webhook } from './webhook.ts'

/** `guild_id`: the server, which addresses of messages name. */
export type Credentials = Webhook & { guild_id: string }

/** Reads the address of a webhook, which every kind of the app copies with its own host. */
function webhookIn(pasted: string): Webhook {
  const [, id, token] =
    /^https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks\/(\d{10,25})\/([\w-]{30,120})\/?(?:\?.*)?$/.exec(
      pasted.trim(),
    ) ?? []
  if (id === undefined || token === undefined)
    throw invalid('/webhook_url', {
      en: 'This is not an address such as https://discord.com/api/webhooks/123/abc.',
      tr: 'Bu, https://discord.com/api/webhooks/123/abc gibi bir adres değil.',
    })
  return { id, token }
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^\d{1,25}$/.test(value)

/** The image of a webhook, by its hash. */
const avatarOf = ({ id, avatar }: Record<string, unknown>): RemoteAvatar | undefined =>
  isId(id) && typeof avatar === 'string' && /^\w{1,64}$/.test(avatar)
    ? { url: `https://cdn.discordapp.com/avatars/${id}/${avatar}.png?size=256`, originKey: 'discord.cdn' }
    : undefined

async function readWebhook(deps: Deps, webhook: Webhook) {
  try {
    return await callWebhook(deps, webhook, { method: 'GET' })
  } catch (cause) {
    throw webhookProblem('Discord', cause)
  }
}

/** An account is the channel, so that a new webhook takes the place of one that was deleted. */
export async function connect(deps: Deps, { webhook_url = '' }: Record<string, string>): Promise<ConnectedAccount> {
  const webhook = webhookIn(webhook_url)
  const reply = await readWebhook(deps, webhook)
  const { name, channel_id, guild_id } = reply
  if (!isId(channel_id) || !isId(guild_id))
    throw connectProblem('/webhook_url', 'account_unreachable', {
      en: 'Discord did not name the channel of this webhook.',
      tr: 'Discord bu webhookun kanalını bildirmedi.',
    })
  const credentials: Credentials = { ...webhook, guild_id }
  const label = typeof name === 'string' && name ? name : 'Webhook'
  return {
    external_id: channel_id,
    name: label,
    handle: label.slice(0, 80),
    url: `https://discord.com/channels/${guild_id}/${channel_id}`,
    credentials: JSON.stringify(credentials),
    avatar: avatarOf(reply),
  }
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => ({
    avatar: avatarOf(await callWebhook(deps, credentialsOf<Credentials>(account), { method: 'GET' })),
  }))
