import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { addressProblem, connectProblem } from '../calls/connect-problem.ts'
import { checkBy, credentialsOf } from '../calls/credentials.ts'
import { type Check, NetworkFault } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import { httpUrl } from '../text/http-url.ts'
import { limitsOf, softwareOf } from './instance.ts'
import { ask, type Credentials, isId } from './server.ts'

/** `mastodon.social` and `https://mastodon.social/home` are the same server. */
function originOf(deps: Deps, given: string) {
  const text = /^https?:\/\//i.test(given.trim()) ? given.trim() : `https://${given.trim()}`
  const refused = refusedUrl(text, deps.urlRules)
  if (refused) throw addressProblem('/server', refused)
  return new URL(text).origin
}

/** The account of the token. Throws a `NetworkFault`. */
async function ownAccount(deps: Deps, credentials: Credentials) {
  const account = fieldsOf(jsonOf(await ask(deps, credentials, '/api/v1/accounts/verify_credentials')))
  const { id, username, display_name, url, avatar, avatar_static = avatar } = account
  if (!isId(id) || typeof username !== 'string' || !/^[\w.-]{1,100}$/.test(username))
    throw new NetworkFault({ kind: 'unconfirmed', message: 'The server does not speak the API of Mastodon.' })
  const { host } = new URL(credentials.server)
  return {
    external_id: `${id}@${host}`,
    handle: `${username}@${host}`,
    name: typeof display_name === 'string' && display_name.trim() !== '' ? display_name : username,
    url: httpUrl(url),
    // Servers have a drawing for accounts without a picture.
    ...(typeof avatar_static === 'string' &&
      !avatar_static.endsWith('/missing.png') && { avatar: { url: avatar_static } }),
  }
}

/**
 * Finds out whether the token may do what posting needs, which the API does not report. An empty post and an upload
 * without a file are refused by their scope first, and then as invalid.
 */
async function requireScopes(deps: Deps, credentials: Credentials, account_id: string) {
  await ask(deps, credentials, `/api/v1/accounts/${account_id}/statuses?limit=1`)
  // Other servers might take an empty post.
  if (credentials.software !== 'mastodon') return
  for (const path of ['/api/v1/statuses', '/api/v2/media']) {
    try {
      await ask(deps, credentials, path, { method: 'POST', json: {} })
    } catch (thrown) {
      if (!(thrown instanceof NetworkFault) || thrown.failure.kind === 'unauthorized') throw thrown
    }
  }
}

export async function connect(
  deps: Deps,
  { server: given = '', access_token = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const server = originOf(deps, given)
  const credentials: Credentials = { server, access_token: access_token.trim(), software: '' }
  if (!/^[\w.~+/=-]{1,500}$/.test(credentials.access_token))
    throw connectProblem('/access_token', 'account_refused', {
      en: 'This is not an access token.',
      tr: 'Bu bir erişim belirteci değil.',
    })
  try {
    const account = await ownAccount(deps, credentials)
    credentials.software = await softwareOf(deps, server)
    await requireScopes(deps, credentials, idOf(account))
    return { ...account, limits: await limitsOf(deps, credentials), credentials: JSON.stringify(credentials) }
  } catch (thrown) {
    throw thrown instanceof NetworkFault ? problemOf(thrown) : thrown
  }
}

/** The id of the account on its server. */
export const idOf = ({ external_id }: { external_id: string }) => external_id.replace(/@.*$/, '')

function problemOf(fault: NetworkFault) {
  const { kind, message } = fault.failure
  if (kind === 'unauthorized')
    return connectProblem(
      '/access_token',
      'account_refused',
      { en: `The server rejected this token: ${message}`, tr: `Sunucu bu belirteci reddetti: ${message}` },
      fault,
    )
  if (kind === 'failed' && fault.failure.code === 'url_not_allowed') return addressProblem('/server', undefined, fault)
  const text = {
    en: 'The server could not be reached, or does not speak the API of Mastodon.',
    tr: "Sunucuya ulaşılamadı ya da sunucu Mastodon'un API'sini kullanmıyor.",
  }
  return connectProblem('/server', 'account_unreachable', text, fault)
}

/** Also reads the limits of the server again, which its administrators may change. */
export function check(deps: Deps, account: OpenAccount): Promise<Check> {
  return checkBy(async () => {
    const credentials = credentialsOf<Credentials>(account)
    const { avatar } = await ownAccount(deps, credentials)
    return { avatar, limits: await limitsOf(deps, credentials) }
  })
}
