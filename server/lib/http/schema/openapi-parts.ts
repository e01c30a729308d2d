import { catalogue, type ProblemMembers } from '../../../errors.ts'
import type { Access } from '../access.ts'
import { BODY_LIMIT } from '../limits/body-limit.ts'
import { roles } from '../roles.ts'

/** The shared parts of operations in /openapi.json. Access determines which of them an operation has. */

const header = (description: string, schema: object) => ({ description, schema: { type: 'string', ...schema } })

const headers = {
  'X-Request-Id': header(
    'Identifies the request in the server log. A valid id in the request is reused; otherwise Meydan generates one.',
    {
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]+$',
    },
  ),
  'RateLimit-Policy': header(
    'Rate limit of this call: calls (q) per window (w, in seconds). Absent when no limit applies.',
    {
      maxLength: 100,
      examples: ['"read";q=600;w=60'],
    },
  ),
  RateLimit: header(
    'Calls left in the current window (r) and seconds until the window resets (t). Absent when no limit applies.',
    {
      maxLength: 100,
      examples: ['"read";r=599;t=60'],
    },
  ),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  },
  ETag: header('Version of the record. Send it in `If-Match` to update the record only if it has not changed.', {
    maxLength: 100,
    examples: ['"3"'],
  }),
  'Access-Control-Allow-Origin': header('Allows pages of any origin to read the response.', { enum: ['*'] }),
  'Idempotent-Replayed': header(
    '`true` when this is the stored response to the first call with this `Idempotency-Key`.',
    { enum: ['true'] },
  ),
}

const parameters = {
  'X-Workspace-Id': {
    in: 'header',
    name: 'X-Workspace-Id',
    required: false,
    description:
      'Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one.',
    schema: { type: 'string', maxLength: 40 },
  },
  'If-Match': {
    in: 'header',
    name: 'If-Match',
    required: false,
    description:
      'ETag of the version that you read. If the record has changed since then, the update is refused with 412.',
    schema: { type: 'string', maxLength: 200, examples: ['"3"'] },
  },
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
}

