import { Type } from 'typebox'
import { roles } from '../../lib/http/roles.ts'
import { Closed, InputTime, idOf, Line, nullable, Time } from '../../lib/http/schema/schema.ts'
import { scopes } from '../../lib/http/scopes.ts'

const TokenName = Line('Name of the token', 'Order system')
const ScopeName = Type.String({
  maxLength: 40,
  description: `One of ${Object.keys(scopes).join(', ')}.`,
  examples: ['posts:write'],
})

export const ApiToken = Type.Object(
  {
    id: idOf('token'),
    user: idOf('user', 'Id of the user who owns the token. The token acts as this user.'),
    team_id: nullable(
      idOf('workspace', 'Id of the workspace that the token is bound to. Null for all workspaces of its owner.'),
    ),
    name: TokenName,
    prefix: Type.String({
      maxLength: 40,
      description: 'Beginning of the token, to recognize it by.',
      examples: ['meydan_pat_Xk4pT9'],
    }),
    scopes: Type.Array(ScopeName, {
      maxItems: 50,
      description:
        'Scopes of the token under `/api/v1/public`. A token without scopes acts as its owner on all other paths that accept tokens.',
    }),
    last_used_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of last use, to the minute.' })),
    expires_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the token expires. Null if it never expires.' }),
    ),
    revoked_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the token was revoked. Null if it was not.' }),
    ),
    rotated_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time at which the secret was last rotated.' })),
    previous_expires_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'End of the overlap after a rotation, until which the previous secret works.',
      }),
    ),
    created_at: Time,
  },
  { title: 'ApiToken' },
)
export const CreatedApiToken = Type.Object(
  {
    ...ApiToken.properties,
    token: nullable(
      Type.String({
        maxLength: 100,
        description:
          'The complete token. Returned only in this response; null when the response is replayed for an `Idempotency-Key`.',
        examples: ['meydan_pat_…'],
      }),
    ),
  },
  { title: 'CreatedApiToken' },
)
export const NewApiToken = Closed(
  {
    name: TokenName,
    scopes: Type.Optional(
      Type.Array(ScopeName, { maxItems: 50, uniqueItems: true, description: 'Scopes of the token. Defaults to none.' }),
    ),
    team_id: Type.Optional(
      nullable(
        idOf(
          'workspace',
          'Id of the current workspace, or null for all of your workspaces. Defaults to the current workspace.',
        ),
      ),
    ),
    expires_at: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...InputTime,
          description: 'Time at which the token expires, at most five years from now. By default it never expires.',
        }),
      ),
    ),
  },
  { title: 'NewApiToken', examples: [{ name: 'Order system', scopes: ['posts:write', 'accounts:read'] }] },
)
export const RotateApiToken = Closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        examples: [3600],
        description: 'Seconds for which the previous secret works beside the new one. 0 invalidates it immediately.',
      }),
    ),
  },
  { title: 'RotateApiToken' },
)

const ScopeInfo = Type.Object(
  {
    scope: Type.String({
      maxLength: 40,
      description: 'Name of the scope, `<area>:<read|write>`. Write includes read.',
      examples: ['posts:read'],
    }),
    description: Type.String({
      maxLength: 400,
      description: 'Operations that the scope allows.',
      examples: ['Read posts'],
    }),
    role: Type.Enum([...roles], { type: 'string', description: 'Lowest role that can grant the scope.' }),
  },
  { title: 'ScopeInfo' },
)
export const ScopeList = Type.Object({ data: Type.Array(ScopeInfo, { maxItems: 100 }) })

export const OwnToken = Type.Object(
  {
    id: idOf('token'),
    name: TokenName,
    prefix: ApiToken.properties.prefix,
    scopes: ApiToken.properties.scopes,
    user: ApiToken.properties.user,
    team_id: ApiToken.properties.team_id,
    expires_at: ApiToken.properties.expires_at,
  },
  { title: 'OwnToken' },
)
