import { problem, toMessage } from '../../../errors.ts'
import type { Text } from '../../../lib/language.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { NetworkFault } from '../network.ts'

/**
 * The problem of a connection that failed, with the field of the form to correct. `text`: may quote the server, which
 * can send anything at any length.
 */
export const connectProblem = (
  pointer: string,
  code: 'account_refused' | 'account_unreachable' | 'url_not_allowed',
  { en, tr }: Text,
  cause?: unknown,
) => {
  const detail = sanitizeExternalText(en)
  const message = toMessage({ en: detail, tr: sanitizeExternalText(tr) })
  return problem(code, { detail, errors: [{ pointer, code, ...message }], cause })
}

/** The problem of a network without a usable response. `message`: what is known about it, in English. */
export const unreachableProblem = (pointer: string, name: string, message: string, cause?: unknown) =>
  connectProblem(
    pointer,
    'account_unreachable',
    { en: `${name} could not be reached: ${message}`, tr: `${name} ağına ulaşılamadı: ${message}` },
    cause,
  )

/** The problem of an incoming webhook of a network that could not be checked. Any other error stays as it is. */
export function webhookProblem(name: string, cause: unknown) {
  if (!(cause instanceof NetworkFault)) return cause
  const { kind, message } = cause.failure
  if (kind !== 'failed' && kind !== 'unauthorized') return unreachableProblem('/webhook_url', name, message, cause)
  const text = { en: `${name} refused this webhook: ${message}`, tr: `${name} bu webhook'u reddetti: ${message}` }
  return connectProblem('/webhook_url', 'account_refused', text, cause)
}

/** The problem of an address that Meydan does not call. Its code says the same. */
export const addressProblem = (pointer: string, message = 'This address is not allowed.', cause?: unknown) =>
  problem('url_not_allowed', { detail: message, errors: [{ pointer, code: 'url_not_allowed', message }], cause })
