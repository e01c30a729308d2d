import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { ExportQuery, InvoiceRecord } from './invoices.schema.ts'
import { invoicesByNumber } from './list-invoices.ts'
import { recordOf } from './records.ts'

const time = (at: Date | null) => at?.toISOString() ?? ''

/** A credit note is negative. */
const invoiceTable = csvTable<InvoiceRecord>({
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  corrects: ({ corrects_number }) => corrects_number,
  issued_at: ({ issued_at }) => time(issued_at),
  due_at: ({ due_at }) => time(due_at),
  paid_at: ({ paid_at }) => time(paid_at),
  voided_at: ({ voided_at }) => time(voided_at),
  currency: ({ currency }) => currency,
  net_amount: ({ net_amount }, { money }) => money(net_amount),
  vat_percent: ({ vat_percent }, { number }) => number(vat_percent),
  vat_amount: ({ vat_amount }, { money }) => money(vat_amount),
  total: ({ total }, { money }) => money(total),
  lines: ({ lines }) => csvText(lines.map(({ description }) => description).join('; ')),
  buyer_name: ({ buyer }) => csvText(buyer.name),
  buyer_address: ({ buyer: { line1, line2, postal, city } }) =>
    csvText([line1, line2, postal, city].filter(Boolean).join(', ')),
  buyer_country: ({ buyer }) => csvText(buyer.country),
  buyer_tax_id: ({ buyer }) => csvText(buyer.tax_id),
  official_number: ({ official_number }) => csvText(official_number),
  ettn: ({ ettn }) => ettn,
  workspace_id: ({ workspace_id }) => workspace_id,
  payment_id: ({ payment_id }) => payment_id,
})

/** The invoices of a month, or all, as CSV, by number. They are read in batches while they are sent. */
export async function* exportInvoices(db: Db, { separator, ...filters }: Static<typeof ExportQuery>) {
  const table = invoiceTable(separator)
  yield table.header
  for await (const rows of invoicesByNumber(db, filters)) yield table.lines(rows.map(recordOf))
}