const ref = (kind: 'headers' | 'parameters' | 'responses', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
const onEveryResponse = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const

/** Problems by status: the name in generated clients, and a description. */
const problems = {
  400: ['Invalid', 'The request is malformed or invalid'],
  401: ['Unauthenticated', 'Credentials are missing or invalid'],
  402: ['PaymentRequired', 'The workspace needs a subscription, or a payment was declined'],
  403: ['Forbidden', 'The caller is not allowed to do this'],
  404: ['NotFound', 'The record does not exist or is not accessible to you'],
  409: ['Conflict', 'The request conflicts with the current state'],
  412: ['Changed', 'The record has changed since the version in `If-Match`'],
  413: ['TooLarge', 'The body is too large'],
  415: ['UnsupportedType', 'The body, or the file in it, has an unsupported type'],
  422: ['Unprocessable', 'The `Idempotency-Key` was used with a different body, or the file is damaged'],
  429: ['TooManyRequests', 'Too many requests'],
  500: ['InternalError', 'Something went wrong on our side'],
} as const
type Status = keyof typeof problems

const problemResponse = (description: string, ...names: (keyof typeof headers)[]) => ({
  description,
  headers: headerRefs(...onEveryResponse, ...names),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const codesOf = (wanted: number) =>
  Object.entries(catalogue).flatMap(([code, [status]]) => (status === wanted ? [`\`${code}\``] : []))

const responses = {
  ...Object.fromEntries(
    Object.entries(problems).map(([status, [name, description]]) => [
      name,
      problemResponse(
        `${description}. Codes: ${codesOf(Number(status)).join(', ')}.`,
        ...(status === '429' ? (['Retry-After'] as const) : []),
      ),
    ]),
  ),
  OtherProblem: problemResponse('Any other problem.', 'Retry-After'),
}

const text = (maxLength: number, description?: string) => ({
  type: 'string',
  maxLength,
  ...(description && { description }),
})
const amount = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 }

/** The response lists no more than 100. */
const ids = (description: string) => ({
  type: 'array',
  maxItems: 100,
  items: text(36),
  description,
})

const membersOfCodes = {
  state: text(40, 'With `invalid_transition` and `already_subscribed`: the current state.'),
  scope: text(40, 'With `insufficient_scope`: the missing scope.'),
  workspace_ids: ids('With `last_owner` on `DELETE /me`: ids of the workspaces that have no other owner.'),
  post_ids: ids('With `media_in_use`: ids of the posts that use the file.'),
  recurring_post_ids: ids('With `media_in_use`: ids of the recurring posts that use the file.'),
  gig_ids: ids('With `media_in_use`: ids of the gigs that show the file.'),
  order_ids: ids('With `media_in_use`: ids of the orders whose delivery or messages have the file.'),
  feature: text(40, 'With `feature_not_available`: the feature that the plan does not include.'),
  meter: text(40, 'With `limit_exceeded`: name of the limit.'),
  limit: { ...amount, description: 'With `limit_exceeded`: the maximum.' },
  used: { ...amount, description: 'With `limit_exceeded`: the current usage.' },
  upgrade_plan: {
    type: ['string', 'null'],
    maxLength: 40,
    description:
      'With `limit_exceeded` for a limit of the plan: code of the first public plan that allows more, or null.',
  },
  missing: {
    type: 'array',
    maxItems: 20,
    items: text(60),
    description:
      'With `billing_not_configured`: names of the options that an instance admin must set. With `agent_not_ready`: what the agent lacks, of `account`, `system_prompt`, `model`, `source` and `texts_only`.',
  },
  metadata_key: text(100, 'With `plan_not_sold`: key that the metadata of the plan lacks.'),
  plan_code: text(40, 'With `already_subscribed`: code of the present plan.'),
  current_period_end: {
    ...text(40, 'With `resume_too_late`: time until which the workspace has access.'),
    format: 'date-time',
  },
} satisfies Record<keyof ProblemMembers, object>

const Problem = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: text(100, 'URL of the page that explains the code.'),
    title: text(100),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    detail: text(1000, 'Explanation of the problem and how to resolve it.'),
    instance: text(20_000, 'Path of the request.'),
    code: { type: 'string', enum: Object.keys(catalogue), description: 'Stable error code. Branch on this value.' },
    request_id: text(64, 'Identifies the request in the server log.'),
    errors: {
      type: 'array',
      // 20 fields of the body, and as many for the settings of each of 50 targets.
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          // The name of a field is limited only by the body, and escaping `~` and `/` can double it.
          pointer: text(2 * BODY_LIMIT, 'JSON Pointer (RFC 6901) to the field.'),
          code: text(40),
          message: text(1000),
          translations: {
            type: 'object',
            description: 'The message in other languages, where it has details that the code lacks.',
            properties: { tr: text(1000) },
          },
        },
      },
    },
    ...membersOfCodes,
  },
}

const cookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'meydan.session_token',
  description: 'Set by signing in. Over HTTPS the name of the cookie begins with `__Secure-`.',
} as const

export const components = {
  schemas: { Problem },
  headers,
  parameters,
  responses,
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'API token, such as `meydan_pat_…`.' },
    session: { ...cookie, description: 'Session cookie of a signed-in user.' },
    admin: { ...cookie, description: 'Session cookie of an instance admin.' },
  },
} as const

export const isPublic = (path: string) => path.startsWith('/api/v1/public/')

/** The credentials that an operation accepts. Public operations declare that. */
export function securityOf(access: Access, path: string): Record<string, string[]>[] {
  if (access.level === 'anyone') return [{}]
  if (isPublic(path)) return [{ token: access.scope ? [access.scope] : [] }]
  if (access.level === 'instance_admin') return [{ admin: [] }]
  return [{ session: [] }, ...(access.token === false ? [] : [{ token: [] }])]
}

const isRole = (level: string) => roles.some((role) => role === level)

