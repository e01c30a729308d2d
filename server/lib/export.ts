import { type Db, FIRST_ID } from './db/database.ts'

/** A part of the export of what is stored about a user: the JSON of its value, in pieces. Selects no secrets. */
export type ExportPart = (db: Db, user_id: string) => AsyncIterable<string>

/** Rows of the first batch, and of the largest. */
const FIRST_BATCH = 25
const MAX_BATCH = 500
/** Bytes of JSON that a batch should have, so that an export of long texts stays small in memory. */
const BATCH_BYTES = 250_000

/** A part that is read at once. */
export const exportValue = (read: (db: Db, user_id: string) => Promise<unknown>): ExportPart =>
  async function* (db, user_id) {
    yield JSON.stringify(await read(db, user_id))
  }

/** Reads the next rows with an id beyond `after`, up to `limit`. */
type Read = (db: Db, user_id: string, after: string, limit: number) => Promise<{ id: string }[]>

/** A part that can be long: a list of rows, read in batches by id. */
export const exportRows = (read: Read): ExportPart =>
  async function* (db, user_id) {
    yield '['
    let after = FIRST_ID
    let limit = FIRST_BATCH
    for (;;) {
      const rows = await read(db, user_id, after, limit)
      const text = rows.map((row) => JSON.stringify(row)).join(',')
      if (text) yield after === FIRST_ID ? text : `,${text}`
      after = rows.at(-1)?.id ?? after
      if (rows.length < limit) break
      const fitting = Math.floor((limit * BATCH_BYTES) / text.length)
      limit = Math.max(1, Math.min(MAX_BATCH, 2 * limit, fitting))
    }
    yield ']'
  }
