import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, jsonOf } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { callWithForm, type FormPart } from '../calls/multipart.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount, RemoteAvatar } from '../network-account.ts'

/** `chat_id`: the number of the chat, which stays when its name changes. */
export type Credentials = { token: string; chat_id: number }
export type Fields = Record<string, unknown>

const API = 'https://api.telegram.org'

/** Refusals that only a change of the bot's place or rights in the chat can end. */
const needsRights =
  /chat not found|chat was d|need administrator rights|not enough rights to (post|send text) messages|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED/i

/** The refusal because a group has become a supergroup with another number. */
class Migrated extends NetworkFault {
  readonly chat_id: number
  constructor(message: string, chat_id: number) {
    super({ kind: 'failed', code: 'rejected_by_network', message })
    this.chat_id = chat_id
  }
}

function faultOf(reply: Reply, token: string, now: Date) {
  const body = fieldsOf(jsonOf(reply))
  const { retry_after, migrate_to_chat_id } = fieldsOf(body.parameters)
  const isRefusal = body.ok === false && typeof body.error_code === 'number'
  const status = isRefusal ? Number(body.error_code) : reply.status
  const message =
    typeof body.description === 'string'
      ? body.description.replaceAll(token, '…')
      : `Telegram responded with status ${reply.status}.`
  if (typeof migrate_to_chat_id === 'number') return new Migrated(message, migrate_to_chat_id)
  // 404: the token is not one of a bot.
  if (isRefusal && ([401, 403, 404].includes(status) || (status === 400 && needsRights.test(message))))
    return new NetworkFault({ kind: 'unauthorized', message })
  const described = { message, retry_after_s: typeof retry_after === 'number' ? retry_after : undefined }
  return faultOfReply({ ...reply, status }, described, now)
}

const toForm = (fields: Fields): FormPart[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }],
  )

/** Calls a method of the Bot API. Throws a `NetworkFault`. No message of an error contains the token. */
export async function callBot(
  deps: Deps,
  token: string,
  method: string,
  { fields = {}, files = [] }: { fields?: Fields; files?: FormPart[] } = {},
): Promise<unknown> {
  const to = { url: `${API}/bot${token}/${method}`, method: 'POST', originKey: 'telegram' } as const
  const reply =
    files.length === 0
      ? await call(deps, { ...to, json: fields })
      : await callWithForm(deps, to, [...toForm(fields), ...files])
  const body = fieldsOf(jsonOf(reply))
  if (body.ok === true && reply.status === 200) return body.result
  throw faultOf(reply, token, deps.clock.now())
}

/** A file of a chat. Throws a `NetworkFault`. */
export async function fileOf(deps: Deps, token: string, file_id: string): Promise<RemoteAvatar> {
  const { file_path } = fieldsOf(await callBot(deps, token, 'getFile', { fields: { file_id } }))
  if (typeof file_path !== 'string' || !/^\w[\w./-]{0,200}$/.test(file_path))
    throw new NetworkFault({ kind: 'unconfirmed', message: 'Telegram did not name the file.' })
  return { url: `${API}/file/bot${token}/${file_path}`, originKey: 'telegram' }
}

/** Calls methods on the chat of an account. If its group has become a supergroup, the new number is stored and used. */
export function openChat(deps: Deps, account: OpenAccount) {
  let opened: Credentials | undefined
  return async (method: string, fields: Fields, files: FormPart[] = []) => {
    // The first call opens the credentials: a post whose steps are all done needs none.
    opened ??= credentialsOf<Credentials>(account)
    let credentials = opened
    const send = () =>
      callBot(deps, credentials.token, method, { fields: { ...fields, chat_id: credentials.chat_id }, files })
    try {
      return await send()
    } catch (thrown) {
      if (!(thrown instanceof Migrated)) throw thrown
      credentials = { ...credentials, chat_id: thrown.chat_id }
      opened = credentials
      await account.saveCredentials(JSON.stringify(credentials))
      return send()
    }
  }
}
