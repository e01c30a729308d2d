import type { APICallError } from 'ai'
import { codeOf } from '../../../lib/error-code.ts'
import { retryAfterSeconds } from '../../../lib/http/retry-after.ts'
import { ForbiddenAddress, ResponseTooLarge } from '../../../lib/outbound/safe-http.ts'
import type { providerErrorCodes } from '../models/models.schema.ts'

type ProviderErrorCode = (typeof providerErrorCodes)[number]
type ProviderProblem = {
  code: ProviderErrorCode
  /** Our own sentence. Contains no key and no words of the provider. */
  detail: string
  status: number | null
  /** Set when the provider asks for it. */
  retry_after_s: number | null
}

const details: Record<ProviderErrorCode, string> = {
  unauthorized: 'The AI provider rejected the API key.',
  forbidden: 'The AI provider does not allow this API key to use the model.',
  not_found: 'The AI provider has no such model, or the base URL is wrong.',
  rate_limited: 'The AI provider accepts no more calls with this API key for now.',
  bad_request: 'The AI provider rejected the prompt or a setting of the model.',
  vendor_error: 'The AI provider reported an internal error.',
  timeout: 'The AI provider did not respond in time.',
  unreachable: 'The AI provider cannot be reached.',
  garbage: 'The response of the AI provider could not be read.',
  refused_url: 'The base URL of this model is not allowed.',
}

const byStatus: Record<number, ProviderErrorCode> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  504: 'timeout',
}

/** Returns the error and its causes, outermost first. */
function chain(error: unknown) {
  const errors: unknown[] = []
  for (let at = error; at !== undefined && at !== null && errors.length < 10; ) {
    errors.push(at)
    at = at instanceof Error ? at.cause : undefined
  }
  return errors
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')

function codeOfFault(errors: unknown[], status: number | undefined): ProviderErrorCode {
  if (errors.some((error) => error instanceof ForbiddenAddress)) return 'refused_url'
  if (errors.some((error) => error instanceof ResponseTooLarge)) return 'garbage'
  if (errors.some((error) => /^(Timeout|Abort)Error$/.test(nameOf(error)) || /TIMEOUT$|ETIMEDOUT/.test(codeOf(error))))
    return 'timeout'
  if (status !== undefined && status >= 300) {
    if (byStatus[status]) return byStatus[status]
    return status >= 500 || status < 400 ? 'vendor_error' : 'bad_request'
  }
  if (errors.some((error) => /^(E[A-Z]+|UND_ERR_\w+|CERT_\w+|DEPTH_\w+|SELF_\w+|UNABLE_\w+)$/.test(codeOf(error))))
    return 'unreachable'
  return 'garbage'
}

/** Recognised by its name, because the package is loaded only to call a model. */
export const isCallError = (error: unknown): error is APICallError => nameOf(error) === 'AI_APICallError'

/** Some providers report a wrong key as a bad request. The body is read here and never shown. */
const isAboutKey = ({ statusCode, responseBody = '' }: APICallError) =>
  statusCode === 400 && /API_KEY_INVALID|incorrect api key/i.test(responseBody.slice(0, 10_000))

/**
 * Returns a loggable error with only the kinds of the error and its causes. Errors of the packages contain prompts,
 * headers and responses, so they are never logged.
 */
export const loggable = (error: unknown) =>
  new Error(
    chain(error)
      .map((each) => [nameOf(each) || typeof each, codeOf(each), isCallError(each) ? each.statusCode : ''])
      .map((parts) => parts.filter(Boolean).join(' '))
      .join(' < '),
  )

/** Connections that end after the request was sent. */
const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT))$/

/**
 * Whether the provider may bill a call that failed: Meydan waited no longer, the connection broke, or the response was no
 * error and could not be used. Refused calls and servers that cannot be reached cost nothing.
 */
export function mayBeBilled(error: unknown) {
  const errors = chain(error)
  const status = errors.find(isCallError)?.statusCode
  if (status !== undefined) return status >= 200 && status < 300
  return errors.some(
    (each) =>
      each instanceof ResponseTooLarge ||
      /^((Timeout|Abort)Error|AI_No\w+GeneratedError)$/.test(nameOf(each)) ||
      BROKEN.test(codeOf(each)),
  )
}

/** Describes a failed provider call without words of the provider, keys or prompts. */
export function providerProblem(error: unknown, now: Date): ProviderProblem {
  const errors = chain(error)
  const call = errors.find(isCallError)
  const status = call?.statusCode
  const code = call && isAboutKey(call) ? 'unauthorized' : codeOfFault(errors, status)
  const wait = retryAfterSeconds(call?.responseHeaders?.['retry-after'], now)
  return {
    code,
    detail: status !== undefined && status >= 300 ? `${details[code]} (HTTP ${status})` : details[code],
    status: status ?? null,
    retry_after_s: wait > 0 ? wait : null,
  }
}
