import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { type Call, call, faultOfReply, fieldsOf, jsonOf } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'

/** A user of a site. `api`: the root of its REST API, such as `https://example.org/wp-json/`. */
export type Site = { api: string; user: string; app_password: string }

export const siteOf = (account: OpenAccount) => credentialsOf<Site>(account)

/** The address of a route. Without pretty permalinks the route is a parameter. */
function routeUrl(api: string, route: string, query: Record<string, string> = {}) {
  const url = new URL(api)
  const root = url.searchParams.get('rest_route')
  if (root === null) url.pathname = url.pathname.replace(/\/$/, '') + route
  else url.searchParams.set('rest_route', root.replace(/\/$/, '') + route)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

type Request = Omit<Call, 'url'> & { query?: Record<string, string> }

/** Calls a route of a site, with any response. */
export const ask = (deps: Deps, { api, user, app_password }: Site, route: string, request: Request = {}) => {
  const { query, headers, ...rest } = request
  const authorization = `Basic ${Buffer.from(`${user}:${app_password}`).toString('base64')}`
  return call(deps, { url: routeUrl(api, route, query), headers: { authorization, ...headers }, ...rest })
}

export type Fields = Record<string, unknown>

/** Calls a route. Throws a `NetworkFault` unless it responds with JSON as a success. */
export async function rest(deps: Deps, site: Site, route: string, request?: Request): Promise<unknown> {
  return success(deps, await ask(deps, site, route, request))
}

export function success(deps: Deps, reply: Reply): unknown {
  if (reply.status < 200 || reply.status >= 300) throw restFault(reply, deps.clock.now())
  const body = jsonOf(reply)
  // A cache or a firewall can respond in place of WordPress.
  if (typeof body !== 'object' || body === null) throw unclear('The site responded with a page instead of data.')
  return body
}

/** A response that leaves open what became of the call. */
export const unclear = (message: string) => new NetworkFault({ kind: 'unconfirmed', message })

/** The error of WordPress in a response; empty for a page of the host or of a firewall. */
export function errorOf(reply: Reply) {
  const { code, message, data } = fieldsOf(jsonOf(reply))
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? textOf(message) : '',
    data: fieldsOf(data),
  }
}

/** Reported with status 500, though a repetition would fail too. */
const permanent = ['rest_upload_sideload_error', 'rest_upload_unknown_error', 'empty_term_name']

function restFault(reply: Reply, now: Date): NetworkFault {
  const { status, headers } = reply
  const { code, message: reason } = errorOf(reply)
  const message = reason || pageMessage(status, headers.location)
  if (status >= 300 && status < 400) return new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  // A wrong password makes the caller anybody, to whom drafts do not exist. The role of a user can change.
  if (code === 'rest_cannot_publish' || (status === 400 && /"rest_forbidden_status"/.test(reply.text)))
    return new NetworkFault({ kind: 'unauthorized', message })
  if (permanent.includes(code)) return new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  return faultOfReply(reply, { message }, now)
}

/** A description of a response that WordPress did not write. */
function pageMessage(status: number, location = '') {
  if (status === 413) return 'The file is larger than the site accepts.'
  if (status === 403) return 'The site, or a firewall in front of it, refused the request (status 403).'
  if (status === 404) return 'The REST API of the site is no longer at this address. Connect the site again.'
  if (status >= 300 && status < 400)
    return `The site has moved${URL.canParse(location) ? ` to ${new URL(location).origin}` : ''}. Connect it again.`
  return `The site responded with status ${status}.`
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text of HTML that WordPress writes for names and messages. */
export const textOf = (html: string) =>
  html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const point = Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
    .trim()
