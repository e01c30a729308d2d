import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, ifAvailable } from '../calls/call.ts'
import { connectProblem, unreachableProblem } from '../calls/connect-problem.ts'
import { NetworkFault } from '../network.ts'
import type { ConnectedAccount, RemoteAvatar } from '../network-account.ts'
import { callMethod } from './api.ts'

/** `team_url`: the address of the workspace, which addresses of messages begin with. */
export type Bot = { kind: 'bot'; token: string; channel: string; team_url: string }

/** Pages of channels in which a name is looked for, of 999 each. */
const MAX_PAGES = 20

async function at<T>(pointer: '/token' | '/channel', work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    const { kind, message } = cause.failure
    if (kind === 'failed' || kind === 'unauthorized')
      throw connectProblem(pointer, 'account_refused', { en: message, tr: `Slack reddetti: ${message}` }, cause)
    throw unreachableProblem(pointer, 'Slack', message, cause)
  }
}

async function findByName(deps: Deps, token: string, name: string) {
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { channels, response_metadata } = await callMethod(deps, token, 'conversations.list', {
      types: 'public_channel',
      exclude_archived: true,
      limit: 999,
      cursor,
    })
    const match = (Array.isArray(channels) ? channels : []).map(fieldsOf).find((channel) => channel.name === name)
    if (match) return match
    const { next_cursor } = fieldsOf(response_metadata)
    if (typeof next_cursor !== 'string' || next_cursor === '') return
    cursor = next_cursor
  }
}

/** Reads an id, the address of a channel, or the name of a public one. */
async function findChannel(deps: Deps, token: string, given: string) {
  const [, id] =
    /^(?:https:\/\/[\w.-]+\.slack\.com\/archives\/|.*\/client\/T\w+\/)?([CG][A-Z0-9]{6,20})\/?$/.exec(given) ?? []
  if (id !== undefined) return fieldsOf((await callMethod(deps, token, 'conversations.info', { channel: id })).channel)
  const name = given.replace(/^#/, '').toLowerCase()
  if (!/^[^\s#@/]{1,80}$/.test(name))
    throw invalid('/channel', {
      en: 'This is neither an id such as C0123ABCD nor a name.',
      tr: 'Bu, ne C0123ABCD gibi bir kimlik ne de bir ad.',
    })
  return findByName(deps, token, name)
}

/** Reads one message, as the look-up after a lost response does. */
export const readChannel = (deps: Deps, { token, channel }: Pick<Bot, 'token' | 'channel'>) =>
  callMethod(deps, token, 'conversations.history', { channel, limit: 1, include_all_metadata: true })

/** The icon of the workspace. Undefined if it has none, or the token lacks the scope `team:read`. */
const iconOf = (deps: Deps, token: string) =>
  ifAvailable(async (): Promise<RemoteAvatar | undefined> => {
    const { icon } = fieldsOf((await callMethod(deps, token, 'team.info')).team)
    const { image_132, image_default } = fieldsOf(icon)
    if (typeof image_132 !== 'string' || image_default === true) return undefined
    return /^https:\/\/[\w-]+\.slack-edge\.com\//.test(image_132)
      ? { url: image_132, originKey: 'slack.images' }
      : { url: image_132 }
  })

export async function connectBot(deps: Deps, pasted: string, given: string): Promise<ConnectedAccount> {
  const token = pasted.trim()
  if (!/^xox[a-z]-[\w-]{5,250}$/.test(token))
    throw invalid('/token', { en: 'This is not a token such as xoxb-….', tr: 'Bu, xoxb-… gibi bir belirteç değil.' })
  const { team_id, team, url } = await at('/token', () => callMethod(deps, token, 'auth.test'))
  if (typeof team_id !== 'string' || typeof url !== 'string' || !/^https:\/\/[\w.-]+\/$/.test(url))
    throw connectProblem('/token', 'account_unreachable', {
      en: 'Slack did not name the workspace of this token.',
      tr: 'Slack bu belirtecin çalışma alanını bildirmedi.',
    })
  const { id, name } = (await at('/channel', () => findChannel(deps, token, given.trim()))) ?? {}
  if (typeof id !== 'string' || typeof name !== 'string')
    throw connectProblem('/channel', 'account_refused', {
      en: 'No public channel has this name. Enter the id of a private one.',
      tr: 'Bu adda herkese açık bir kanal yok. Özel kanallar için kimliğini girin.',
    })
  await at('/channel', () => readChannel(deps, { token, channel: id }))
  const credentials: Bot = { kind: 'bot', token, channel: id, team_url: url }
  return {
    external_id: `${team_id}/${id}`,
    name: `${typeof team === 'string' ? `${team} ` : ''}#${name}`,
    handle: `#${name}`.slice(0, 80),
    url: `${url}archives/${id}`,
    credentials: JSON.stringify(credentials),
    avatar: await iconOf(deps, token),
  }
}
