import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import { type Db, inTransaction, isTooSlow, type Tx } from './database.ts'

const SEARCH_MS = 3000

/** Runs a search with a time limit. `advice`: how to make it faster, for its 400. */
export async function timedSearch<T>(db: Db, advice: string, search: (tx: Tx) => Promise<T>) {
  try {
    return await inTransaction(db, async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(SEARCH_MS)}`.execute(tx)
      return search(tx)
    })
  } catch (error) {
    if (!isTooSlow(error)) throw error
    throw problem('search_too_slow', {
      detail: `The search was stopped because it took too long. Try again in a moment, or ${advice}.`,
      cause: error,
    })
  }
}
