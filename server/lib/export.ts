import { type Db, FIRST_ID } from './db/database.ts'

/** A part of the export of what is stored about a user: the JSON of its value, in pieces. Selects no secrets. */
export type ExportPart = (db: Db, user_id: string) => AsyncIterable<string>

const BATCH = 500

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
    for (
      let rows = await read(db, user_id, after, BATCH);
      rows.length > 0;
      rows = await read(db, user_id, after, BATCH)
    ) {
      yield (after === FIRST_ID ? '' : ',') + rows.map((row) => JSON.stringify(row)).join(',')
      after = rows.at(-1)?.id ?? after
      if (rows.length < BATCH) break
    }
    yield ']'
  }
