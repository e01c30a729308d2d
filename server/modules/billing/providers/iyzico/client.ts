import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { callProvider, NumberOrText, parseReply } from '../calls.ts'
import { ProviderError, type ProviderErrorKind } from '../provider.ts'
import { authorization } from './signatures.ts'

export class IyzicoError extends ProviderError {
  readonly code: string
  constructor(kind: ProviderErrorKind, code: string, message: string) {
    super(kind, message)
    this.code = code
  }
}

export const isNotFound = (error: unknown) => error instanceof IyzicoError && error.code === '201400'

type IyzicoCall = {
  path: string
  query?: Record<string, string>
  /** Sent as JSON with POST. Without it the call is a GET. */
  body?: Record<string, unknown>
  /** Whether the call has an effect that must not happen twice. */
  changes?: boolean
  /** Language of messages. */
  locale?: 'tr' | 'en'
}

const Status = Type.Object({
  status: Type.String(),
  errorCode: Type.Optional(NumberOrText),
  errorMessage: Type.Optional(Type.String()),
})

export async function iyzicoKeys({ options }: Deps) {
  const [apiKey, secretKey] = [await options.secret('iyzico.api_key'), await options.secret('iyzico.secret_key')]
  if (!apiKey || !secretKey) throw new ProviderError('not_configured', 'The keys of iyzico are not set.')
  return { apiKey, secretKey }
}

/** Calls iyzico and returns its response. iyzico reports errors with status 422, and some with 200. */
export async function iyzicoCall<S extends TSchema>(deps: Deps, schema: S, call: IyzicoCall) {
  const { path, query = {}, body, changes = false, locale = 'en' } = call
  const { apiKey, secretKey } = await iyzicoKeys(deps)
  const text = body ? JSON.stringify({ locale, ...body }) : ''
  const random = randomUUID()
  const named = { name: 'iyzico', changes }
  const reply = await callProvider(deps, {
    ...named,
    // Without the locale, iyzico refuses some reads with a message about keys.
    url: `${deps.config.IYZICO_URL}${path}${body ? '' : `?${new URLSearchParams({ locale, ...query })}`}`,
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: authorization({ apiKey, secretKey, random, path, body: text }),
      'x-iyzi-rnd': random,
      'content-type': 'application/json',
    },
    body: body ? text : null,
  })
  const result = await parseReply(Status, reply, named)
  if (result.status !== 'success') throw errorOf(String(result.errorCode ?? ''), result.errorMessage, changes)
  return parseReply(schema, reply, named)
}

/** 1000 and 1001: the keys. 100001: a fault of iyzico, which says nothing of the effect. 10…: the bank refused the card. */
function errorOf(code: string, message = 'iyzico refused the call.', changes: boolean) {
  if (code === '1000' || code === '1001') return new IyzicoError('not_configured', code, message)
  if (code === '100001') return new IyzicoError(changes ? 'unknown' : 'unavailable', code, message)
  return new IyzicoError(/^10\d{3}$/.test(code) ? 'declined' : 'refused', code, message)
}
