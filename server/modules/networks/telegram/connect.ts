import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Text } from '../../../lib/language.ts'
import { fieldsOf, ifAvailable } from '../calls/call.ts'
import { connectProblem, unreachableProblem } from '../calls/connect-problem.ts'
import { checkBy, credentialsOf } from '../calls/credentials.ts'
import { NetworkFault } from '../network.ts'
import type { ConnectedAccount, OpenAccount, RemoteAvatar } from '../network-account.ts'
import { type Credentials, callBot, fileOf, openChat } from './bot.ts'

/** Reads `@name`, `name`, an address of t.me, or a number. */
function toChatId(given: string) {
  const name = given.trim().replace(/^(https?:\/\/)?(t|telegram)\.me\//i, '')
  if (/^-?\d{1,16}$/.test(name)) return name
  const [, username] = /^@?([a-z]\w{3,31})\/?$/i.exec(name) ?? []
  if (username === undefined)
    throw invalid('/chat', {
      en: 'This is neither a name such as @news nor a number of a chat.',
      tr: 'Bu, ne @haberler gibi bir ad ne de bir sohbetin numarası.',
    })
  return `@${username}`
}

/** Runs a step of connecting; its failure is explained at a field of the form. */
async function at<T>(pointer: '/token' | '/chat', refusal: Text, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    const { kind, message } = cause.failure
    if (kind === 'failed' || kind === 'unauthorized')
      throw connectProblem(
        pointer,
        'account_refused',
        { en: `${refusal.en} Telegram responded: ${message}`, tr: `${refusal.tr} Telegram'ın yanıtı: ${message}` },
        cause,
      )
    throw unreachableProblem(pointer, 'Telegram', message, cause)
  }
}

/** Why the bot may not post; undefined if it may. */
function refusalOf(chat: Record<string, unknown>, member: Record<string, unknown>): Text | undefined {
  const { status } = member
  if (chat.type === 'channel')
    return status === 'creator' || (status === 'administrator' && member.can_post_messages === true)
      ? undefined
      : {
          en: 'The bot may not post in this channel. Make it an administrator with the right to post messages.',
          tr: 'Bot bu kanalda yayımlayamıyor. Botu, mesaj yayımlama izni olan bir yönetici yapın.',
        }
  const isMuted = fieldsOf(chat.permissions).can_send_messages === false
  const may =
    status === 'creator' ||
    status === 'administrator' ||
    (status === 'member' && !isMuted) ||
    (status === 'restricted' && member.is_member === true && member.can_send_messages === true)
  return may
    ? undefined
    : {
        en: 'The bot may not post in this group. Add it as a member with the right to send messages.',
        tr: 'Bot bu gruba yazamıyor. Botu, mesaj gönderme izni olan bir üye olarak ekleyin.',
      }
}

/** The image of a chat. Its address contains the token, and ends after an hour. */
async function avatarOf(deps: Deps, token: string, chat: Record<string, unknown>): Promise<RemoteAvatar | undefined> {
  const { big_file_id } = fieldsOf(chat.photo)
  return typeof big_file_id === 'string' ? ifAvailable(() => fileOf(deps, token, big_file_id)) : undefined
}

export async function connect(
  deps: Deps,
  { token: pasted = '', chat: given = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const token = pasted.trim()
  if (!/^\d{3,20}:[\w-]{30,100}$/.test(token))
    throw invalid('/token', {
      en: 'This is not a token such as 123456789:AAE…, which BotFather shows.',
      tr: "Bu, BotFather'ın gösterdiği 123456789:AAE… gibi bir belirteç değil.",
    })
  const chat_id = toChatId(given)
  const bot = fieldsOf(
    await at('/token', { en: 'Telegram refused the token.', tr: 'Telegram belirteci reddetti.' }, () =>
      callBot(deps, token, 'getMe'),
    ),
  )
  const chat = fieldsOf(
    await at(
      '/chat',
      {
        en: 'The bot does not find this chat. Check the name, and add the bot to the chat.',
        tr: 'Bot bu sohbeti bulamıyor. Adı kontrol edin ve botu sohbete ekleyin.',
      },
      () => callBot(deps, token, 'getChat', { fields: { chat_id } }),
    ),
  )
  const { id, type, title, username } = chat
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || typeof title !== 'string' || type === 'private')
    throw connectProblem('/chat', 'account_refused', {
      en: 'This is neither a channel nor a group.',
      tr: 'Bu, ne bir kanal ne de bir grup.',
    })
  const member = await at(
    '/chat',
    { en: 'The bot is not an administrator of this chat.', tr: 'Bot bu sohbetin yöneticisi değil.' },
    () => callBot(deps, token, 'getChatMember', { fields: { chat_id: id, user_id: bot.id } }),
  )
  const refusal = refusalOf(chat, fieldsOf(member))
  if (refusal) throw connectProblem('/chat', 'account_refused', refusal)
  const isPublic = typeof username === 'string' && /^\w{1,64}$/.test(username)
  const credentials: Credentials = { token, chat_id: id }
  return {
    external_id: String(id),
    name: title,
    handle: isPublic ? `@${username}` : title.slice(0, 80),
    url: isPublic ? `https://t.me/${username}` : null,
    credentials: JSON.stringify(credentials),
    avatar: await avatarOf(deps, token, chat),
  }
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    const { token } = credentialsOf<Credentials>(account)
    const inChat = openChat(deps, account)
    const bot = fieldsOf(await callBot(deps, token, 'getMe'))
    const chat = fieldsOf(await inChat('getChat', {}))
    const refusal = refusalOf(chat, fieldsOf(await inChat('getChatMember', { user_id: bot.id })))
    if (refusal) throw new NetworkFault({ kind: 'unauthorized', message: refusal.en })
    return { avatar: await avatarOf(deps, token, chat) }
  })
