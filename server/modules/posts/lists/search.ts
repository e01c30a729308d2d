import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { timedSearch } from '../../../lib/db/timed-search.ts'
import { limitConcurrency, limitConcurrencyPerKey } from '../../../lib/runtime/concurrency/concurrency-limit.ts'

// A search reads up to MAX_SCANNED posts. The limits keep one workspace from delaying others, and all searches from
// taking all connections.
const perNode = limitConcurrency(6)
const perWorkspace = limitConcurrencyPerKey(2, 8)

/** Runs a search through a workspace's posts. It waits for a free slot and has a time limit. */
export const runSearch = <T>(db: Db, workspace_id: string, search: (tx: Tx) => Promise<T>) =>
  perWorkspace(workspace_id, () => perNode(() => timedSearch(db, 'narrow it by status, account or time', search)))

/** Condition: the text of a post contains each word of `search`. The words are folded only once. */
export function matches(search: string) {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return sql<SqlBool>`post.search_text like all ((
    select array_agg(folded(word)) from unnest(${patterns}::text[]) as word)::text[])`
}