/** Describes in words who may call an operation. */
export function audienceOf({ level, scope, token, subscription, feature }: Access, path: string) {
  if (level === 'anyone') return 'Requires no authentication.'
  const role = !isRole(level)
    ? ''
    : level === 'viewer'
      ? 'membership in the workspace'
      : `the role \`${level}\`${above(level)}`
  const sentences = isPublic(path)
    ? [
        scope ? `Requires an API token with the scope \`${scope}\`.` : 'Requires an API token with at least one scope.',
        ...(role && level !== 'viewer' ? [`The owner of the token needs ${role}.`] : []),
      ]
    : [
        level === 'instance_admin'
          ? 'Requires an instance admin.'
          : role
            ? `Requires ${role}.`
            : 'Requires a signed-in user.',
        token === false
          ? 'API tokens are not accepted.'
          : `API tokens without scopes${token ? ' that are not bound to a workspace' : ''} are accepted.`,
      ]
  if (subscription) sentences.push('The workspace must have a subscription in force, unless billing is off.')
  return [...sentences, ...(feature ? [`The plan of the workspace must include \`${feature}\`.`] : [])].join(' ')
}
const above = (level: string) => (level === 'owner' ? '' : ' or higher')

/** Titles of the schemas whose records have a version or a tag: their responses carry an ETag. */
const versioned = new Set([
  'AccountGroup',
  'Agent',
  'AgentRule',
  'AgentSource',
  'Account',
  'AiModel',
  'Brand',
  'CalendarNote',
  'CreatedWebhook',
  'EmailTemplate',
  'Gig',
  'Me',
  'NetworkApp',
  'NotificationPreferences',
  'Media',
  'Option',
  'Order',
  'OrderView',
  'OwnSignature',
  'PayoutAccount',
  'Plan',
  'Post',
  'PostComment',
  'PostImport',
  'PostingTimes',
  'RecurringPost',
  'PriceList',
  'Pulse',
  'Recipe',
  'RecipeDiff',
  'Signature',
  'Snippet',
  'Variables',
  'Webhook',
  'Workspace',
  'WorkspaceMember',
  'WorkspaceNetworkApp',
])

/** Titles of records that may not exist for any caller. */
const optional = new Set(['EmailChange'])

type Call = {
  method: string
  path: string
  /** Title of the response schema. */
  record: string | undefined
  takesIfMatch: boolean
  isForm: boolean
  isFile: boolean
}

export function partsOf(access: Access, { method, path, record = '', isForm, isFile, ...call }: Call) {
  const isOpen = access.level === 'anyone'
  const inWorkspace = isRole(access.level)
  const writes = method !== 'get'
  const hasVersion = versioned.has(record)
  const takesIfMatch = hasVersion && (method === 'patch' || method === 'put' || call.takesIfMatch)
  const takesKey = method === 'post' && !isOpen && !isForm
  const can: Record<Status, boolean> = {
    400: true,
    401: writes || !isOpen,
    402: access.subscription === true || (inWorkspace && path.includes('/billing/')),
    403: writes || !isOpen,
    404: inWorkspace || path.includes('{') || (optional.has(record) && !writes),
    // An invoice has an official document in some states only.
    409: writes || inWorkspace || path.endsWith('}/ubl'),
    412: takesIfMatch,
    413: writes,
    415: writes,
    422: takesKey || (isForm && !isOpen),
    429: writes || !isOpen,
    500: true,
  }
  return {
    parameters: [
      ...(inWorkspace ? ['X-Workspace-Id'] : []),
      ...(takesIfMatch ? ['If-Match'] : []),
      ...(takesKey ? ['Idempotency-Key'] : []),
    ].map((name) => ref('parameters', name)),
    headers: headerRefs(
      ...onEveryResponse,
      ...(hasVersion || isFile ? (['ETag'] as const) : []),
      ...(takesKey ? (['Idempotent-Replayed'] as const) : []),
      ...(isPublic(path) || (isOpen && !writes) ? (['Access-Control-Allow-Origin'] as const) : []),
    ),
    responses: Object.fromEntries([
      ...Object.entries(problems).flatMap(([status, [name]]) =>
        can[Number(status) as Status] ? [[status, ref('responses', name)]] : [],
      ),
      ['default', ref('responses', 'OtherProblem')],
    ]) as Record<string, { $ref: string }>,
  }
}
