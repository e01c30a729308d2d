import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid, invalidTransition, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { PostImport as PostImportTable } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import type { encodings } from '../../../lib/spreadsheet/decode.ts'
import { lockAccounts } from '../../accounts/accounts.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { type ImportField, importFields, type importFormats, repeatable } from './file/columns.ts'
import { type DateOrder, orderOf, parseDate, splitDate, type WallDate } from './file/dates.ts'
import type { ChangeImport, ConfirmImport, PostImport } from './imports.schema.ts'
import { accountNameKey } from './rows/account-names.ts'
import type { importStatuses } from './rows/read-row.ts'

/** Time in which an import can be undone, and after which it is erased. */
export const KEPT_MS = DAY

/**
 * An import in its states:
 *
 *        file ──▶ mapping ── nothing is missing ──▶ checking ── the job: all rows ──▶ ready
 *        mapping, ready ── another mapping ──▶ mapping or checking
 *        ready ── confirmed ──▶ writing ── the job: all rows ──▶ done
 *        done ── undone within a day ──▶ undoing ── the job: all posts ──▶ undone
 *
 * The job runs in batches, each one transaction that locks the import first. What a batch wrote is marked on its rows, so
 * a job that died goes on where it ended.
 */
export type ImportRecord = Omit<
  Selectable<PostImportTable>,
  'fields' | 'format' | 'encoding' | 'date_order' | 'written_as' | 'account_names'
> & {
  fields: ImportField[]
  format: (typeof importFormats)[number]
  encoding: (typeof encodings)[number] | 'xlsx'
  date_order: DateOrder | null
  written_as: (typeof importStatuses)[number] | null
  account_names: Record<string, string>
}

/** Imports that a member can see: editors all, authors their own. */
const visible = (db: Db, { workspace_id, role, user_id }: Member) =>
  db
    .selectFrom('post_import')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .$if(!atLeast(role, 'editor'), (all) => all.where('created_by', '=', user_id))
    .$castTo<ImportRecord>()

