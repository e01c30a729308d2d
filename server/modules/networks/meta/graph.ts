import { HOUR } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, jsonOf, serverTime } from '../calls/call.ts'
import { callWithForm, type FormPart } from '../calls/multipart.ts'
import { type Failure, NetworkFault } from '../network.ts'

/** The token is not accepted. */
const UNAUTHORIZED = [102, 190]
/** Too many calls of the app, the user or the account. The codes from 80000 on are limits of one kind of account each. */
const LIMITED = [4, 17, 32, 341, 613]
/** The account has published as many posts as are allowed in 24 hours. */
const POST_LIMIT = 2_207_042
const isLimit = ({ code, subcode }: Names) =>
  LIMITED.includes(code) || (code >= 80_000 && code < 80_100) || subcode === POST_LIMIT

/** A file could not be fetched now, or not in time, or a container is not ready: without an effect, and worth a retry. */
const TEMPORARY = [9004, 9007]
const FETCH_TIMEOUT = 2_207_003
const isTemporary = ({ code, subcode }: Names) => TEMPORARY.includes(code) || subcode === FETCH_TIMEOUT

/** Files and containers that no post has end after a day. */
export const KEPT_MS = 12 * HOUR

type Names = { code: number; subcode: number }
/** Errors inside Meta, after which the work may have been done. With a subcode they name a reason that stays. */
const UNCERTAIN = [1, 2]
/** An error inside Meta too, whatever its subcode. */
const UNCERTAIN_ALWAYS = -1
const isUncertain = ({ code, is_transient, error_subcode }: Record<string, unknown>) =>
  is_transient === true ||
  code === UNCERTAIN_ALWAYS ||
  (UNCERTAIN.includes(Number(code)) && error_subcode === undefined)
/** The account may not post for a while, because it looked like spam. */
const BLOCKED = 368
const BLOCKED_S = 3600

class GraphFault extends NetworkFault {
  readonly code: number
  readonly subcode: number
  constructor(failure: Failure, { code, subcode }: Names) {
    super(failure)
    this.code = code
    this.subcode = subcode
  }
}

/** Whether a call failed with this code and subcode; either may be left out. */
export const isGraphError = (thrown: unknown, { code, subcode }: { code?: number; subcode?: number }) =>
  thrown instanceof GraphFault &&
  (code === undefined || thrown.code === code) &&
  (subcode === undefined || thrown.subcode === subcode)

/** Whether the object of a call does not exist. */
export const isAbsent = (thrown: unknown) => isGraphError(thrown, { code: 100, subcode: 33 })

export function idOf({ id }: Record<string, unknown>): string {
  if (typeof id === 'string' && /^\w{1,100}$/.test(id)) return id
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Meta responded without an id.' })
}

/** An address of the API with its version, and its key in NETWORK_ORIGINS. */
export type GraphHost = { base: string; originKey: string }

type GraphCall = {
  method?: 'GET' | 'POST' | 'DELETE'
  token: string
  /** After the version, such as `/me`. */
  path: string
  /** In the address, except those of a POST. */
  params?: Record<string, unknown>
  /** Sent as a form in place of `params`. */
  form?: FormPart[]
}

export const rowsOf = ({ data }: Record<string, unknown>) => (Array.isArray(data) ? data.map(fieldsOf) : [])

/** The rows of a list that were made since a step began. `field`: has their time. */
export function rowsSince(
  deps: Pick<Deps, 'clock'>,
  reply: Reply,
  { field, begunAt }: { field: string; begunAt: Date },
) {
  const since = serverTime(deps, reply, begunAt).getTime()
  return rowsOf(fieldsOf(jsonOf(reply))).filter((row) => Date.parse(String(row[field])) >= since)
}

/** Calls the Graph API. Throws a `NetworkFault`. */
export const callGraph = async (deps: Deps, host: GraphHost, request: GraphCall) =>
  fieldsOf(jsonOf(await graphReply(deps, host, request)))

/** The whole reply of a call that succeeded. */
export async function graphReply(
  deps: Deps,
  { base, originKey }: GraphHost,
  { method = 'GET', token, path, params = {}, form }: GraphCall,
): Promise<Reply> {
  const url = `${base}${path}`
  // In a header, because addresses are logged on the way.
  const headers = { authorization: `Bearer ${token}` }
  const request = { headers, originKey }
  const reply = form
    ? await callWithForm(deps, { url, ...request }, form)
    : method === 'POST'
      ? await call(deps, { url, method, json: params, ...request })
      : await call(deps, { url: `${url}${queryOf(params)}`, method, ...request })
  return requireSuccess(deps, reply, token)
}

function queryOf(params: Record<string, unknown>) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

/** Throws the fault of a reply that is no success. `secret`: is removed from its message, which can quote it. */
export function requireSuccess({ clock }: Pick<Deps, 'clock'>, reply: Reply, secret: string): Reply {
  const { error } = fieldsOf(jsonOf(reply))
  if (reply.status >= 200 && reply.status < 300 && error === undefined) return reply
  throw faultOf(reply, fieldsOf(error), { secret, now: clock.now() })
}

function faultOf(reply: Reply, error: Record<string, unknown>, { secret, now }: { secret: string; now: Date }) {
  const code = Number(error.code ?? 0)
  const names = { code, subcode: Number(error.error_subcode ?? 0) }
  const reason = [error.error_user_msg, error.message].find((each) => typeof each === 'string' && each !== '')
  const message =
    typeof reason === 'string'
      ? `${reason.replaceAll(secret, '…').slice(0, 500)} (${code})`
      : `Meta responded with status ${reply.status}.`
  if (UNAUTHORIZED.includes(code)) return new GraphFault({ kind: 'unauthorized', message }, names)
  if (code === BLOCKED)
    return new GraphFault({ kind: 'unavailable', message, is_limited: true, retry_after_s: BLOCKED_S }, names)
  if (isTemporary(names)) return new GraphFault({ kind: 'unavailable', message }, names)
  const status = isLimit(names) ? 429 : isUncertain(error) ? 500 : code > 0 ? 400 : reply.status
  const { failure } = faultOfReply({ ...reply, status }, { message, retry_after_s: secondsOf(reply) }, now)
  return new GraphFault(failure, names)
}

/** Seconds until calls are possible again. Meta reports minutes for each kind of limit. */
function secondsOf({ headers }: Reply) {
  const usage = fieldsOf(jsonOf({ text: headers['x-business-use-case-usage'] ?? '' }))
  const minutes = Object.values(usage)
    .flat()
    .map((each) => Number(fieldsOf(each).estimated_time_to_regain_access))
    .filter((each) => each > 0)
  return minutes.length > 0 ? 60 * Math.max(...minutes) : undefined
}
