import { problem } from '../../../errors.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'

/**
 * The problem of a connection that failed, with the field of the form to correct. `sentence`: may quote the server, which
 * can send anything at any length.
 */
export const connectProblem = (
  pointer: string,
  code: 'account_refused' | 'account_unreachable' | 'url_not_allowed',
  sentence: string,
  cause?: unknown,
) => {
  const message = sanitizeExternalText(sentence)
  return problem(code, { detail: message, errors: [{ pointer, code, message }], cause })
}
