import { codeOf } from './lib/error-code.ts'
import type { Text } from './lib/language.ts'

/** A message in English. `translations`: the message in other languages, where the code alone says less. */
export type Message = { message: string; translations?: Omit<Text, 'en'> }

/** A rejected field of a request. `pointer` is a JSON Pointer (RFC 6901) to it. */
export type FieldError = Message & { pointer: string; code: FieldCode | ErrorCode }

export const toMessage = (text: string | Text): Message => {
  if (typeof text === 'string') return { message: text }
  const { en, ...translations } = text
  return { message: en, translations }
}

/**
 * All error codes that a client can get, with status and title. Codes are stable: clients branch on them.
 * Add a new code here, never at the call site.
 */
export const catalogue = {
  malformed_request: [400, 'The request is not valid HTTP'],
  malformed_json: [400, 'The body is not valid JSON'],
  validation_failed: [400, 'Some fields are not valid'],
  read_only: [400, 'A field is read-only'],
  url_not_allowed: [400, 'This URL is not allowed'],
  recipe_unsafe: [400, 'The recipe contains what a recipe must not share'],
  import_failed: [400, 'The file could not be fetched'],
  account_refused: [400, 'The network rejected these credentials'],
  search_too_slow: [400, 'The search took too long'],
  account_unreachable: [400, 'The network could not be reached'],
  ai_refused: [400, 'The AI provider rejected the request'],
  verification_failed: [400, 'The code or link is wrong or has expired'],
  code_rejected: [400, 'The code is wrong or has expired'],
  signature_invalid: [400, 'The signature of the event is wrong'],
  unauthenticated: [401, 'Valid credentials are required'],
  sign_in_failed: [401, 'The e-mail address or password is wrong'],
  subscription_required: [402, 'This needs a subscription in force'],
  payment_declined: [402, 'The payment was declined'],
  email_not_verified: [403, 'The e-mail address is not verified'],
  banned: [403, 'This user has been banned'],
  sign_up_closed: [403, 'Sign-up is not open to everyone'],
  password_wrong: [403, 'The password is wrong'],
  password_required: [403, 'This link asks for a password'],
  forbidden_role: [403, 'Your role does not allow this'],
  insufficient_scope: [403, 'The token lacks a required scope'],
  feature_not_available: [403, 'The plan does not include this feature'],
  not_an_approver: [403, 'Others decide on this post'],
  limit_exceeded: [403, 'A limit has been reached'],
  token_not_accepted: [403, 'This operation does not accept this API token'],
  cross_origin: [403, 'The request came from another site'],
  setup_code_invalid: [403, 'The set-up code is wrong'],
  not_found: [404, 'Not found'],
  subscription_not_found: [404, 'The workspace never had a subscription'],
  method_not_allowed: [405, 'This path does not support this method'],
  workspace_required: [409, 'Choose a workspace first'],
  workspace_name_taken: [409, 'A workspace with this name already exists'],
  workspace_slug_taken: [409, 'A workspace with this slug already exists'],
  plan_code_taken: [409, 'A plan with this code already exists'],
  difference_changed: [409, 'This difference is gone, or has another amount'],
  official_number_taken: [409, 'Another invoice has this number'],
  account_taken: [409, 'This account is already connected'],
  member_taken: [409, 'This person is already a member'],
  invitation_taken: [409, 'This address has already been invited'],
  email_template_taken: [409, 'A template with this key and language already exists'],
  post_not_approved: [409, 'The post is not approved'],
  post_not_ready: [409, 'The post cannot be approved as it is'],
  content_changed: [409, 'The post is no longer as it was seen'],
  no_posting_times: [409, 'The account has no posting times'],
  queue_full: [409, 'The queue has no free slot'],
  slot_taken: [409, 'Another post is scheduled at this time'],
  media_in_use: [409, 'The file is in use'],
  account_group_name_taken: [409, 'An account group with this name already exists'],
  agent_rule_taken: [409, 'The agent already has this rule'],
  snippet_name_taken: [409, 'A snippet with this name already exists'],
  handle_taken: [409, 'This handle is already taken'],
  gig_reported: [409, 'You have already reported this gig'],
  recipe_reported: [409, 'You have already reported this recipe'],
  gig_has_orders: [409, 'The gig has orders'],
  agent_not_ready: [409, 'The agent cannot be enabled yet'],
  agent_not_trusted: [409, 'The agent may not publish alone yet'],
  no_posts_yet: [409, 'The workspace has published no posts yet'],
  last_owner: [409, 'A workspace must have an owner'],
  two_factor_on: [409, 'Two-factor sign-in is already on'],
  two_factor_off: [409, 'Two-factor sign-in is not on'],
  model_key_missing: [409, 'No API key is set for this model'],
  network_not_set_up: [409, 'The network is not set up on this instance'],
  no_model: [409, 'No AI model is set up for this'],
  model_key_refused: [409, 'The AI provider rejected the API key of this model'],
  model_unusable: [409, 'The model is not configured correctly'],
  idempotency_key_in_use: [409, 'A request with this Idempotency-Key is still running'],
  confirmation_required: [409, 'The post may already be published: confirm that it is not'],
  not_supported_by_network: [409, 'The network does not allow this'],
  payout_account_required: [409, 'No payout account is set'],
  payouts_held: [409, 'Payouts wait, because the payout account was changed'],
  seller_balance_left: [409, 'A seller still has money here'],
  balance_too_low: [409, 'The available balance is too low'],
  invalid_transition: [409, 'Not possible in the current state'],
  order_not_late: [409, 'The delivery is not late'],
  no_revisions_left: [409, 'No revisions are left'],
  requirements_given: [409, 'The requirements were already given'],
  proposal_open: [409, 'A proposal is already open'],
  dispute_closed: [409, 'Disputes are not accepted now'],
  already_reviewed: [409, 'This was already reviewed'],
  review_closed: [409, 'Reviews are not accepted now'],
  invoice_incomplete: [409, 'The invoice lacks what its official document needs'],
  billing_disabled: [409, 'Billing is off on this instance'],
  billing_not_configured: [409, 'The payment provider is not set up'],
  already_subscribed: [409, 'The workspace already has a subscription'],
  own_gig: [409, 'You cannot order your own gig'],
  price_changed: [409, 'The price has changed'],
  plan_not_sold: [409, 'This plan is not sold like this'],
  period_not_changed: [409, 'The payment provider does not change to this period'],
  comment_edit_too_late: [409, 'The comment can no longer be edited'],
  resume_too_late: [409, 'The subscription can no longer be resumed'],
  backup_running: [409, 'A backup is running'],
  backup_not_set_up: [409, 'Backups are not set up on this instance'],
  setup_done: [409, 'Meydan has already been set up'],
  request_timeout: [408, 'The request took too long to arrive'],
  version_conflict: [412, 'The record has changed since you read it'],
  body_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The URL is too long'],
  file_too_large: [413, 'The file is too large'],
  unsupported_media_type: [415, 'The body has an unsupported type'],
  file_type_refused: [415, 'Files of this type are not accepted'],
  range_not_satisfiable: [416, 'The file has no such range'],
  expectation_failed: [417, 'The Expect header cannot be met'],
  file_damaged: [422, 'The file is damaged'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with a different body'],
  too_many_requests: [429, 'Too many requests'],
  ai_rate_limited: [429, 'The AI provider has reached its rate limit'],
  headers_too_large: [431, 'The headers are too large'],
  internal_error: [500, 'Something went wrong on our side'],
  unavailable: [503, 'The service is not ready'],
  billing_refused: [409, 'The payment provider rejected the request'],
  billing_unavailable: [503, 'The payment provider did not respond'],
  ai_unavailable: [503, 'The AI provider did not return a usable response'],
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

/** Members that single codes add to a problem. `openapi-parts.ts` documents them. */
export type ProblemMembers = {
  state: string
  scope: string
  feature: string
  workspace_ids: string[]
  post_ids: string[]
  recurring_post_ids: string[]
  gig_ids: string[]
  order_ids: string[]
  meter: string
  limit: number
  used: number
  upgrade_plan: string | null
  missing: string[]
  metadata_key: string
  plan_code: string
  current_period_end: Date
}

type ProblemOptions = {
  detail?: string
  errors?: FieldError[]
  extra?: Partial<ProblemMembers>
  /** Seconds for the header Retry-After. */
  retryAfter?: number
  cause?: unknown
}

/** An error that is returned to the client as problem+json (RFC 9457). */
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

/** 400 with these fields. */
export const refusedFields = (errors: FieldError[], cause?: unknown) =>
  problem(errors.some(({ code }) => code === 'read_only') ? 'read_only' : 'validation_failed', { errors, cause })

/** 400 with one field. */
export const invalid = (pointer: string, text: string | Text, code: FieldCode = 'invalid') =>
  problem('validation_failed', { errors: [{ pointer, code, ...toMessage(text) }] })

/** 404, the same for records that never existed and for records of others. */
export const notFound = () => problem('not_found')

/** 409 with the state that prevents the action. */
export const invalidTransition = (state: string, action: string) =>
  problem('invalid_transition', { detail: `Cannot ${action} while the state is ${state}.`, extra: { state } })

/** 403 with the feature. */
export const featureNotAvailable = (feature: string) =>
  problem('feature_not_available', {
    detail: `The plan of this workspace does not include ${feature}.`,
    extra: { feature },
  })

/** 403 with the meter, its limit and its usage. */
export const limitExceeded = (meter: string, limit: number, used: number, detail: string) =>
  problem('limit_exceeded', { detail, extra: { meter, limit, used } })

type LimitOfPlan = { meter: string; limit: number; used: number; upgrade_plan: string | null }

/** The same for a limit of a plan. Also names the plan that allows more, if there is one. */
export const limitReached = (extra: LimitOfPlan, detail: string) => problem('limit_exceeded', { detail, extra })

const uniqueness: Record<string, ErrorCode> = {
  plan_pkey: 'plan_code_taken',
  plan_code_key: 'plan_code_taken',
  workspace_name_key: 'workspace_name_taken',
  workspace_name_skeleton_key: 'workspace_name_taken',
  workspace_slug_key: 'workspace_slug_taken',
  account_external_key: 'account_taken',
  workspace_member_pkey: 'member_taken',
  invitation_pending_key: 'invitation_taken',
  email_template_key: 'email_template_taken',
  account_group_name_key: 'account_group_name_taken',
  agent_rule_text_key: 'agent_rule_taken',
  snippet_name_key: 'snippet_name_taken',
  signature_handle_key: 'handle_taken',
  gig_report_key: 'gig_reported',
  recipe_report_key: 'recipe_reported',
}

/** The problem behind a violated unique constraint (PostgreSQL 23505), if it is one that clients can cause. */
export function uniquenessProblem(error: unknown): Problem | undefined {
  if (codeOf(error) !== '23505' || !(error instanceof Error && 'constraint' in error)) return
  const code = uniqueness[String(error.constraint)]
  return code && problem(code, { cause: error })
}
