import { AsyncLocalStorage } from 'node:async_hooks'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'

const current = new AsyncLocalStorage<Tx>()

/** The database as a library sees it that was handed one connection pool for good: inside of `within`, that transaction. */
export const ambientDatabase = (db: Db): Db =>
  new Proxy(db, {
    get(target, name) {
      const real = current.getStore() ?? target
      // Kysely keeps private fields, so its methods must be called on the object itself.
      const value: unknown = Reflect.get(real, name, real)
      return typeof value === 'function' ? value.bind(real) : value
    },
  })

/** Runs `work` in one transaction with everything that goes through an ambient database meanwhile. */
export const within = <T>(db: Db, work: (tx: Tx) => Promise<T>) =>
  inTransaction(db, (tx) => current.run(tx, () => work(tx)))

/** The transaction that runs now, where there must be one. */
export function currentTransaction() {
  const tx = current.getStore()
  if (!tx) throw new Error('better-auth was called outside of the bridge')
  return tx
}
