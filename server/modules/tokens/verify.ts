import type { Identity } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/crypto.ts'
import { compiledOnce, type Db } from '../../lib/database.ts'
import { heardCache } from '../../lib/heard-cache.ts'
import type { LastUse } from '../../lib/last-use.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { hashSecret, matchesSecret, parseToken } from './token.ts'

const readToken = compiledOnce((db, input: { prefix: string }) =>
  db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .leftJoin('workspace_member', (join) =>
      join
        .onRef('workspace_member.user_id', '=', 'api_token.user_id')
        .onRef('workspace_member.workspace_id', '=', 'api_token.team_id'),
    )
    .leftJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select([
      'api_token.id',
      'api_token.hashed_token',
      'api_token.previous_hashed_token',
      'api_token.previous_expires_at',
      'api_token.scopes',
      'api_token.team_id',
      'api_token.revoked_at',
      'api_token.expires_at',
      'user.id as user_id',
      'user.email',
      'user.is_instance_admin',
      'user.banned_at',
      'user.workspace_id',
      'workspace_member.role',
      'workspace.deleted_at as workspace_deleted_at',
    ])
    .where('api_token.prefix', '=', input.prefix),
)

type TokenRow = Awaited<ReturnType<typeof readToken>>[number]

/** Whether `secret` is that of the row, or the one before it while their overlap lasts. */
function hasSecret(keyring: Keyring, row: TokenRow, secret: string, now: number) {
  if (matchesSecret(keyring, row.hashed_token, secret)) return true
  const { previous_hashed_token: previous, previous_expires_at: until } = row
  return previous !== null && until !== null && until.getTime() > now && matchesSecret(keyring, previous, secret)
}

const isLive = (row: TokenRow, now: number) =>
  row.revoked_at === null &&
  (row.expires_at === null || row.expires_at.getTime() > now) &&
  row.banned_at === null &&
  (row.team_id === null || (row.role !== null && row.workspace_deleted_at === null))

/**
 * Who a token speaks for, or undefined: one answer for unknown, wrong, revoked, expired, banned, and no longer a member.
 * Rows are kept, never verdicts: every call checks the secret itself.
 */
export const tokenVerifier = ({
  db,
  keyring,
  pulse,
  clock,
  lastUse,
}: {
  db: Db
  keyring: Keyring
  pulse: Pulse
  clock: Clock
  lastUse: LastUse
}) => {
  const cached = heardCache<TokenRow>(pulse)
  // Compared with when there is no such token, so that the time taken does not tell.
  const nobody = hashSecret(keyring, 'nobody')

  return async (token: string): Promise<Identity | undefined> => {
    const parts = parseToken(token)
    if (!parts) return
    const { prefix, secret } = parts
    const row = await cached(prefix, async () => (await readToken(db, { prefix }))[0])
    const now = clock.now().getTime()
    if (!row) matchesSecret(keyring, nobody, secret)
    if (!row || !hasSecret(keyring, row, secret, now) || !isLive(row, now)) return
    lastUse.note('api_token', row.id)
    return {
      user_id: row.user_id,
      email: row.email,
      is_instance_admin: row.is_instance_admin,
      workspace_id: row.workspace_id,
      session_id: null,
      token: {
        id: row.id,
        scopes: row.scopes,
        membership: row.team_id && row.role ? { workspace_id: row.team_id, role: row.role } : null,
      },
    }
  }
}
