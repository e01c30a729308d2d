import { catalogue } from '../errors.ts'
import { type Access, roles } from './access.ts'
import { BODY_LIMIT } from './body.ts'

/** What every operation of /openapi.json shares, and which of it an operation has: both follow from its access. */

const header = (description: string, schema: object) => ({ description, schema: { type: 'string', ...schema } })

const headers = {
  'X-Request-Id': header('Under this the server log tells more. One that the request carries is taken over.', {
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
  }),
  'RateLimit-Policy': header('The limit that counts this call: calls (q) in a time (w, seconds). Absent without one.', {
    maxLength: 100,
    examples: ['"read";q=600;w=60'],
  }),
  RateLimit: header('What is left of the limit (r), and when it is whole again (t, seconds). Absent without one.', {
    maxLength: 100,
    examples: ['"read";r=599;t=60'],
  }),
  'Retry-After': {
    description: 'When to try again, in seconds',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  },
  ETag: header('The version of the record, for If-Match', { maxLength: 20, examples: ['"3"'] }),
  'Access-Control-Allow-Origin': header('Pages of every origin may read this', { enum: ['*'] }),
  'Idempotent-Replayed': header('true: the answer of the first call with this Idempotency-Key', { enum: ['true'] }),
}

const parameters = {
  'X-Workspace-Id': {
    in: 'header',
    name: 'X-Workspace-Id',
    required: false,
    description:
      'Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one.',
    schema: { type: 'string', maxLength: 40 },
  },
  'If-Match': {
    in: 'header',
    name: 'If-Match',
    required: false,
    description: 'ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412.',
    schema: { type: 'string', maxLength: 200, examples: ['"3"'] },
  },
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
}

const ref = (kind: 'headers' | 'parameters' | 'responses', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
const onEveryAnswer = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const

/** The problems by status: the name that clients generated from the document see, and a description. */
const problems = {
  400: ['Invalid', 'Malformed or invalid'],
  401: ['Unauthenticated', 'No or bad credentials'],
  403: ['Forbidden', 'Not allowed'],
  404: ['NotFound', 'Absent, or not yours'],
  409: ['Conflict', 'In conflict with what is there'],
  412: ['Changed', 'The record has changed since the version that If-Match names'],
  413: ['TooLarge', 'Body too large'],
  415: ['NotJson', 'Body is not JSON'],
  422: ['KeyReused', 'The Idempotency-Key came with another body before'],
  429: ['TooManyRequests', 'Too many requests'],
  500: ['InternalError', 'Something went wrong on our side'],
} as const
type Status = keyof typeof problems

const problemResponse = (description: string, ...names: (keyof typeof headers)[]) => ({
  description,
  headers: headerRefs(...onEveryAnswer, ...names),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const codesOf = (wanted: number) =>
  Object.entries(catalogue).flatMap(([code, [status]]) => (status === wanted ? [`\`${code}\``] : []))

const responses = {
  ...Object.fromEntries(
    Object.entries(problems).map(([status, [name, description]]) => [
      name,
      problemResponse(
        `${description}: ${codesOf(Number(status)).join(', ')}`,
        ...(status === '429' ? (['Retry-After'] as const) : []),
      ),
    ]),
  ),
  OtherProblem: problemResponse('Any other problem', 'Retry-After'),
}

const text = (maxLength: number, description?: string) => ({
  type: 'string',
  maxLength,
  ...(description && { description }),
})
const amount = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 }

const Problem = {
  type: 'object',
  description: 'What went wrong (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: text(100, 'Where the code is explained'),
    title: text(100),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    detail: text(1000, 'What is wrong, and what to do'),
    instance: text(20_000, 'The path that was called'),
    code: { type: 'string', enum: Object.keys(catalogue), description: 'Stable: branch on this' },
    request_id: text(64, 'Under this the server log tells more'),
    errors: {
      type: 'array',
      // Of a body 20 fields are named, of the settings of each of 50 targets as many.
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          // The name of a field is as long as a body lets it be, and `~` and `/` in it are escaped.
          pointer: text(2 * BODY_LIMIT, 'JSON Pointer (RFC 6901) to the field'),
          code: text(40),
          message: text(1000),
        },
      },
    },
    state: text(40, 'With invalid_transition: the current state'),
    scope: text(40, 'With insufficient_scope: the scope that is missing'),
    workspace_ids: {
      type: 'array',
      // As many as are told.
      maxItems: 100,
      items: { type: 'string', maxLength: 36 },
      description: 'With last_owner, when it is about more than the current one: the workspaces',
    },
    feature: text(40, 'With feature_not_available: what the plan would have to include'),
    meter: text(40, 'With limit_exceeded: what is counted'),
    limit: { ...amount, description: 'With limit_exceeded: how many there may be' },
    used: { ...amount, description: 'With limit_exceeded: how many there are' },
    upgrade_plan: {
      type: ['string', 'null'],
      maxLength: 40,
      description: 'With limit_exceeded, of a limit of the plan: the code of the first plan on offer that allows more',
    },
  },
}

const cookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'meydan.session_token',
  description: 'Set by signing in. Behind https its name begins with `__Secure-`',
} as const

export const components = {
  schemas: { Problem },
  headers,
  parameters,
  responses,
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'An API token, meydan_pat_…' },
    session: { ...cookie, description: 'The session of somebody who signed in' },
    admin: { ...cookie, description: 'The session of an instance admin' },
  },
} as const

export const isPublic = (path: string) => path.startsWith('/api/v1/public/')

/** The credentials that an operation takes. One that takes none says so. */
export function securityOf(access: Access, path: string): Record<string, string[]>[] {
  if (access.level === 'anyone') return [{}]
  if (isPublic(path)) return [{ token: access.scope ? [access.scope] : [] }]
  if (access.level === 'instance_admin') return [{ admin: [] }]
  return [{ session: [] }, ...(access.token === false ? [] : [{ token: [] }])]
}

const isRole = (level: string) => roles.some((role) => role === level)

/** Who may call, in words. */
export function audienceOf({ level, scope, token, feature }: Access, path: string) {
  if (level === 'anyone') return 'Open to anyone.'
  const role = !isRole(level) ? '' : level === 'viewer' ? 'every member' : `the role ${level}${above(level)}`
  const sentences = isPublic(path)
    ? [
        scope ? `For API tokens with the scope \`${scope}\`.` : 'For every API token with a scope.',
        ...(role && level !== 'viewer' ? [`Their owner needs ${role}.`] : []),
      ]
    : [
        level === 'instance_admin' ? 'For instance admins.' : role ? `For ${role}.` : 'For whoever is signed in.',
        token === false
          ? 'No API token is accepted.'
          : `An API token without scopes${token ? ', bound to no workspace,' : ''} is accepted.`,
      ]
  return [...sentences, ...(feature ? [`The plan must include \`${feature}\`.`] : [])].join(' ')
}
const above = (level: string) => (level === 'owner' ? '' : ' or a higher one')

/** Records with a version, by the title of their schema: their answers carry an ETag. */
const versioned = new Set([
  'Account',
  'AiModel',
  'CreatedWebhook',
  'EmailTemplate',
  'Me',
  'Option',
  'Plan',
  'Post',
  'PriceList',
  'Webhook',
  'Workspace',
  'WorkspaceMember',
])

/** Records that there may be none of, whoever asks. */
const optional = new Set(['EmailChange'])

/** `record`: the title of what is answered. */
export function partsOf(
  access: Access,
  { method, path, record = '' }: { method: string; path: string; record: string | undefined },
) {
  const isOpen = access.level === 'anyone'
  const inWorkspace = isRole(access.level)
  const writes = method !== 'get'
  const hasVersion = versioned.has(record)
  const takesIfMatch = hasVersion && (method === 'patch' || method === 'put')
  const takesKey = method === 'post' && !isOpen
  const can: Record<Status, boolean> = {
    400: true,
    401: writes || !isOpen,
    403: writes || !isOpen,
    404: inWorkspace || path.includes('{') || (optional.has(record) && !writes),
    409: writes || inWorkspace,
    412: takesIfMatch,
    413: writes,
    415: writes,
    422: takesKey,
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
      ...onEveryAnswer,
      ...(hasVersion ? (['ETag'] as const) : []),
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
