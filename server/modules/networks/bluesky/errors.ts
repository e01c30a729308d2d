import { retryAfterSeconds } from '../../../lib/http/retry-after.ts'
import { hasNeverConnected } from '../../../lib/outbound/bounded-request.ts'
import { ForbiddenAddress } from '../../../lib/outbound/safe-http.ts'
import { sentAt } from '../calls/call.ts'
import { addressProblem, connectProblem } from '../calls/connect-problem.ts'
import { type Failure, NetworkFault, type Postponement } from '../network.ts'
import type { RenewalFailure } from '../network-account.ts'

type Fault = { status: number; error: string; message: string; cause: Error | undefined; retry_after_s?: number }

/** Describes an error of the service or of the connection. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof NetworkFault && thrown.failure.kind === 'unauthorized')
    return { status: 401, error: '', message: thrown.message, cause: rootCause(thrown) }
  if (!(thrown instanceof Error)) return { status: 0, error: '', message: String(thrown), cause: undefined }
  const status = 'status' in thrown && typeof thrown.status === 'number' && thrown.status >= 100 ? thrown.status : 0
  const error = 'error' in thrown ? String(thrown.error) : ''
  const headers = 'headers' in thrown ? (thrown.headers as Record<string, string> | undefined) : undefined
  const reset = Number(headers?.['ratelimit-reset'])
  // Uses the clock of the server, which set the other times too.
  const now = sentAt({ headers: headers ?? {} })
  const retry_after_s = retryAfterSeconds(headers?.['retry-after'], now) || (reset && reset - now.getTime() / 1000)
  return {
    status,
    error,
    message: thrown.message,
    cause: rootCause(thrown),
    ...(retry_after_s > 0 && { retry_after_s }),
  }
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

export const isUnauthorized = ({ status, error }: Fault) =>
  status === 401 ||
  ['AuthenticationRequired', 'AccountTakedown', 'AccountDeactivated', 'ExpiredToken', 'InvalidToken'].includes(error)

export function renewalCode({ status, cause }: Fault): RenewalFailure['code'] {
  if (cause instanceof ForbiddenAddress) return 'url_not_allowed'
  return status >= 400 && status < 500 && ![408, 429].includes(status) ? 'rejected_by_network' : 'network_unavailable'
}

/** The limits of the protocol's servers count the calls of an account. */
const postponement = ({ status, retry_after_s }: Fault): Postponement => ({
  ...(retry_after_s !== undefined && { retry_after_s }),
  ...(status === 429 && { is_limited: true }),
})

/** After sending, only a definite response counts. */
function failureOf(fault: Fault): Failure {
  const { status, message, cause } = fault
  if (isUnauthorized(fault)) return { kind: 'unauthorized', message }
  if (cause instanceof ForbiddenAddress) return { kind: 'failed', code: 'url_not_allowed', message }
  if (status === 429 || hasNeverConnected(cause)) return { kind: 'unavailable', message, ...postponement(fault) }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'failed', code: 'rejected_by_network', message }
  return { kind: 'unconfirmed', message, ...postponement(fault) }
}

export const networkFault = (thrown: unknown) =>
  thrown instanceof NetworkFault ? thrown : new NetworkFault(failureOf(toFault(thrown)), { cause: thrown })

/** The problem of a connection that failed, with the field of the form to correct. */
export function signInProblem(fault: Fault, cause: unknown) {
  if (fault.cause instanceof ForbiddenAddress) return addressProblem('/service', undefined, cause)
  if (isUnauthorized(fault))
    return connectProblem(
      '/app_password',
      'account_refused',
      {
        en: 'The service rejected this handle and app password.',
        tr: 'Sunucu bu kullanıcı adını ve uygulama parolasını reddetti.',
      },
      cause,
    )
  if (fault.status === 429)
    return connectProblem(
      '/service',
      'account_unreachable',
      { en: 'The service asks to retry later.', tr: 'Sunucu daha sonra yeniden denemenizi istiyor.' },
      cause,
    )
  if (fault.status >= 400 && fault.status < 500)
    return connectProblem(
      '/handle',
      'account_refused',
      {
        en: `The service rejected the request: ${fault.message.slice(0, 200)}`,
        tr: `Sunucu isteği reddetti: ${fault.message.slice(0, 200)}`,
      },
      cause,
    )
  return connectProblem(
    '/service',
    'account_unreachable',
    {
      en: 'The service could not be reached, or is not a Bluesky server.',
      tr: 'Sunucuya ulaşılamadı ya da bu bir Bluesky sunucusu değil.',
    },
    cause,
  )
}
