import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { type Call, call, faultOfReply, fieldsOf, jsonOf, messageOf } from '../calls/call.ts'
import { type ApiVersion, versionOf } from '../calls/version.ts'
import { NetworkFault } from '../network.ts'

const API = 'https://api.linkedin.com'
const originKey = 'linkedin.api'

/** Versions are named by year and month. LinkedIn serves each until the middle of the same month a year later. */
export const apiVersion: ApiVersion = {
  setting: 'linkedin',
  madeFor: '202608',
  servedUntil: (version) =>
    /^20\d\d(0[1-9]|1[0-2])$/.test(version) ? `${Number(version.slice(0, 4)) + 1}-${version.slice(4)}-15` : null,
}
const versionInUse = (deps: Deps) => versionOf(deps, apiVersion)

/** Status of a version of the API that no longer exists. */
const VERSION_ENDED = 426

/** `accept`: a status that is no fault, besides those of success. */
type Request = Pick<Call, 'method' | 'json' | 'headers' | 'timeoutMs'> & { path: string; accept?: number }

/** Calls the API. Throws a `NetworkFault` without a success. */
export async function ask(deps: Deps, token: string, { path, headers, accept, ...request }: Request): Promise<Reply> {
  const reply = await call(deps, {
    ...request,
    url: `${API}${path}`,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(path.startsWith('/rest/') && {
        'linkedin-version': versionInUse(deps),
        'x-restli-protocol-version': '2.0.0',
      }),
    },
    originKey,
  })
  if ((reply.status >= 200 && reply.status < 300) || reply.status === accept) return reply
  throw faultOf(deps, reply)
}

export const askFields = async (deps: Deps, token: string, request: Request) =>
  fieldsOf(jsonOf(await ask(deps, token, request)))

/** A fault that names the post which has the same text. */
export class Duplicate extends NetworkFault {
  readonly urn: string
  constructor(urn: string, message: string) {
    super({ kind: 'failed', code: 'rejected_by_network', message })
    this.urn = urn
  }
}

export function faultOf(deps: Deps, reply: Reply) {
  const message = messageOf(reply, 'LinkedIn', ['message', 'error_description'])
  const [duplicate] = /urn:li:(share|ugcPost):\d+/.exec(message) ?? []
  if (reply.status === 422 && duplicate !== undefined && /duplicate/i.test(message))
    return new Duplicate(duplicate, message)
  if (reply.status === VERSION_ENDED)
    return new NetworkFault({
      kind: 'unavailable',
      message: `LinkedIn no longer has the version ${versionInUse(deps)} of its API. An operator sets a newer one in NETWORK_VERSIONS.`,
      retry_after_s: 3600,
    })
  return faultOfReply(reply, { message }, deps.clock.now())
}

/** Ids have colons, which paths contain encoded. */
export const inPath = encodeURIComponent
