import { type SqlBool, sql } from 'kysely'
import { problem } from '../../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { limitConcurrency, limitConcurrencyPerKey } from '../../../lib/runtime/concurrency/concurrency-limit.ts'

const SEARCH_MS = 3000

// A search reads up to MAX_SCANNED posts. The limits keep one workspace from delaying others, and all searches from
// taking all connections.
const perNode = limitConcurrency(6)
const perWorkspace = limitConcurrencyPerKey(2, 8)

const tookTooLong = (error: unknown) => codeOf(error) === '57014'

/** Runs a search through a workspace's posts. It waits for a free slot and has a time limit. */
export const runSearch = <T>(db: Db, workspace_id: string, search: (tx: Tx) => Promise<T>) =>
  perWorkspace(workspace_id, () =>
    perNode(async () => {
      try {
        return await inTransaction(db, async (tx) => {
          await sql`set local statement_timeout = ${sql.lit(SEARCH_MS)}`.execute(tx)
          return search(tx)
        })
      } catch (error) {
        if (!tookTooLong(error)) throw error
        throw problem('search_too_slow', {
          detail:
            'The search was stopped because it took too long. Try again in a moment, or narrow it by status, account or time.',
          cause: error,
        })
      }
    }),
  )

/** Condition: the text of a post contains each word of `search`. The words are folded only once. */
export function matches(search: string) {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return sql<SqlBool>`post.search_text like all ((
    select array_agg(folded(word)) from unnest(${patterns}::text[]) as word)::text[])`
}