/** Reads the record of an import that the caller can see. Throws 404 for others. */
export async function findImport(db: Db, caller: Member, id: string) {
  const found = await visible(db, caller).where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export const listImports = (db: Db, caller: Member) =>
  visible(db, caller)
    .clearSelect()
    .select(['post_import.id', 'name', 'status', 'created_by', 'created_at', 'expires_at'])

export async function lockImport(tx: Tx, caller: Member, id: string) {
  const found = await visible(tx, caller).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export const enqueueImport = (tx: Tx, id: string) =>
  addJob(tx, 'run-import', { import_id: id }, { key: `import:${id}` })

/** The decisions that are missing before rows can be checked. */
function needsOf({ fields, date_order, date_is_ambiguous, account_ids }: ImportRecord) {
  const has = (...wanted: ImportField[]) => fields.some((field) => wanted.includes(field))
  return [
    ...(has('text', 'media') ? [] : ['text' as const]),
    ...(date_is_ambiguous && date_order === null ? ['date_order' as const] : []),
    ...(has('accounts', 'network') || account_ids.length > 0 ? [] : ['accounts' as const]),
  ]
}

/** Reads how the dates of a file are ordered. */
export async function readDateOrder(db: Db, id: string, fields: readonly ImportField[]) {
  const column = fields.indexOf('date')
  if (column === -1) return { date_order: null, date_is_ambiguous: false, date_examples: [] }
  const { rows } = await sql<{ cell: string | null }>`
    select left(cells ->> ${column}::int, 100) as cell from post_import_row where import_id = ${id}`.execute(db)
  const { order, isAmbiguous, examples } = orderOf(rows.map(({ cell }) => cell ?? ''))
  const date_examples = [...new Set(examples.map((cell) => splitDate(cell)[0]))]
  return { date_order: order, date_is_ambiguous: isAmbiguous, date_examples }
}

/** Has the rows checked if nothing is missing, or else lets the import wait for it. */
export async function restartChecks(tx: Tx, record: ImportRecord, now: Date) {
  const status = needsOf(record).length > 0 ? ('mapping' as const) : ('checking' as const)
  await sql`update post_import_row set state = 'unchecked', problems = '[]', post = null, duplicate_keys = '{}'
    where import_id = ${record.id} and state in ('ok', 'warning', 'error')`.execute(tx)
  await tx.updateTable('post_import').set({ status, updated_at: now }).where('id', '=', record.id).execute()
  if (status === 'checking') await enqueueImport(tx, record.id)
}

const dayText = (date: WallDate | undefined) =>
  date === undefined ? null : `${date.year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`

/** Languages whose dates begin with the month. The others begin with the day. */
const monthFirst = /^en-(?:US|PH)$/

const suggestedOrder = (locale: string): DateOrder | null =>
  monthFirst.test(locale) ? 'month_first' : /^en(?:-CA)?$/.test(locale) ? null : 'day_first'

async function countRows(db: Db, id: string): Promise<Static<typeof PostImport>['counts']> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state::text, count(*)::int as count from post_import_row where import_id = ${id} group by state`.execute(db)
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    ...{ rows: rows.reduce((sum, { count }) => sum + count, 0), unchecked: of('unchecked'), ok: of('ok') },
    ...{ warnings: of('warning'), errors: of('error'), skipped: of('skipped') },
    ...{ written: of('written'), undone: of('undone'), kept: of('kept') },
  }
}

/** Counts problems by column and code, and lists the names that are no account. */
async function summarize(db: Db, id: string) {
  const problems = await sql<Static<typeof PostImport>['problems'][number]>`
    select p ->> 'severity' as severity, p ->> 'field' as field, (p ->> 'column')::int as column, p ->> 'code' as code,
      count(*)::int as count
    from post_import_row, jsonb_array_elements(problems) as p
    where import_id = ${id} and state in ('warning', 'error') group by 1, 2, 3, 4 order by count(*) desc, 2, 4 limit 200`.execute(
    db,
  )
  const names = await sql<{ name: string }>`
    select distinct p ->> 'value' as name from post_import_row, jsonb_array_elements(problems) as p
    where import_id = ${id} and state = 'error' and p ->> 'code' in ('unknown_account', 'ambiguous_account')
    order by 1 limit 50`.execute(db)
  return { problems: problems.rows, unknown_accounts: names.rows.map(({ name }) => name) }
}

export async function readImport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
): Promise<Static<typeof PostImport> & { version: number }> {
  const record = await findImport(db, caller, id)
  const { locale } = await db
    .selectFrom('workspace')
    .select('locale')
    .where('id', '=', caller.workspace_id)
    .executeTakeFirstOrThrow()
  const { rows: samples } = await sql<{ cells: string[] }>`
    select cells from post_import_row where import_id = ${id} and row <= 3 order by row`.execute(db)
  const counts = await countRows(db, id)
  const isChecked = record.status !== 'mapping' && record.status !== 'checking'
  const summary = isChecked ? await summarize(db, id) : { problems: [], unknown_accounts: [] }
  const undoUntil = record.finished_at && new Date(record.finished_at.getTime() + KEPT_MS)
  return {
    ...record,
    ...summary,
    columns: record.columns.map((name, index) => ({
      name,
      field: record.fields[index] ?? 'ignore',
      samples: samples.map(({ cells }) => (cells[index] ?? '').slice(0, 100).toWellFormed()),
    })),
    needs: needsOf(record),
    suggested_date_order: suggestedOrder(locale),
    ambiguous_dates: record.date_is_ambiguous
      ? record.date_examples.map((value) => ({
          value: value.slice(0, 40),
          day_first: dayText(parseDate(value, 'day_first', { shortYears: record.format === 'buffer' })),
          month_first: dayText(parseDate(value, 'month_first', { shortYears: record.format === 'buffer' })),
        }))
      : [],
    counts,
    to_write: record.total,
    undo_until: record.status === 'done' && undoUntil && undoUntil > clock.now() ? undoUntil : null,
  }
}

function checkFields(record: ImportRecord, fields: readonly ImportField[]) {
  if (fields.length !== record.columns.length)
    throw invalid('/fields', `The file has ${record.columns.length} columns.`)
  for (const field of importFields) {
    const index = fields.lastIndexOf(field)
    if (!repeatable.includes(field) && fields.indexOf(field) < index)
      throw invalid(`/fields/${index}`, {
        en: 'Another column is this field already.',
        tr: 'Başka bir sütun zaten bu alan.',
      })
  }
}

/** Changes how a file is read, and has its rows checked again. */
export const changeImport = (
  deps: Deps,
  caller: Member,
  id: string,
  { fields, date_order, timezone, account_ids, account_names }: Static<typeof ChangeImport>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockImport(tx, caller, id)
    ifMatch(before.version)
    if (!['mapping', 'checking', 'ready'].includes(before.status))
      throw invalidTransition(before.status, 'change an import')
    if (fields) checkFields(before, fields)
    if (timezone) checkTimeZone(timezone)
    const accounts = account_ids?.map((one) => one.toLowerCase())
    if (accounts) await lockAccounts(tx, caller.workspace_id, accounts)
    await lockAccounts(tx, caller.workspace_id, Object.values(account_names ?? {}), () => '/account_names')
    const named = Object.entries(account_names ?? {}).map(([name, one]) => [accountNameKey(name), one.toLowerCase()])
    const dates =
      fields && fields.indexOf('date') !== before.fields.indexOf('date') && (await readDateOrder(tx, id, fields))
    const changed = await tx
      .updateTable('post_import')
      .set({
        ...(fields && { fields: [...fields] }),
        ...(dates && dates),
        ...(date_order !== undefined && { date_order }),
        ...(timezone && { timezone }),
        ...(accounts && { account_ids: accounts }),
        ...(account_names && { account_names: JSON.stringify(Object.fromEntries(named)) }),
        version: sql`version + 1`,
      })
      .where('id', '=', id)
      .returningAll()
      .$castTo<ImportRecord>()
      .executeTakeFirstOrThrow()
    await restartChecks(tx, changed, now)
    return readImport({ ...deps, db: tx }, caller, id)
  })

/** Confirms an import. Its rows become posts of the caller, created by the job. */
export const confirmImport = (
  deps: Deps,
  caller: Member,
  id: string,
  { only, as }: Static<typeof ConfirmImport>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { status, version } = await lockImport(tx, caller, id)
    ifMatch(version)
    if (status !== 'ready') throw invalidTransition(status, 'confirm an import')
    const states = only === 'ok' ? ['ok'] : ['ok', 'warning']
    const { total } = await tx
      .selectFrom('post_import_row')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('import_id', '=', id)
      .where(sql<boolean>`state::text = any(${states}::text[])`)
      .executeTakeFirstOrThrow()
    if (total === 0)
      throw invalid('/only', { en: 'No row can become a post.', tr: 'Gönderi olabilecek bir satır yok.' })
    await tx
      .updateTable('post_import')
      .set({ status: 'writing', acting_id: caller.user_id, written_as: as, written_states: states, total })
      .set({ confirmed_at: now, updated_at: now, version: sql`version + 1` })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'import.confirmed', id, { only, as, rows: total })
    await enqueueImport(tx, id)
    return readImport({ ...deps, db: tx }, caller, id)
  })

/** Has the job delete the posts of an import, except those that were published. */
export const undoImport = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { status, finished_at } = await lockImport(tx, caller, id)
    if (status !== 'done' || !finished_at || finished_at.getTime() + KEPT_MS <= now.getTime())
      throw invalidTransition(status === 'done' ? 'expired' : status, 'undo an import')
    await tx
      .updateTable('post_import')
      .set({ status: 'undoing', acting_id: caller.user_id, updated_at: now, version: sql`version + 1` })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'import.undone', id)
    await enqueueImport(tx, id)
    return readImport({ ...deps, db: tx }, caller, id)
  })

/** Erases an import. Its posts stay. */
export const deleteImport = ({ db }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const { status } = await lockImport(tx, caller, id)
    if (status === 'writing' || status === 'undoing') throw invalidTransition(status, 'delete an import')
    await tx.deleteFrom('post_import').where('id', '=', id).execute()
    await audit(tx, caller, 'import.deleted', id, { status })
  })

/** Erases imports a day after they ended or were left. */
export async function eraseImports({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  await db
    .deleteFrom('post_import')
    .where('expires_at', '<=', clock.now())
    .where('status', 'not in', ['writing', 'undoing'])
    .execute()
}
