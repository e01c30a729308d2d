import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, notFound } from '../../../../errors.ts'
import { csvText } from '../../../../lib/csv.ts'
import { type Db, inTransaction, type Tx } from '../../../../lib/db/database.ts'
import { type Order, page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import type { IfMatch } from '../../../../lib/http/etag.ts'
import type { ChangeImportRow, ImportRow, ImportRowQuery } from '../imports.schema.ts'
import { findImport, lockImport } from '../imports.ts'
import { checkRows, readingOf } from './check-rows.ts'
import type { ImportedPost } from './read-row.ts'
import type { RowProblem } from './row-problems.ts'

const selectRows = (db: Db, import_id: string) =>
  db
    .selectFrom('post_import_row')
    .select(['row', 'line', 'state', 'post_id'])
    .select([
      sql<string[]>`cells`.as('cells'),
      sql<RowProblem[]>`problems`.as('problems'),
      sql<ImportedPost | null>`post`.as('post'),
    ])
    .where('import_id', '=', import_id)

const byRow: Order<'row'> = {
  by: { row: 'row' },
  direction: 'asc',
  decode: (text) => (/^\d{1,7}$/.test(text) ? [text] : undefined),
}

export async function listRows(
  db: Db,
  caller: Member,
  id: string,
  { state, field, ...cut }: Static<typeof ImportRowQuery>,
) {
  await findImport(db, caller, id)
  const rows = selectRows(db, id)
    .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'ok'))
    .$if(field !== undefined, (all) => all.where(sql<SqlBool>`problems @> ${JSON.stringify([{ field }])}::jsonb`))
  return page(rows, byRow, cut)
}

async function readRow(db: Db, id: string, row: number): Promise<Static<typeof ImportRow>> {
  const found = await selectRows(db, id).where('row', '=', row).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** Changes the cells of a row, or leaves the row out. It is checked at once. */
export const changeRow = (
  deps: Deps,
  caller: Member,
  { id, row }: { id: string; row: number },
  { cells, skip }: Static<typeof ChangeImportRow>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const record = await lockImport(tx, caller, id)
    ifMatch(record.version)
    if (record.status !== 'ready') throw invalidTransition(record.status, 'change a row of an import')
    const before = await readRow(tx, id, row)
    if (cells && cells.length > record.columns.length)
      throw invalid('/cells', `The file has ${record.columns.length} columns.`)
    await storeCells(tx, id, row, cells)
    const isSkipped = skip ?? before.state === 'skipped'
    if (isSkipped)
      await tx
        .updateTable('post_import_row')
        .set({ state: 'skipped', duplicate_keys: [] })
        .where('import_id', '=', id)
        .where('row', '=', row)
        .execute()
    else await checkRows(tx, record, [await readStored(tx, id, row)], await readingOf(tx, record), { now })
    await tx
      .updateTable('post_import')
      .set({ version: sql`version + 1`, updated_at: now })
      .where('id', '=', id)
      .execute()
    return readRow(tx, id, row)
  })

async function storeCells(tx: Tx, import_id: string, row: number, cells: string[] | undefined) {
  if (!cells) return
  const text = JSON.stringify(cells)
  // Faults that reading the file found are about the former cells.
  await sql`update post_import_row set cells = ${text}::jsonb, bytes = ${Buffer.byteLength(text)}::int, faults = '[]'
    where import_id = ${import_id} and row = ${row}::int`.execute(tx)
}

const readStored = (tx: Tx, import_id: string, row: number) =>
  tx
    .selectFrom('post_import_row')
    .select(['row', sql<string[]>`cells`.as('cells'), sql<RowProblem[]>`faults`.as('faults')])
    .where('import_id', '=', import_id)
    .where('row', '=', row)
    .executeTakeFirstOrThrow()

/** Rows of one read, few, because each may be long. */
const BATCH = 50

const csvLine = (cells: readonly string[]) =>
  `${cells
    .map((cell) => csvText(cell) ?? '')
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`

/** The rows with errors as CSV, with a column that says why, to be corrected and imported again. */
export async function exportErrors(db: Db, caller: Member, id: string) {
  const { columns } = await findImport(db, caller, id)
  return lines()

  async function* lines() {
    yield `\ufeff${csvLine([...columns, 'row', 'line', 'errors'])}`
    for (let after = 0; ; ) {
      const rows = await selectRows(db, id)
        .where('state', '=', 'error')
        .where('row', '>', after)
        .orderBy('row')
        .limit(sql.lit(BATCH))
        .execute()
      for (const { row, line, cells, problems } of rows) {
        const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)
        yield csvLine([...columns.map((_, index) => cells[index] ?? ''), String(row), String(line), errors.join(' ')])
      }
      if (rows.length < BATCH) return
      after = rows.at(-1)?.row ?? after
    }
  }
}
