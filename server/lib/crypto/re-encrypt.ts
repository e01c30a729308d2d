import { sql } from 'kysely'
import { type Db, FIRST_ID } from '../db/database.ts'
import { type Keyring, seal, unseal } from './crypto.ts'

/** A column whose text is sealed for the context `table|id|column`. */
export type SealedColumn = readonly [table: string, column: string]

const BATCH = 100

/**
 * Reseals with the current key all values sealed with a former one, or those sealed with the key `from`. Values that
 * change during the run are left alone. Returns the number of resealed values.
 */
export async function reEncrypt(db: Db, keyring: Keyring, [table, column]: SealedColumn, from?: string) {
  const value = sql.ref(column)
  const isDue =
    from === undefined
      ? sql`not starts_with(${value}, ${`v1.${keyring.current('encryption').id}.`})`
      : sql`starts_with(${value}, ${`v1.${from}.`})`
  let count = 0
  for (let after = FIRST_ID; ; ) {
    const { rows } = await sql<{ id: string; sealed: string }>`
      select id, ${value} as sealed from ${sql.table(table)}
      where id > ${after}::uuid and ${isDue} order by id limit ${BATCH}`.execute(db)
    for (const { id, sealed } of rows) {
      const context = `${table}|${id}|${column}`
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${value} = ${seal(keyring, unseal(keyring, sealed, context), context)}
        where id = ${id} and ${value} = ${sealed}`.execute(db)
      count += Number(numAffectedRows)
    }
    const last = rows.at(-1)
    if (!last) return count
    after = last.id
  }
}
