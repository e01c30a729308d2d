import type Stripe from 'stripe'
import type { Deps } from '../../../../lib/deps.ts'
import { hasNeverConnected, type Reply } from '../../../../lib/outbound/bounded-request.ts'
import { countedRequest } from '../calls.ts'
import { type Currency, ProviderError, type ProviderErrorKind } from '../provider.ts'

const TIMEOUT_MS = 20_000
/** A list of 100 invoices with their lines takes about 1 MB. */
const MAX_BYTES = 8_000_000
const MAX_MESSAGE = 400

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>

const methods = { GET: 'GET', POST: 'POST', DELETE: 'DELETE' } as const
type Method = keyof typeof methods
const isMethod = (method: string): method is Method => Object.hasOwn(methods, method)

let loaded: Promise<typeof Stripe> | undefined

/** The package loads about a hundred files, so it is imported on first use. */
export const loadStripe = () => {
  loaded ??= import('stripe').then((module) => module.default)
  return loaded
}

/** A client with the current key, which makes each call once. */
export async function stripeClient(deps: Deps) {
  const key = await deps.options.secret('stripe.secret_key')
  if (key === undefined) throw new ProviderError('not_configured', 'The secret key of Stripe is missing.')
  const StripeClient = await loadStripe()
  const httpClient = createHttpClient(deps)
  return new StripeClient(key, { httpClient, telemetry: false, maxNetworkRetries: 0, timeout: TIMEOUT_MS })
}

/** Calls only the origin of STRIPE_URL. The package's own client repeats a call whose connection was closed. */
const createHttpClient = (deps: Deps): HttpClient => ({
  getClientName: () => 'meydan',
  makeRequest: async (_host, _port, path, method, headers, data) => {
    if (!isMethod(method)) throw new Error(`Stripe is not called with ${method}`)
    const body = await fetchJson(deps, { path, method, headers: textHeaders(headers), data })
    return {
      getStatusCode: () => body.status,
      getHeaders: () => body.headers,
      getRawResponse: () => ({}),
      toStream: () => {
        throw new Error('Responses of Stripe are not streamed')
      },
      toJSON: async () => body.json,
    }
  },
})

const textHeaders = (headers: Record<string, string | number | string[]>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type Request = { path: string; method: Method; headers: Record<string, string>; data: string }

/** Returns a success or a refusal of Stripe. Any other outcome is an error that says whether it may have had an effect. */
async function fetchJson(deps: Deps, { path, method, headers, data }: Request) {
  const lost: ProviderErrorKind = method === 'GET' ? 'unavailable' : 'unknown'
  let reply: Reply
  try {
    reply = await countedRequest(deps, 'stripe', {
      url: `${deps.config.STRIPE_URL}${path}`,
      method,
      headers,
      body: data || null,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ProviderError(hasNeverConnected(cause) ? 'unavailable' : lost, message, { cause })
  }
  const json = objectOf(reply.text)
  const isOk = reply.status >= 200 && reply.status < 300
  const isRefusal = reply.status >= 400 && reply.status < 500 && json !== undefined && 'error' in json
  if (json && (isOk || isRefusal)) return { ...reply, json }
  throw new ProviderError(lost, `Stripe responded with status ${reply.status}.`)
}

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const kindOf = (status: number | undefined): ProviderErrorKind => {
  if (status === 401 || status === 403) return 'not_configured'
  if (status === 402) return 'declined'
  // 409: another call holds the object or the idempotency key.
  if (status === 409 || status === 429) return 'unavailable'
  return 'refused'
}

/** Makes the errors of the package those of a provider. */
export const withProviderErrors =
  <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Promise<Result>) =>
  async (...parameters: Parameters): Promise<Result> => {
    try {
      return await call(...parameters)
    } catch (cause) {
      const { errors } = await loadStripe()
      if (!(cause instanceof errors.StripeError)) throw cause
      if (cause.detail instanceof ProviderError) throw cause.detail
      throw new ProviderError(kindOf(cause.statusCode), cause.message.slice(0, MAX_MESSAGE), { cause })
    }
  }

/** Undefined if Stripe has no object with this id. `param`: the parameter that must name it, if the call names several. */
export async function unlessMissing<Result>(call: Promise<Result>, param?: string): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    const { errors } = await loadStripe()
    const isMissing = error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing'
    if (isMissing && (param === undefined || error.param === param)) return undefined
    throw error
  }
}

/** Stripe's times are seconds. */
export const timeOf = (seconds: number) => new Date(seconds * 1000)

export function currencyOf(code: string): Currency {
  if (code === 'try') return 'TRY'
  if (code === 'usd') return 'USD'
  throw new ProviderError('refused', `Stripe reports a payment in ${code.toUpperCase()}.`)
}

export const idOf = (reference: string | { id: string } | null | undefined) =>
  typeof reference === 'string' ? reference : reference?.id

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Our id of a checkout in metadata, which another product with the same account may use for something else. */
export const checkoutIdOf = (value: unknown) => (typeof value === 'string' && uuid.test(value) ? value : undefined)
