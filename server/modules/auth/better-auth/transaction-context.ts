import { AsyncLocalStorage } from 'node:async_hooks'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'

const current = new AsyncLocalStorage<Tx>()

/** Wraps the database for a library that keeps one pool: inside of `runInTransaction` it is that transaction. */
export const transactionAwareDatabase = (db: Db): Db =>
  new Proxy(db, {
    get(target, name) {
      const real = current.getStore() ?? target
      // Kysely has private fields, so its methods must be called on the object itself.
      const value: unknown = Reflect.get(real, name, real)
      return typeof value === 'function' ? value.bind(real) : value
    },
  })

/** Runs `work` in one transaction, including its queries on a transaction-aware database. */
export const runInTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>) =>
  inTransaction(db, (tx) => current.run(tx, () => work(tx)))

/** Runs `work` as if no transaction were running. */
export const outsideTransactions = <T>(work: () => T): T => current.exit(work)

/** Returns the running transaction. Throws if there is none. */
export function currentTransaction() {
  const tx = current.getStore()
  if (!tx) throw new Error('better-auth was called outside of inAuthTransaction')
  return tx
}
