import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { type Call, call, faultOfReply, fieldsOf, jsonOf, sentAt } from '../calls/call.ts'
import { NetworkFault } from '../network.ts'
import type { Authorize } from './authorization.ts'

export const API = 'https://api.x.com'
export const originKey = 'x'

/** Seconds until a call is repeated that X refused because the app has no credit left. */
const NO_CREDIT_S = 3600

/** `accept`: a status that is no fault, besides those of success. */
type Request = Pick<Call, 'method' | 'json' | 'timeoutMs'> & { path: string; accept?: number }

/** Calls the API. Throws a `NetworkFault` without a success. */
export async function ask(deps: Deps, authorize: Authorize, { path, accept, ...request }: Request): Promise<Reply> {
  const url = `${API}${path}`
  const reply = await call(deps, {
    ...request,
    url,
    headers: { authorization: authorize({ method: request.method ?? 'GET', url }) },
    originKey,
  })
  return reply.status === accept ? reply : requireSuccess(deps, reply)
}

export const askData = async (deps: Deps, authorize: Authorize, request: Request) =>
  fieldsOf(fieldsOf(jsonOf(await ask(deps, authorize, request))).data)

export function requireSuccess(deps: Deps, reply: Reply) {
  if (reply.status >= 200 && reply.status < 300) return reply
  throw faultOf(deps, reply)
}

/** The reason in one of the two formats of X. */
function reasonOf(reply: Reply) {
  const { detail, title, errors } = fieldsOf(jsonOf(reply))
  const [first] = Array.isArray(errors) ? errors : []
  const { message } = fieldsOf(first)
  const reason = [message, detail, title].find((text) => typeof text === 'string' && text !== '')
  return typeof reason === 'string' ? reason.slice(0, 500) : `X responded with status ${reply.status}.`
}

function faultOf(deps: Deps, reply: Reply) {
  const message = reasonOf(reply)
  if (reply.status === 402)
    return new NetworkFault({
      kind: 'unavailable',
      message: `The app has no credit left at X: ${message}`,
      retry_after_s: NO_CREDIT_S,
    })
  // The token is one of an app alone, not of a user.
  if (reply.status === 403 && /unsupported authentication/i.test(message))
    return new NetworkFault({ kind: 'unauthorized', message })
  return faultOfReply(reply, { message, retry_after_s: secondsUntilReset(reply) }, deps.clock.now())
}

/** X names the second at which a limit ends, by its own clock. Responses without an excess have it too. */
function secondsUntilReset(reply: Reply) {
  if (reply.status !== 429) return undefined
  const seconds = Math.ceil(Number(reply.headers['x-rate-limit-reset']) - sentAt(reply).getTime() / 1000)
  return seconds > 0 ? seconds : undefined
}
