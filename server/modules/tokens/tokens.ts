import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, limitExceeded, notFound, problem } from '../../errors.ts'
import { hashSecret } from '../../lib/crypto/hashed-secrets.ts'
import { audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member, User } from '../../lib/http/access.ts'
import { atLeast, type Role } from '../../lib/http/roles.ts'
import { scopes as catalogue, isScope } from '../../lib/http/scopes.ts'
import { lockWorkspaceAs } from '../workspaces/members/members.ts'
import { revokeTokens } from './revocation.ts'
import { newToken } from './token.ts'
import type { NewApiToken, RotateApiToken } from './tokens.schema.ts'

const columns = [
  'id',
  'user_id as user',
  'team_id',
  'name',
  'prefix',
  'scopes',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'rotated_at',
  'previous_expires_at',
  'created_at',
] as const

const MAX_TOKENS = 200
const MAX_YEARS = 5

/** Lists the scopes of tokens, each with the role that can grant it. */
export const listScopes = () => ({
  data: Object.entries(catalogue).map(([scope, { description, role }]) => ({ scope, description, role })),
})

/** Lists the caller's tokens for this and for all workspaces. Admins also see those of others for this one. */
export const listTokens = (db: Db, { user_id, workspace_id, role }: Member) =>
  db
    .selectFrom('api_token')
    .select(columns)
    .where((where) =>
      where.or([
        where.and([
          where('user_id', '=', user_id),
          where.or([where('team_id', '=', workspace_id), where('team_id', 'is', null)]),
        ]),
        ...(atLeast(role, 'admin') ? [where('team_id', '=', workspace_id)] : []),
      ]),
    )

/** Parses the expiry of a token created `now`. */
function validateExpiry(text: string, now: Date) {
  const time = new Date(text)
  if (time <= now) throw invalid('/expires_at', 'This time is in the past.')
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS)
  if (time > latest) throw invalid('/expires_at', `This time is more than ${MAX_YEARS} years away.`)
  return time
}

/** Limits live tokens to a number that a person can keep in view. */
async function assertTokenQuota(tx: Tx, user_id: string, now: Date) {
  // Locked, so that two calls cannot both take the last one.
  const user = await tx.selectFrom('user').select('id').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst()
  if (!user) throw problem('unauthenticated')
  const { used } = await tx
    .selectFrom('api_token')
    .select(sql<number>`count(*)::int`.as('used'))
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  if (used >= MAX_TOKENS)
    throw limitExceeded(
      'api_tokens',
      MAX_TOKENS,
      used,
      `You can have at most ${MAX_TOKENS} tokens. Revoke some that are no longer needed.`,
    )
}

/** Throws for a scope beyond the role. */
function checkScopes(scopes: readonly string[], own: Role) {
  for (const [index, scope] of scopes.entries()) {
    const role = isScope(scope) ? catalogue[scope].role : 'owner'
    if (!atLeast(own, role)) throw invalid(`/scopes/${index}`, `Only the role ${role} or higher can grant ${scope}.`)
  }
}

export async function createToken(
  { db, keyring, options, clock }: Deps,
  caller: Member,
  input: Static<typeof NewApiToken>,
) {
  const { name, scopes = [] } = input
  const team_id = input.team_id === undefined ? caller.workspace_id : (input.team_id?.toLowerCase() ?? null)
  if (scopes.length === 0 && (await options.get('tokens.scopes_required', db)))
    throw invalid('/scopes', 'Name at least one scope.', 'required')
  const unknown = scopes.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw invalid(`/scopes/${unknown}`, `Unknown scope: ${scopes[unknown]}.`)
  if (team_id !== null && team_id !== caller.workspace_id)
    throw invalid('/team_id', 'This must be the current workspace, or null for all of your workspaces.')
  const now = clock.now()
  const expires_at = input.expires_at ? validateExpiry(input.expires_at, now) : null

  return inTransaction(db, async (tx) => {
    // Reads the current role. Removing a member revokes all tokens, so none may be created after it.
    const { own } = await lockWorkspaceAs(tx, caller, 'viewer')
    checkScopes(scopes, own)
    await assertTokenQuota(tx, caller.user_id, now)
    const { prefix, secret, token } = newToken()
    const row = await tx
      .insertInto('api_token')
      .values({
        user_id: caller.user_id,
        team_id,
        name,
        prefix,
        hashed_token: hashSecret(keyring, 'token', secret),
        scopes,
        expires_at,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'token.created', row.id, { after: { name, scopes, team_id, expires_at } })
    return { ...row, token }
  })
}

/**
 * Gives a token a new secret. The former one works until the overlap ends. One still valid from an earlier rotation
 * ends at once.
 */
export const rotateToken = (
  { db, keyring, clock, invalidationBus }: Deps,
  caller: Member,
  id: string,
  { overlap_seconds = 86_400 }: Static<typeof RotateApiToken>,
) =>
  inTransaction(db, async (tx) => {
    const before = await listTokens(tx, caller)
      .select('hashed_token')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound()
    if (before.user !== caller.user_id)
      throw problem('forbidden_role', { detail: 'Only the owner of a token can rotate it. Others can revoke it.' })
    const now = clock.now()
    if (before.revoked_at) throw invalidTransition('revoked', 'rotate a token')
    if (before.expires_at && before.expires_at <= now) throw invalidTransition('expired', 'rotate a token')

    const { secret, token } = newToken(before.prefix)
    const overlap = overlap_seconds > 0
    const row = await tx
      .updateTable('api_token')
      .set({
        hashed_token: hashSecret(keyring, 'token', secret),
        previous_hashed_token: overlap ? before.hashed_token : null,
        previous_expires_at: overlap ? new Date(now.getTime() + overlap_seconds * 1000) : null,
        rotated_at: now,
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
    await invalidationBus.invalidate(tx, 'access')
    await audit(tx, caller, 'token.rotated', id, {
      name: row.name,
      before: { rotated_at: before.rotated_at },
      after: { rotated_at: now, previous_expires_at: row.previous_expires_at },
    })
    return { ...row, token }
  })

/** Does nothing if it is already revoked. */
export const revokeToken = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const visible = await listTokens(tx, caller).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!visible) throw notFound()
    if (visible.revoked_at) return
    await revokeTokens(deps, tx, caller, { id })
  })

export const readOwnToken = (db: Db, { token }: User) =>
  db
    .selectFrom('api_token')
    .select(['id', 'name', 'prefix', 'scopes', 'user_id as user', 'team_id', 'expires_at'])
    .where('id', '=', token?.id ?? null)
    .executeTakeFirstOrThrow(notFound)
