import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound, problem } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import { type PageInput, page, pageOfWorkspace } from '../../../lib/db/page.ts'
import type { User } from '../../../lib/http/access.ts'
import type { AdminInvoiceQuery, InvoiceQuery, OfficialInvoice } from './invoices.schema.ts'
import { SERIES_TIME_ZONE } from './invoices.ts'
import { type InvoiceRow, readRow, recordOf, selectInvoices } from './records.ts'
import { ublNumber } from './ubl.ts'

const BATCH = 500

const pageOfRecords = ({ data, next_cursor }: { data: InvoiceRow[]; next_cursor: string | null }) => ({
  data: data.map(recordOf),
  next_cursor,
})

export async function listInvoices(
  db: Db,
  workspace_id: string,
  { status, corrects, ...cut }: Static<typeof InvoiceQuery>,
) {
  let query = selectInvoices(db)
  if (status) query = query.where('invoice.status', '=', status)
  if (corrects) query = query.where('invoice.corrects', '=', corrects)
  return pageOfRecords(await pageOfWorkspace(query, 'invoice', workspace_id, cut))
}

export async function readInvoice(db: Db, workspace_id: string, id: string) {
  const row = await selectInvoices(db)
    .where('invoice.id', '=', id)
    .where('invoice.workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row)
}

/**
 * An invoice of any workspace in which the caller is owner or admin. A link opens its document and cannot name the
 * workspace.
 */
export async function readForLink(db: Db, { user_id, token }: User, id: string) {
  const row = await selectInvoices(db)
    .innerJoin('workspace', 'workspace.id', 'invoice.workspace_id')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'invoice.workspace_id')
    .where('invoice.id', '=', id)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace_member.role', 'in', ['owner', 'admin'])
    .$if(token?.membership != null, (query) =>
      query.where('invoice.workspace_id', '=', token?.membership?.workspace_id ?? ''),
    )
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The first moment of a day in the time zone of the numbers. */
const startOf = (day: RawBuilder<unknown>) => sql<Date>`(${day})::timestamp at time zone ${SERIES_TIME_ZONE}::text`

/** The first moment of a month, such as `2026-11`, and that of the next one. */
const monthOf = (month: string) => {
  const first = sql`${`${month}-01`}::date`
  return { start: startOf(first), end: startOf(sql`${first} + interval '1 month'`) }
}

/** `from`, `to`: the first and the last day of issue. */
type Filters = Omit<Static<typeof AdminInvoiceQuery>, keyof PageInput> & { from?: string; to?: string }

/** Invoices of all workspaces. */
function filterInvoices(db: Db, { month, from, to, status, kind, workspace_id, search }: Filters) {
  let query = selectInvoices(db)
  if (month) {
    const { start, end } = monthOf(month)
    query = query.where('invoice.issued_at', '>=', start).where('invoice.issued_at', '<', end)
  }
  if (from) query = query.where('invoice.issued_at', '>=', startOf(sql`${from}::date`))
  if (to) query = query.where('invoice.issued_at', '<', startOf(sql`${to}::date + 1`))
  if (status) query = query.where('invoice.status', '=', status)
  if (kind) query = query.where('invoice.kind', '=', kind)
  if (workspace_id) query = query.where('invoice.workspace_id', '=', workspace_id)
  // `search` has no character that LIKE treats as a wildcard.
  if (search) query = query.where('invoice.number', 'like', `${search.toUpperCase()}%`)
  return query
}

/** How many invoices these are, counted up to `most`. */
export async function countInvoices(db: Db, filters: Filters, most: number) {
  const found = filterInvoices(db, filters).clearSelect().select('invoice.id').limit(most).as('found')
  const { count } = await db
    .selectFrom(found)
    .select((found) => found.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Invoices by number, in batches. */
export async function* invoicesByNumber(db: Db, filters: Filters) {
  let after: [string, number, number] = ['', 0, 0]
  for (;;) {
    const [prefix, year, sequence] = after
    const rows = await filterInvoices(db, filters)
      .where((where) =>
        where(
          where.refTuple('invoice.prefix', 'invoice.year', 'invoice.sequence'),
          '>',
          where.tuple(prefix, year, sequence),
        ),
      )
      .orderBy('invoice.prefix')
      .orderBy('invoice.year')
      .orderBy('invoice.sequence')
      .limit(BATCH)
      .execute()
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = [last.prefix, last.year, last.sequence]
  }
}

export async function listAllInvoices(db: Db, { limit, cursor, ...filters }: Static<typeof AdminInvoiceQuery>) {
  const cut = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  return pageOfRecords(await page(filterInvoices(db, filters), 'invoice.id', cut))
}

/**
 * Refuses a number that another invoice has, or that the document of another one has or will have without an official
 * number.
 */
async function checkOfficialNumber(tx: Tx, { id, number }: InvoiceRow, official_number: string) {
  await sql`select pg_advisory_xact_lock(${locks.officialNumber}, hashtext(${official_number}))`.execute(tx)
  const other = await tx
    .selectFrom('invoice')
    .select('number')
    .where('official_number', '=', official_number)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (other) throw problem('official_number_taken', { detail: `The invoice ${other.number} has this number.` })
  const own = ublNumber({ official_number: null, number })
  const [, prefix = '', year] = /^(.{3})(20\d{2})\d{9}$/.exec(official_number) ?? []
  if (year === undefined || official_number === own) return
  const series = await tx
    .selectFrom('invoice_series')
    .select('prefix')
    .where('prefix', '=', prefix)
    .where('year', '=', Number(year))
    .executeTakeFirst()
  if (!series) return
  const detail = `Meydan gives the numbers ${prefix}${year}… to documents itself. That of this invoice is ${own}.`
  throw problem('official_number_taken', { detail })
}

/** Stores which official document was issued elsewhere for an invoice. */
export const setOfficialNumber = (db: Db, caller: User, id: string, change: Static<typeof OfficialInvoice>) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('invoice').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const before = await readRow(tx, id)
    if (change.official_number) await checkOfficialNumber(tx, before, change.official_number)
    await tx.updateTable('invoice').set(change).where('id', '=', id).execute()
    const after = await readRow(tx, id)
    const { workspace_id, number } = after
    await audit(tx, { ...caller, workspace_id }, 'invoice.official_number_set', id, {
      number,
      ...changedFields(before, after, Object.keys(change)),
    })
    return recordOf(after)
  })
