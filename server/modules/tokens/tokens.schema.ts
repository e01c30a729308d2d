import { Type } from 'typebox'
import { Closed, Id, nullable, Time } from '../../lib/schema.ts'
import { scopes } from '../../lib/scopes.ts'

export const TokenName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '\\S',
  description: 'What the token is for',
})
const ScopeName = Type.String({ maxLength: 40, description: `One of ${Object.keys(scopes).join(', ')}` })

export const ApiToken = Type.Object(
  {
    id: Id,
    user: Type.Unsafe<string>({ ...Id, description: 'Owner' }),
    team_id: nullable(Type.Unsafe<string>({ ...Id, description: 'Its workspace; null: all workspaces of its owner' })),
    name: TokenName,
    prefix: Type.String({ description: 'The visible beginning, to recognise the token by' }),
    scopes: Type.Array(ScopeName, {
      description: 'What it may do under /api/v1/public; empty: it acts as its owner elsewhere',
    }),
    last_used_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'To the minute' })),
    revoked_at: nullable(Time),
    created_at: Time,
  },
  { title: 'ApiToken' },
)
export const CreatedApiToken = Type.Object(
  {
    ...ApiToken.properties,
    token: Type.String({ description: 'The token itself. Shown this once, and never again' }),
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
  },
  { title: 'NewApiToken' },
)
