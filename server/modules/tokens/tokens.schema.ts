import { Type } from 'typebox'
import { roles } from '../../lib/access.ts'
import { Closed, Id, InputTime, Line, nullable, Time } from '../../lib/schema.ts'
import { scopes } from '../../lib/scopes.ts'

export const TokenName = Line('What the token is for')
const ScopeName = Type.String({ maxLength: 40, description: `One of ${Object.keys(scopes).join(', ')}` })

export const ApiToken = Type.Object(
  {
    id: Id,
    user: Type.Unsafe<string>({ ...Id, description: 'Owner' }),
    team_id: nullable(Type.Unsafe<string>({ ...Id, description: 'Its workspace; null: all workspaces of its owner' })),
    name: TokenName,
    prefix: Type.String({ maxLength: 40, description: 'The visible beginning, to recognise the token by' }),
    scopes: Type.Array(ScopeName, {
      maxItems: 50,
      description: 'What it may do under /api/v1/public; empty: it acts as its owner elsewhere',
    }),
    last_used_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'To the minute' })),
    expires_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'From then on it is refused; null: never' })),
    revoked_at: nullable(Time),
    rotated_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'When its secret was last replaced' })),
    previous_expires_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Until then the secret from before the rotation works as well' }),
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
        description: 'The token itself, shown this once; null when an Idempotency-Key replays the answer',
      }),
    ),
  },
  { title: 'CreatedApiToken' },
)
export const NewApiToken = Closed(
  {
    name: TokenName,
    scopes: Type.Optional(Type.Array(ScopeName, { maxItems: 50, uniqueItems: true, description: 'Default: none' })),
    team_id: Type.Optional(
      nullable(Type.Unsafe<string>({ ...Id, description: 'The current workspace, or null for all of yours' })),
    ),
    expires_at: Type.Optional(
      nullable(Type.Unsafe<string>({ ...InputTime, description: 'At most five years from now. Default: never' })),
    ),
  },
  { title: 'NewApiToken' },
)
export const RotateApiToken = Closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'How long the former secret works beside the new one; 0: no longer at all',
      }),
    ),
  },
  { title: 'RotateApiToken' },
)

const ScopeInfo = Type.Object(
  {
    scope: Type.String({ maxLength: 40, description: '`<area>:<read|write>`; write includes read' }),
    description: Type.String({ maxLength: 400 }),
    role: Type.Enum([...roles], { type: 'string', description: 'The least role that may grant it' }),
  },
  { title: 'ScopeInfo' },
)
export const ScopeList = Type.Object({ data: Type.Array(ScopeInfo, { maxItems: 100 }) })

export const OwnToken = Type.Object(
  {
    id: Id,
    name: TokenName,
    prefix: ApiToken.properties.prefix,
    scopes: ApiToken.properties.scopes,
    user_id: Type.Unsafe<string>({ ...Id, description: 'Who it acts for' }),
    team_id: ApiToken.properties.team_id,
    expires_at: ApiToken.properties.expires_at,
  },
  { title: 'OwnToken' },
)
