import { type Static, type TSchema, Type } from 'typebox'
import { decimalText } from '../../../../shared/currency.ts'
import type { Deps } from '../../../lib/deps.ts'
import {
  type BoundedRequest,
  boundedRequest,
  hasNeverConnected,
  type Reply,
} from '../../../lib/outbound/bounded-request.ts'
import { ProviderError } from './provider.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1_000_000

type ProviderCall = {
  /** The provider in messages. */
  name: string
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  /** Whether the call has an effect at the provider, so that the outcome of one without a response is unknown. */
  changes: boolean
}

/** The error of a call whose response is missing or useless. */
const lost = ({ name, changes }: Pick<ProviderCall, 'name' | 'changes'>, why: string, cause?: unknown) =>
  new ProviderError(changes ? 'unknown' : 'unavailable', `${name} ${why}.`, { cause })

/** Sends a request to a provider, and counts it with its duration and outcome. */
export async function countedRequest(
  { originDispatcher, metrics }: Pick<Deps, 'originDispatcher' | 'metrics'>,
  provider: string,
  request: Omit<BoundedRequest, 'dispatcher'>,
): Promise<Reply> {
  const count = metrics.providerCalls.startTimer({ provider })
  try {
    const reply = await boundedRequest({ dispatcher: originDispatcher, ...request })
    count({ outcome: reply.status < 400 ? 'success' : reply.status < 500 ? 'refused' : 'failure' })
    return reply
  } catch (error) {
    count({ outcome: 'failure' })
    throw error
  }
}

/** Calls an origin of the environment once. Throws when there is no response, or one of an outage or a rate limit. */
export async function callProvider(deps: Deps, call: ProviderCall): Promise<Reply> {
  const { name, url, method, headers, body } = call
  let reply: Reply
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    reply = await countedRequest(deps, name.toLowerCase(), { url, method, headers, body, ...limits })
  } catch (cause) {
    throw lost({ name, changes: call.changes && !hasNeverConnected(cause) }, 'did not respond', cause)
  }
  if (reply.status === 429) throw new ProviderError('unavailable', `${name} limits calls.`)
  if (reply.status >= 500 || reply.status === 408) throw lost(call, `responded with status ${reply.status}`)
  return reply
}

/** The JSON of a response with this shape. */
export async function parseReply<S extends TSchema>(
  schema: S,
  { text }: Reply,
  call: Pick<ProviderCall, 'name' | 'changes'>,
) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw lost(call, 'did not respond with JSON', cause)
  }
  const { Value } = await import('typebox/value')
  if (!Value.Check(schema, value)) throw lost(call, 'responded in an unknown format')
  return value as Static<S>
}

/** Providers send the same amounts and ids as numbers and as texts. */
export const NumberOrText = Type.Union([Type.Number(), Type.String()])

/** Minor units of the ledger's currencies as a decimal text, such as `299.90`. */
export const majorOf = (minor: bigint) => decimalText(minor, 'TRY')

/** Minor units of an amount in major units, such as `299.9` or `"299.90000000"`. Rejects a part of a minor unit. */
export function minorOf(amount: number | string): bigint {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(String(amount)) ?? []
  if (whole === undefined) throw new Error(`Not an amount: ${amount}`)
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
}
