/** One field of a request that was refused. `pointer` is a JSON Pointer (RFC 6901) to it. */
export type FieldError = { pointer: string; code: FieldCode | ErrorCode; message: string }

/**
 * Every error code that a client can meet, with its status and title. Codes are stable: clients branch on them.
 * A code is added here, never invented at the call site.
 */
export const catalogue = {
  malformed_request: [400, 'This is not a valid HTTP request'],
  malformed_json: [400, 'The body is not valid JSON'],
  validation_failed: [400, 'Some fields are not valid'],
  read_only: [400, 'A field cannot be set here'],
  url_not_allowed: [400, 'This address may not be called'],
  account_refused: [400, 'The network refused these credentials'],
  search_too_slow: [400, 'The search took too long'],
  account_unreachable: [400, 'The network could not be reached'],
  ai_refused: [400, 'The vendor of the model refused this'],
  verification_failed: [400, 'The code or link is wrong or has expired'],
  code_rejected: [400, 'The code is wrong or has expired'],
  unauthenticated: [401, 'Valid credentials are required'],
  sign_in_failed: [401, 'E-mail or password is wrong'],
  email_not_verified: [403, 'The e-mail address has not been verified yet'],
  banned: [403, 'This account has been banned'],
  sign_up_closed: [403, 'Sign-up is not open to everybody here'],
  password_wrong: [403, 'The password is wrong'],
  forbidden_role: [403, 'Your role does not allow this'],
  insufficient_scope: [403, 'The token lacks a scope'],
  feature_not_available: [403, 'The plan does not include this'],
  limit_exceeded: [403, 'A limit has been reached'],
  token_not_accepted: [403, 'API tokens cannot be used here'],
  cross_origin: [403, 'The request came from another site'],
  setup_code_invalid: [403, 'The set-up code is wrong'],
  not_found: [404, 'Nothing is here'],
  method_not_allowed: [405, 'This address does not support that method'],
  workspace_required: [409, 'Choose a workspace first'],
  workspace_name_taken: [409, 'A workspace with this name exists'],
  workspace_slug_taken: [409, 'A workspace with this slug exists'],
  plan_code_taken: [409, 'A plan with this code exists'],
  account_taken: [409, 'This account is connected already'],
  member_taken: [409, 'This person is a member already'],
  invitation_taken: [409, 'This address has been invited already'],
  email_template_taken: [409, 'A template with this key and language exists'],
  last_owner: [409, 'A workspace needs an owner'],
  two_factor_on: [409, 'Two-factor sign-in is on already'],
  two_factor_off: [409, 'Two-factor sign-in is not on'],
  model_key_missing: [409, 'There is no key to call this model with'],
  no_model: [409, 'No AI model is set up for this'],
  model_key_refused: [409, 'The vendor does not accept the key of this model'],
  model_unusable: [409, 'The model cannot be used as it is set up'],
  idempotency_key_in_use: [409, 'The first call with this key is still running'],
  invalid_transition: [409, 'Not possible in the current state'],
  setup_done: [409, 'Meydan has been set up already'],
  request_timeout: [408, 'The request took too long to arrive'],
  version_conflict: [412, 'The record has changed meanwhile'],
  body_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'The body must be JSON'],
  expectation_failed: [417, 'This expectation cannot be met'],
  idempotency_key_reused: [422, 'This key came with another body before'],
  too_many_requests: [429, 'Too many requests'],
  ai_rate_limited: [429, 'The vendor of the model takes no more calls for now'],
  headers_too_large: [431, 'The headers are too large'],
  internal_error: [500, 'Something went wrong on our side'],
  unavailable: [503, 'Not ready to serve'],
  ai_unavailable: [503, 'The vendor of the model gave no answer that can be used'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ErrorCode = keyof typeof catalogue

/** Codes of single fields inside `errors[]`. */
export const fieldCodes = [
  'required',
  'unknown_field',
  'read_only',
  'invalid',
  'too_long',
  'too_short',
  'too_large',
] as const
export type FieldCode = (typeof fieldCodes)[number]

type ProblemOptions = {
  detail?: string
  errors?: FieldError[]
  extra?: Record<string, unknown>
  /** In seconds, for the header Retry-After. */
  retryAfter?: number
  cause?: unknown
}

/** An error that is answered to the client as problem+json (RFC 9457). */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly options: ProblemOptions
  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(options.detail ?? catalogue[code][1], { cause: options.cause })
    this.code = code
    this.status = catalogue[code][0]
    this.options = options
  }
}

export const problem = (code: ErrorCode, options?: ProblemOptions) => new Problem(code, options)

/** 400 that names these fields. */
export const refusedFields = (errors: FieldError[], cause?: unknown) =>
  problem(errors.some(({ code }) => code === 'read_only') ? 'read_only' : 'validation_failed', { errors, cause })

/** 400 that names one field. */
export const invalid = (pointer: string, message: string, code: FieldCode = 'invalid') =>
  problem('validation_failed', { errors: [{ pointer, code, message }] })

/** 404, the same for what never was and for what belongs to somebody else. */
export const notFound = () => problem('not_found')

/** 409 that tells the state which stands in the way. */
export const invalidTransition = (state: string, action: string) =>
  problem('invalid_transition', { detail: `Cannot ${action} while the state is ${state}.`, extra: { state } })

/** 403 that tells what is counted, how many there may be and how many there are. */
export const limitExceeded = (meter: string, limit: number, used: number, detail: string) =>
  problem('limit_exceeded', { detail, extra: { meter, limit, used } })

type LimitOfPlan = { meter: string; limit: number; used: number; upgrade_plan: string | null }

/** The same for a limit of a plan: it names the plan that would help, if there is one. */
export const limitReached = (extra: LimitOfPlan, detail: string) => problem('limit_exceeded', { detail, extra })

const uniqueness: Record<string, ErrorCode> = {
  plan_pkey: 'plan_code_taken',
  plan_code_key: 'plan_code_taken',
  workspace_name_key: 'workspace_name_taken',
  workspace_slug_key: 'workspace_slug_taken',
  account_external_key: 'account_taken',
  workspace_member_pkey: 'member_taken',
  invitation_pending_key: 'invitation_taken',
  email_template_key: 'email_template_taken',
}

/** The problem behind a violated unique constraint (PostgreSQL 23505), if it is one that clients can cause. */
export function uniquenessProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505' || !('constraint' in error)) return
  const code = uniqueness[String(error.constraint)]
  return code && problem(code, { cause: error })
}
