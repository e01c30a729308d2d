import { problem } from '../../../errors.ts'

/** The problem of a connection that failed, with the field of the form to correct. */
export const connectProblem = (
  pointer: string,
  code: 'account_refused' | 'account_unreachable' | 'url_not_allowed',
  message: string,
  cause?: unknown,
) => problem(code, { detail: message, errors: [{ pointer, code, message }], cause })
