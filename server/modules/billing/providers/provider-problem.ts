import { problem } from '../../../errors.ts'
import { ProviderError } from './provider.ts'

/** The problem that a caller gets for an error of the provider. Any other error stays as it is. */
export function problemOf(error: unknown) {
  if (!(error instanceof ProviderError)) return error
  const { kind, message } = error
  if (kind === 'declined') return problem('payment_declined', { detail: message, cause: error })
  if (kind === 'refused') return problem('billing_refused', { detail: message, cause: error })
  if (kind === 'not_configured') return problem('billing_not_configured', { detail: message, cause: error })
  return problem('billing_unavailable', { detail: message, retryAfter: 5, cause: error })
}
