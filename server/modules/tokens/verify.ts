import type { Identity } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/crypto.ts'
import { compiledOnce, type Db } from '../../lib/database.ts'
import { heardCache } from '../../lib/heard-cache.ts'
import type { LastUse } from '../../lib/last-use.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { type Soon, soon } from '../../lib/soon.ts'
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

/** Until when `secret` opens the row, in milliseconds: the former one only for the overlap of a rotation. */
function validUntil(keyring: Keyring, row: TokenRow, secret: string) {
  const end = row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
  if (matchesSecret(keyring, row.hashed_token, secret)) return end
  const { previous_hashed_token: previous, previous_expires_at: until } = row
  if (previous === null || until === null || !matchesSecret(keyring, previous, secret)) return 0
  return Math.min(end, until.getTime())
}

const isLive = (row: TokenRow) =>
  row.revoked_at === null &&
  row.banned_at === null &&
  (row.team_id === null || (row.role !== null && row.workspace_deleted_at === null))

const identityOf = (row: TokenRow): Identity => ({
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
})

type Verified = { token_id: string; identity: Identity; until: number }

type Options = { db: Db; keyring: Keyring; pulse: Pulse; clock: Clock; lastUse: LastUse }

/**
 * Who a token speaks for, or undefined: one answer for unknown, wrong, revoked, expired, banned, and no longer a member.
 * What was verified is kept under the whole token, so that nothing but the token itself finds it.
 */
export function tokenVerifier({ db, keyring, pulse, clock, lastUse }: Options) {
  const cached = heardCache<Verified>(pulse)
  // Compared with when there is no such token, so that the time taken does not tell.
  const nobody = hashSecret(keyring, 'nobody')

  async function verify(token: string): Promise<Verified | undefined> {
    const parts = parseToken(token)
    if (!parts) return
    const [row] = await readToken(db, { prefix: parts.prefix })
    if (!row) {
      matchesSecret(keyring, nobody, parts.secret)
      return
    }
    const until = validUntil(keyring, row, parts.secret)
    return until > 0 && isLive(row) ? { token_id: row.id, identity: identityOf(row), until } : undefined
  }

  function use(verified: Verified | undefined) {
    if (!verified || verified.until <= clock.now().getTime()) return
    lastUse.note('api_token', verified.token_id)
    return verified.identity
  }

  return (token: string): Soon<Identity | undefined> =>
    soon(
      cached(token, () => verify(token)),
      use,
    )
}
