import type { Db } from '../../../lib/db/database.ts'
import type { InvoiceRecord } from './invoices.schema.ts'
import { filterInvoices } from './list-invoices.ts'
import { recordOf } from './records.ts'

const BATCH = 500

const money = (amount: number) => amount.toFixed(2)
const time = (at: Date | null) => at?.toISOString() ?? ''

/** The columns. Money has a decimal point; a credit note is negative. */
const columns: Record<string, (invoice: InvoiceRecord) => string | null | undefined> = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  corrects: ({ corrects_number }) => corrects_number,
  issued_at: ({ issued_at }) => time(issued_at),
  due_at: ({ due_at }) => time(due_at),
  paid_at: ({ paid_at }) => time(paid_at),
  voided_at: ({ voided_at }) => time(voided_at),
  currency: ({ currency }) => currency,
  net_amount: ({ net_amount }) => money(net_amount),
  vat_percent: ({ vat_percent }) => String(vat_percent),
  vat_amount: ({ vat_amount }) => money(vat_amount),
  total: ({ total }) => money(total),
  lines: ({ lines }) => asText(lines.map(({ description }) => description).join('; ')),
  buyer_name: ({ buyer }) => asText(buyer.name),
  buyer_address: ({ buyer: { line1, line2, postal, city } }) =>
    asText([line1, line2, postal, city].filter(Boolean).join(', ')),
  buyer_country: ({ buyer }) => asText(buyer.country),
  buyer_tax_id: ({ buyer }) => asText(buyer.tax_id),
  official_number: ({ official_number }) => asText(official_number),
  ettn: ({ ettn }) => ettn,
  workspace_id: ({ workspace_id }) => workspace_id,
  payment_id: ({ payment_id }) => payment_id,
}

/** Programs run text of users that begins like a formula. An apostrophe makes it text. */
const asText = (text: string | null | undefined) => text?.replace(/^(?=[=+\-@\t\r])/, "'")

const quoted = (field: string | null | undefined) =>
  field && /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : (field ?? '')
const lineOf = (fields: (string | null | undefined)[]) => `${fields.map(quoted).join(',')}\r\n`

/**
 * The invoices of a month, or all, as CSV (RFC 4180), by number. It is read in batches while it is sent. The byte order mark
 * tells Excel that it is UTF-8.
 */
export async function* exportInvoices(db: Db, filters: { month?: string }) {
  yield `\ufeff${lineOf(Object.keys(columns))}`
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
    yield rows.map((row) => lineOf(Object.values(columns).map((column) => column(recordOf(row))))).join('')
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = [last.prefix, last.year, last.sequence]
  }
}
