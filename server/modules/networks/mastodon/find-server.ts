import type { Problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { call, fieldsOf, ifAvailable, jsonOf } from '../calls/call.ts'
import { connectProblem } from '../calls/connect-problem.ts'

/** Time for one question, while somebody waits. */
export const TIMEOUT_MS = 10_000

/** A handle such as `@ada@mastodon.social`. */
const HANDLE = /^@?([\w.-]{1,100})@([^\s/@]+)$/

/**
 * The origin of the server that somebody names: `mastodon.social`, `https://mastodon.social/@ada`, or a handle. `name`:
 * of the account, if it is a handle. `toProblem`: makes the problem of an address that Meydan does not call.
 */
export function originOf({ urlRules }: Pick<Deps, 'urlRules'>, given: string, toProblem: (reason: string) => Problem) {
  const [, name, host] = HANDLE.exec(given.trim()) ?? []
  const text = host ?? given.trim()
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const refused = refusedUrl(url, urlRules)
  if (refused) throw toProblem(refused)
  return { origin: new URL(url).origin, name }
}

const nameProblem = (reason: string) =>
  connectProblem('/instance', 'url_not_allowed', {
    en: `${reason} Enter the name of a public server, such as mastodon.social.`,
    tr: 'Bu adres kullanılamaz. Herkese açık bir sunucunun adını yazın; örneğin mastodon.social.',
  })

/** The actor that a WebFinger response (RFC 7033) names. */
function actorOf(json: unknown) {
  const { links } = fieldsOf(json)
  return (Array.isArray(links) ? links.map(fieldsOf) : []).find(({ rel }) => rel === 'self')?.href
}

/**
 * The server that somebody names. Handles can have the name of another host, which sends WebFinger to the server, or
 * responds in its place.
 */
export async function findServer(deps: Deps, given: string): Promise<string> {
  const { origin, name = 'meydan' } = originOf(deps, given, nameProblem)
  const resource = encodeURIComponent(`acct:${name}@${new URL(origin).host}`)
  const url = `${origin}/.well-known/webfinger?resource=${resource}`
  const reply = await ifAvailable(() => call(deps, { url, timeoutMs: TIMEOUT_MS, maxBytes: 100_000 }))
  if (!reply) return origin
  const address = reply.status >= 300 && reply.status < 400 ? reply.headers.location : actorOf(jsonOf(reply))
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return origin
  const { href, origin: server } = new URL(address, origin)
  return refusedUrl(href, deps.urlRules) === undefined ? server : origin
}
