import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { problem } from '../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'
import { gate } from '../../lib/gate.ts'

const SEARCH_MS = 3000

// A search reads all posts of a workspace. Those of one must not keep others from theirs, and those of all together
// must leave connections for everything else.
const perNode = gate(6)
const perWorkspace = new LRUCache<string, ReturnType<typeof gate>>({ max: 1000 })

function gateOf(workspace_id: string) {
  const known = perWorkspace.get(workspace_id)
  if (known) return known
  const made = gate(2, 8)
  perWorkspace.set(workspace_id, made)
  return made
}

const tookTooLong = (error: unknown) => error instanceof Error && 'code' in error && error.code === '57014'

/** Runs what searches through the posts of a workspace, when it is its turn and for some seconds at most. */
export const searching = <T>(db: Db, workspace_id: string, search: (tx: Tx) => Promise<T>) =>
  gateOf(workspace_id)(() =>
    perNode(async () => {
      try {
        return await inTransaction(db, async (tx) => {
          await sql`set local statement_timeout = ${sql.lit(SEARCH_MS)}`.execute(tx)
          return search(tx)
        })
      } catch (error) {
        if (!tookTooLong(error)) throw error
        throw problem('search_too_slow', {
          detail: 'The search was broken off. Try again in a moment, or narrow it by status, account or time.',
          cause: error,
        })
      }
    }),
  )

/** Whether the text of a post has `search` in it. That is folded once, not for each post. */
export const matches = (search: string) =>
  sql<boolean>`strpos(post.search_text, (select folded(${search})) collate "C") > 0`
