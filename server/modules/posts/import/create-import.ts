import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { limitExceeded } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { Closed } from '../../../lib/http/schema/schema.ts'
import { languageOf } from '../../../lib/language.ts'
import type { FileRow } from '../../../lib/spreadsheet/csv.ts'
import { readFile } from '../../../lib/spreadsheet/read-file.ts'
import { fileReceiver, type ReceivedFile } from '../../../lib/spreadsheet/receive-file.ts'
import { quoted } from '../../../lib/text.ts'
import { lockAccounts } from '../../accounts/accounts.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { recognizeColumns } from './file/columns.ts'
import { UploadImport } from './imports.schema.ts'
import { type ImportRecord, readDateOrder, readImport, restartChecks } from './imports.ts'
import { type Columns, rowProblem } from './rows/row-problems.ts'

const { file: _, ...properties } = UploadImport.properties
const Fields = Closed(properties)

export const receiveImport = fileReceiver(Fields, 'account_ids')

/** Imports that a workspace can have within a day. */
const MAX_IMPORTS = 20
/** Bytes of rows that one statement writes. */
const BATCH_BYTES = 1_000_000
const BATCH_ROWS = 500

/** Reads a file, and has its rows checked if nothing is missing. The file itself is not kept. */
export async function createImport(
  deps: Deps,
  caller: Member,
  { bytes, name, fields: { encoding, timezone, account_ids = [] } }: ReceivedFile<Static<typeof Fields>>,
) {
  const { workspace_id, user_id } = caller
  const workspace = await deps.db
    .selectFrom('workspace')
    .select(['locale', 'timezone'])
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  if (timezone !== undefined) checkTimeZone(timezone)
  const fallback = languageOf(workspace.locale) === 'tr' ? 'windows-1254' : 'windows-1252'
  const file = await readFile(bytes, { fallback, chosen: encoding })
  const { format, hasHeader, columns, fields } = recognizeColumns(file.first)
  const rows = hasHeader ? file.rows.slice(1) : file.rows
  const accounts = account_ids.map((id) => id.toLowerCase())
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await assertRoom(tx, workspace_id, now)
    await lockAccounts(tx, workspace_id, accounts)
    const id = await newId(tx)
    await tx
      .insertInto('post_import')
      .values({
        ...{ id, workspace_id, created_by: user_id, format, columns, fields, has_header: hasHeader },
        ...{ encoding: file.encoding, delimiter: file.delimiter, created_at: now, updated_at: now },
        name: quoted(name, 150) || 'posts.csv',
        timezone: timezone ?? workspace.timezone,
        account_ids: accounts,
        expires_at: new Date(now.getTime() + DAY),
      })
      .execute()
    await insertRows(tx, id, rows, fields)
    const record = await tx
      .updateTable('post_import')
      .set(await readDateOrder(tx, id, fields))
      .where('id', '=', id)
      .returningAll()
      .$castTo<ImportRecord>()
      .executeTakeFirstOrThrow()
    await restartChecks(tx, record, now)
    await audit(tx, caller, 'import.created', id, { format, rows: rows.length })
    return readImport({ ...deps, db: tx }, caller, id)
  })
}

/** Throws when the workspace has as many imports as it may have. The lock keeps concurrent calls from exceeding it. */
async function assertRoom(tx: Tx, workspace_id: string, now: Date) {
  await tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('post_import')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspace_id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (count >= MAX_IMPORTS)
    throw limitExceeded(
      'imports',
      MAX_IMPORTS,
      count,
      `A workspace can have ${MAX_IMPORTS} imports within a day. Delete one that you no longer need.`,
    )
}

async function insertRows(tx: Tx, import_id: string, rows: readonly FileRow[], fields: Columns) {
  let batch: object[] = []
  let bytes = 0
  const flush = async () => {
    await sql`insert into post_import_row (import_id, row, line, cells, bytes, faults)
      select ${import_id}::uuid, row, line, cells, bytes, faults from json_to_recordset(${JSON.stringify(batch)}::json)
        as listed (row int, line int, cells jsonb, bytes int, faults jsonb)`.execute(tx)
    batch = []
    bytes = 0
  }
  for (const [index, { line, cells, fault }] of rows.entries()) {
    const size = Buffer.byteLength(JSON.stringify(cells))
    const faults = fault
      ? [rowProblem(fields, { field: 'ignore', code: 'invalid', text: fault, value: cells[0] ?? '' })]
      : []
    batch.push({ row: index + 1, line, cells, bytes: size, faults })
    bytes += size
    if (bytes >= BATCH_BYTES || batch.length === BATCH_ROWS) await flush()
  }
  if (batch.length > 0) await flush()
}
