import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { addressProblem, connectProblem } from '../calls/connect-problem.ts'
import { checkBy } from '../calls/credentials.ts'
import { type Check, NetworkFault } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import { httpUrl } from '../text/http-url.ts'
import { originOf } from './find-server.ts'
import { limitsOf, softwareOf } from './instance.ts'
import { asAccount, askWith, type Credentials, isId } from './server.ts'

/** The account of a token. Throws a `NetworkFault`. */
export async function ownAccount(deps: Deps, credentials: Credentials) {
  const account = fieldsOf(jsonOf(await askWith(deps, credentials, '/api/v1/accounts/verify_credentials')))
  const { id, username, display_name, url, avatar, avatar_static = avatar } = account
  if (!isId(id) || typeof username !== 'string' || !/^[\w.-]{1,100}$/.test(username))
    throw new NetworkFault({ kind: 'unconfirmed', message: 'The server does not speak the API of Mastodon.' })
  const { host } = new URL(credentials.server)
  return {
    external_id: `${id}@${host}`,
    handle: `${username}@${host}`,
    name: typeof display_name === 'string' && display_name.trim() !== '' ? display_name : username,
    url: httpUrl(url),
    // Servers have a drawing for accounts without an image.
    ...(typeof avatar_static === 'string' &&
      !avatar_static.endsWith('/missing.png') && { avatar: { url: avatar_static } }),
  }
}

/**
 * Finds out whether the token may do what posting needs, which the API does not report. An empty post and an upload
 * without a file are refused by their scope first, and then as invalid.
 */
async function requireScopes(deps: Deps, credentials: Credentials, account_id: string) {
  await askWith(deps, credentials, `/api/v1/accounts/${account_id}/statuses?limit=1`)
  // Other servers might take an empty post.
  if (credentials.software !== 'mastodon') return
  for (const path of ['/api/v1/statuses', '/api/v2/media']) {
    try {
      await askWith(deps, credentials, path, { method: 'POST', json: {} })
    } catch (thrown) {
      if (!(thrown instanceof NetworkFault) || thrown.failure.kind === 'unauthorized') throw thrown
    }
  }
}

export async function connect(
  deps: Deps,
  { server: given = '', access_token = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const { origin: server } = originOf(deps, given, (reason) => addressProblem('/server', reason))
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
  return serverProblem('/server', fault)
}

/** The problem of a server that cannot be used. `pointer`: the field that names it. */
export function serverProblem(pointer: string, fault: NetworkFault) {
  const { failure } = fault
  if (failure.kind === 'failed' && failure.code === 'url_not_allowed') {
    const text = 'This server is not on the public internet. The operator of Meydan can allow its address.'
    return addressProblem(pointer, text, fault)
  }
  const text =
    failure.kind === 'unavailable' && failure.is_limited
      ? {
          en: 'The server has had too many calls. Try again in a few minutes.',
          tr: 'Sunucuya çok fazla istek gönderildi. Birkaç dakika sonra yeniden deneyin.',
        }
      : {
          en: 'The server could not be reached, or does not speak the API of Mastodon. Check its name.',
          tr: "Sunucuya ulaşılamadı ya da sunucu Mastodon'un API'sini kullanmıyor. Adını denetleyin.",
        }
  return connectProblem(pointer, 'account_unreachable', text, fault)
}

/** Also reads the limits of the server again, which its administrators may change. */
export function check(deps: Deps, account: OpenAccount): Promise<Check> {
  return checkBy(async () => {
    const { avatar } = await asAccount(account, (credentials) => ownAccount(deps, credentials))
    return { avatar, limits: await asAccount(account, (credentials) => limitsOf(deps, credentials)) }
  })
}
