import { sql } from 'kysely'
import { type Keyring, seal, unseal } from './crypto.ts'
import { type Db, FIRST_ID } from './database.ts'

/** A column whose text is sealed for the place `table|id|column`. */
export type SealedColumn = readonly [table: string, column: string]

const BATCH = 100

/**
 * Seals under the current key what rests under a former one. What is changed meanwhile stays as it was changed.
 * Returns how many values it sealed.
 */
export async function reseal(db: Db, keyring: Keyring, [table, column]: SealedColumn) {
  const value = sql.ref(column)
  const current = `v1.${keyring.current('encryption').id}.`
  let count = 0
  for (let after = FIRST_ID; ; ) {
    const { rows } = await sql<{ id: string; sealed: string }>`
      select id, ${value} as sealed from ${sql.table(table)}
      where id > ${after}::uuid and not starts_with(${value}, ${current}) order by id limit ${BATCH}`.execute(db)
    for (const { id, sealed } of rows) {
      const place = `${table}|${id}|${column}`
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${value} = ${seal(keyring, unseal(keyring, sealed, place), place)}
        where id = ${id} and ${value} = ${sealed}`.execute(db)
      count += Number(numAffectedRows)
    }
    const last = rows.at(-1)
    if (!last) return count
    after = last.id
  }
}
