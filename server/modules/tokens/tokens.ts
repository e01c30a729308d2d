import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalid, notFound } from '../../errors.ts'
import { atLeast, type Member } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction } from '../../lib/database.ts'
import { scopes as catalogue, isScope } from '../../lib/scopes.ts'
import { hashSecret, newToken } from './token.ts'
import type { NewApiToken } from './tokens.schema.ts'

const columns = [
  'id',
  'user_id as user',
  'team_id',
  'name',
  'prefix',
  'scopes',
  'last_used_at',
  'revoked_at',
  'created_at',
] as const

/** One's own tokens here, and those for all workspaces; admins of the workspace see everybody's here. */
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

export function createToken({ db, keyring, config }: Deps, caller: Member, input: Static<typeof NewApiToken>) {
  const { name, scopes = [] } = input
  const team_id = input.team_id === undefined ? caller.workspace_id : (input.team_id?.toLowerCase() ?? null)
  if (config.API_TOKEN_SCOPES_REQUIRED && scopes.length === 0)
    throw invalid('/scopes', 'Name at least one scope.', 'required')
  for (const [index, scope] of scopes.entries()) {
    if (!isScope(scope)) throw invalid(`/scopes/${index}`, `There is no scope ${scope}.`)
    const { role } = catalogue[scope]
    if (!atLeast(caller.role, role))
      throw invalid(`/scopes/${index}`, `Only the role ${role} or a higher one may grant ${scope}.`)
  }
  if (team_id !== null && team_id !== caller.workspace_id)
    throw invalid('/team_id', 'This must be the current workspace, or null for all of yours.')

  return inTransaction(db, async (tx) => {
    const { prefix, secret, token } = newToken()
    const row = await tx
      .insertInto('api_token')
      .values({
        user_id: caller.user_id,
        team_id,
        name,
        prefix,
        hashed_token: hashSecret(keyring, secret),
        scopes,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'token.created', row.id, { name, scopes, team_id })
    return { ...row, token }
  })
}

/** Revokes a token on every node. Doing it again changes nothing. */
export const revokeToken = ({ db, clock, pulse }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const visible = await listTokens(tx, caller).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!visible) throw notFound()
    if (visible.revoked_at) return
    await tx.updateTable('api_token').set({ revoked_at: clock.now() }).where('id', '=', id).execute()
    await pulse.announce(tx, 'token')
    await audit(tx, caller, 'token.revoked', id, { name: visible.name })
  })
