import { APICallError } from 'ai'
import { retryAfterSeconds } from '../../lib/retry-after.ts'
import { ForbiddenAddress } from '../../lib/safe-http.ts'
import type { vendorCodes } from './models.schema.ts'
import { AnswerTooLarge } from './vendor-fetch.ts'

export type VendorCode = (typeof vendorCodes)[number]
export type VendorProblem = {
  code: VendorCode
  /** A sentence of ours: nothing that the vendor said, and no key, is in it. */
  detail: string
  status: number | null
  /** When the vendor asks for it. */
  retry_after_s: number | null
}

const details: Record<VendorCode, string> = {
  unauthorized: 'The vendor does not accept the key.',
  forbidden: 'The vendor does not allow this key to use the model.',
  not_found: 'The vendor knows no such model, or nothing answers at this address.',
  rate_limited: 'The vendor takes no more calls with this key for now.',
  bad_request: 'The vendor refused the request: the prompt, or a setting of the model.',
  vendor_error: 'The vendor has trouble of its own.',
  timeout: 'The vendor did not answer in time.',
  unreachable: 'The vendor cannot be reached.',
  garbage: 'The vendor answered with something that cannot be understood.',
  refused_url: 'The address of this model may not be called.',
}

const byStatus: Record<number, VendorCode> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  504: 'timeout',
}

/** The error and what it came of, outermost first. */
function chain(error: unknown) {
  const errors: unknown[] = []
  for (let at = error; at !== undefined && at !== null && errors.length < 10; ) {
    errors.push(at)
    at = at instanceof Error ? at.cause : undefined
  }
  return errors
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

function codeOfFault(errors: unknown[], status: number | undefined): VendorCode {
  if (errors.some((error) => error instanceof ForbiddenAddress)) return 'refused_url'
  if (errors.some((error) => error instanceof AnswerTooLarge)) return 'garbage'
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

/** To some vendors a wrong key is a wrong argument. Read here, and told to nobody. */
const isAboutKey = ({ statusCode, responseBody = '' }: APICallError) =>
  statusCode === 400 && /API_KEY_INVALID|incorrect api key/i.test(responseBody.slice(0, 10_000))

/**
 * The same error for the log: what kind it and its causes are of. The errors of the packages carry prompts, headers and
 * whatever the vendor said, so they are never logged.
 */
export const loggable = (error: unknown) =>
  new Error(
    chain(error)
      .map((each) => [nameOf(each) || typeof each, codeOf(each), APICallError.isInstance(each) ? each.statusCode : ''])
      .map((parts) => parts.filter(Boolean).join(' '))
      .join(' < '),
  )

/** What went wrong when a vendor was called, told without anything that the vendor, a key or a prompt said. */
export function vendorProblem(error: unknown, now: Date): VendorProblem {
  const errors = chain(error)
  const call = errors.find((each) => APICallError.isInstance(each))
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
