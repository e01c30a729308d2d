import type { Keyring } from '../../lib/crypto/crypto.ts'
import { hashSecret, matchesSecret } from '../../lib/crypto/hashed-secrets.ts'
import { type Db, prepared } from '../../lib/db/database.ts'
import type { Identity } from '../../lib/http/access.ts'
import { createInvalidatedCache } from '../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import type { Clock } from '../../lib/runtime/clock.ts'
import { type MaybePromise, whenReady } from '../../lib/runtime/concurrency/maybe-promise.ts'
import type { LastUse } from '../../lib/runtime/last-use.ts'
import { parseToken } from './token.ts'

const readToken = prepared((db, input: { prefix: string }) =>
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

/** End of validity of `secret`, in ms; 0 if wrong. A previous one is valid for the overlap of a rotation. */
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

type Options = { db: Db; keyring: Keyring; invalidationBus: InvalidationBus; clock: Clock; lastUse: LastUse }

/**
 * Identifies the user of a token. undefined if it is unknown, wrong, revoked or expired, or the user is banned or no
 * longer a member. The cache key is the whole token, so nothing else finds the entry.
 */
export function tokenVerifier({ db, keyring, invalidationBus, clock, lastUse }: Options) {
  const cached = createInvalidatedCache<Verified>(invalidationBus)
  const noteUse = lastUse.column('api_token', 'last_used_at')
  // Compared if the token does not exist, so that the time does not reveal it.
  const nobody = hashSecret(keyring, 'token', 'nobody')

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
    noteUse(verified.token_id)
    return verified.identity
  }

  return (token: string): MaybePromise<Identity | undefined> =>
    whenReady(
      cached(token, () => verify(token)),
      use,
    )
}
