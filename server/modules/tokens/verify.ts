import { LRUCache } from 'lru-cache'
import type { Identity } from '../../lib/access.ts'
import type { Keyring } from '../../lib/crypto.ts'
import { compiledOnce, type Db } from '../../lib/database.ts'
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
    .select([
      'api_token.id',
      'api_token.hashed_token',
      'api_token.scopes',
      'api_token.team_id',
      'api_token.revoked_at',
      'user.id as user_id',
      'user.email',
      'user.is_instance_admin',
      'user.workspace_id',
      'workspace_member.role',
    ])
    .where('api_token.prefix', '=', input.prefix),
)

type TokenRow = Awaited<ReturnType<typeof readToken>>[number]

/** Rows of tokens by prefix, and when each token was last used. Every call still checks the secret itself. */
export type TokenCache = {
  get: (prefix: string) => TokenRow | undefined
  set: (prefix: string, row: TokenRow, asOf: number) => void
  /** Counts announcements: what was read before the latest one must not be kept. */
  epoch: () => number
}

const FRESH_MS = 15_000

export function createTokenCache(pulse: Pulse): TokenCache {
  const rows = new LRUCache<string, TokenRow>({ max: 10_000, ttl: FRESH_MS })
  let epoch = 0
  pulse.onInvalid(() => {
    epoch++
    rows.clear()
  })
  return {
    get: (prefix) => (pulse.isHeard() ? rows.get(prefix) : undefined),
    set: (prefix, row, asOf) => {
      if (asOf === epoch) rows.set(prefix, row)
    },
    epoch: () => epoch,
  }
}

/** Who a token speaks for, or undefined: one answer for unknown, wrong, revoked, and no longer a member. */
export const tokenVerifier = ({
  db,
  keyring,
  cache,
  used,
}: {
  db: Db
  keyring: Keyring
  cache: TokenCache
  used: (id: string) => void
}) => {
  // Compared with when there is no such token, so that the time taken does not tell.
  const nobody = hashSecret(keyring, 'nobody')

  return async (token: string): Promise<Identity | undefined> => {
    const parts = parseToken(token)
    if (!parts) return
    let row = cache.get(parts.prefix)
    if (!row) {
      const asOf = cache.epoch()
      row = (await readToken(db, { prefix: parts.prefix }))[0]
      if (row) cache.set(parts.prefix, row, asOf)
    }
    const matches = matchesSecret(keyring, row?.hashed_token ?? nobody, parts.secret)
    if (!row || !matches || row.revoked_at || (row.team_id && !row.role)) return
    used(row.id)
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
