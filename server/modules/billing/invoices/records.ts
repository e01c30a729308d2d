import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { languageOf } from '../../../lib/language.ts'
import { toMajor } from '../../../lib/money.ts'
import type { InvoiceRecord } from './invoices.schema.ts'

/** Invoices with the number of what they correct, and what credit notes gave back. */
export const selectInvoices = (db: Db) =>
  db
    .selectFrom('invoice')
    .leftJoin('invoice as corrected', 'corrected.id', 'invoice.corrects')
    .selectAll('invoice')
    .select([
      'corrected.number as corrects_number',
      'corrected.official_number as corrects_official_number',
      'corrected.issued_at as corrects_issued_at',
    ])
    .select(
      sql<string>`coalesce((select -sum(note.total) from invoice note where note.corrects = invoice.id), 0)`.as(
        'credited',
      ),
    )

export type InvoiceRow = Awaited<ReturnType<typeof readRow>>

/** The invoice with this id, in any workspace. */
export async function readRow(db: Db, id: string) {
  const row = await selectInvoices(db).where('invoice.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The invoice as the API and events show it. */
export const recordOf = (row: InvoiceRow): InvoiceRecord => ({
  ...row,
  total: toMajor(row.total),
  vat_percent: Number(row.vat_percent),
  vat_amount: toMajor(row.vat_amount),
  net_amount: toMajor(BigInt(row.total) - BigInt(row.vat_amount)),
  credited: toMajor(row.credited),
  lines: row.lines.map(({ amount, vat_amount, ...line }) => ({
    ...line,
    amount: amount / 100,
    vat_amount: vat_amount / 100,
  })),
  language: languageOf(row.language),
  ubl_url: row.status === 'paid' ? `/api/v1/public/billing/invoices/${row.id}/ubl` : null,
})
