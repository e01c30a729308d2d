import { type Insertable, sql } from 'kysely'
import { invalid, invalidTransition } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Invoice } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import { type Language, languageOf } from '../../../lib/language.ts'
import { divideHalfEven, toMajor } from '../../../lib/money.ts'
import { queueMail } from '../../mail/mail.ts'
import type { Currency } from '../providers/provider.ts'
import { listBillingContacts } from '../records/contacts.ts'
import { formatDecimal } from '../records/format.ts'
import { invoiceEvents } from './invoices.events.ts'
import { type InvoiceRow, readRow, recordOf } from './records.ts'
import { describeItem, type Item, texts } from './texts.ts'

/** VAT inside an amount that includes it. Amounts are minor units. `percent` has at most two decimals. */
export function vatWithin(amount: bigint, percent: number) {
  const rate = BigInt(Math.round(percent * 100))
  return divideHalfEven(amount * rate, 10_000n + rate)
}

/** VAT inside each amount. Their sum is the VAT inside the total: rounding is carried from line to line. */
export function vatOfLines(amounts: readonly bigint[], percent: number) {
  let total = 0n
  let vat = 0n
  return amounts.map((amount) => {
    total += amount
    const before = vat
    vat = vatWithin(total, percent)
    return vat - before
  })
}

/**
 * VAT inside the next part of an amount, after `before` was taken from it. All parts together have the VAT of the
 * whole.
 */
export const vatOfPart = (whole: { amount: bigint; vat: bigint }, before: bigint, part: bigint) =>
  divideHalfEven(whole.vat * (before + part), whole.amount) - divideHalfEven(whole.vat * before, whole.amount)

export type InvoiceDeps = Pick<Deps, 'clock' | 'options' | 'baseUrl' | 'log'>

/** Numbers begin again with a year in Turkey, where VAT is declared, whatever the time zone of the buyer is. */
export const SERIES_TIME_ZONE = 'Europe/Istanbul'
const yearFormat = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: SERIES_TIME_ZONE })

/** `amount`: minor units, VAT included. */
export type NewLine = Item & { amount: bigint }
export type NewInvoice = {
  workspace_id: string
  subscription_id: string | null
  checkout_id: string | null
  /** Set for a paid invoice. */
  payment_id: string | null
  /** At least one. Their sum is the total. */
  lines: readonly NewLine[]
  currency: Currency
  status: 'open' | 'paid'
  due_at: Date | null
  period: { start: Date; end: Date } | null
}

/**
 * Issues an invoice with the next number. All other invoices wait from here until the commit, so that no number is left
 * out: call it last in the transaction. A paid one is announced.
 */
export async function issueInvoice(tx: Tx, deps: InvoiceDeps, input: NewInvoice) {
  const { workspace_id, subscription_id, checkout_id, payment_id, lines, currency, status, due_at, period } = input
  const workspace = await tx
    .selectFrom('workspace')
    .select(['name', 'locale', 'timezone', 'billing_address'])
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const vat_percent = await deps.options.get('billing.vat_percent', tx)
  const seller = await sellerOf(tx, deps)
  const language = languageOf(workspace.locale)
  const amounts = lines.map(({ amount }) => amount)
  const vat = vatOfLines(amounts, vat_percent)
  const now = deps.clock.now()
  const invoice = await insertNumbered(tx, deps, 'invoice.issued', now, {
    ...{ workspace_id, subscription_id, checkout_id, payment_id, currency, due_at },
    kind: 'invoice',
    status,
    total: sum(amounts),
    vat_percent,
    vat_amount: sum(vat),
    seller: JSON.stringify(seller),
    buyer: JSON.stringify({ name: workspace.name, ...workspace.billing_address }),
    lines: JSON.stringify(
      lines.map((line, index) => ({
        description: describeItem(language, line),
        plan_name: line.item === 'instalments' ? null : line.plan_name,
        amount: Number(line.amount),
        vat_amount: Number(vat[index]),
      })),
    ),
    language,
    timezone: workspace.timezone,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    paid_at: status === 'paid' ? now : null,
  })
  if (status === 'paid') await announcePaid(tx, deps, invoice)
  return invoice
}

/** Marks an open invoice as paid and announces it. The same payment again changes nothing. */
export async function markPaid(tx: Tx, deps: InvoiceDeps, invoice_id: string, payment_id: string) {
  const { numUpdatedRows } = await tx
    .updateTable('invoice')
    .set({ status: 'paid', payment_id, paid_at: deps.clock.now() })
    .where('id', '=', invoice_id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  const invoice = await readRow(tx, invoice_id)
  if (numUpdatedRows > 0n) await announcePaid(tx, deps, invoice)
  else if (invoice.payment_id !== payment_id) throw invalidTransition(invoice.status, 'pay the invoice')
  return invoice
}

/** Makes an open invoice void. Its number stays taken. Repeating it changes nothing. */
export async function voidInvoice(tx: Tx, deps: Pick<Deps, 'clock'>, invoice_id: string) {
  const { numUpdatedRows } = await tx
    .updateTable('invoice')
    .set({ status: 'void', voided_at: deps.clock.now() })
    .where('id', '=', invoice_id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  const invoice = await readRow(tx, invoice_id)
  if (numUpdatedRows > 0n) await auditInvoice(tx, 'invoice.voided', invoice)
  else if (invoice.status !== 'void') throw invalidTransition(invoice.status, 'void the invoice')
  return invoice
}

/**
 * Issues the credit note of a refund, with the seller and the buyer of the invoice. Call it last in the transaction, as
 * `issueInvoice`. The same refund again returns the same note. Throws 400 for more than what is left of the payment.
 */
export async function issueCreditNote(
  tx: Tx,
  deps: InvoiceDeps,
  { invoice_id, refund_id, amount }: { invoice_id: string; refund_id: string; amount: bigint },
) {
  // Refunds of one invoice take turns, so that together they do not exceed it.
  await tx.selectFrom('invoice').select('id').where('id', '=', invoice_id).forNoKeyUpdate().execute()
  const earlier = await tx.selectFrom('invoice').select('id').where('refund_id', '=', refund_id).executeTakeFirst()
  if (earlier) return readRow(tx, earlier.id)
  const invoice = await readRow(tx, invoice_id)
  if (invoice.kind !== 'invoice' || invoice.status !== 'paid')
    throw invalidTransition(invoice.status, 'refund the invoice')
  const [total, credited] = [BigInt(invoice.total), BigInt(invoice.credited)]
  if (amount <= 0n || credited + amount > total)
    throw invalid('/amount', `At most ${toMajor(total - credited)} ${invoice.currency} can be refunded.`)
  return insertNote(tx, deps, invoice, {
    amount,
    refund_id,
    line: (language) => texts[language].refundOf(invoice.number),
  })
}

/**
 * Takes the credit note of a refund back that failed after it had succeeded: another note has its amount. Call it last in
 * the transaction, once for a refund.
 */
export async function reverseCreditNote(tx: Tx, deps: InvoiceDeps, refund_id: string) {
  const note = await tx.selectFrom('invoice').selectAll().where('refund_id', '=', refund_id).executeTakeFirst()
  if (!note?.corrects) return
  await tx.selectFrom('invoice').select('id').where('id', '=', note.corrects).forNoKeyUpdate().execute()
  const invoice = await readRow(tx, note.corrects)
  const line = (language: Language) => texts[language].failedRefundOf(note.number)
  await insertNote(tx, deps, invoice, { amount: BigInt(note.total), refund_id: null, line })
}

type Note = { amount: bigint; refund_id: string | null; line: (language: Language) => string }

/** `amount`: what the buyer gets back; negative for what the buyer does not get after all. */
function insertNote(tx: Tx, deps: InvoiceDeps, invoice: InvoiceRow, { amount, refund_id, line: describe }: Note) {
  const [total, credited] = [BigInt(invoice.total), BigInt(invoice.credited)]
  const vat_amount = -vatOfPart({ amount: total, vat: BigInt(invoice.vat_amount) }, credited, amount)
  const { workspace_id, subscription_id, checkout_id, payment_id, currency, vat_percent, timezone } = invoice
  const language = languageOf(invoice.language)
  const now = deps.clock.now()
  const line = {
    description: describe(language),
    plan_name: null,
    amount: -Number(amount),
    vat_amount: Number(vat_amount),
  }
  return insertNumbered(tx, deps, 'invoice.credited', now, {
    ...{ workspace_id, subscription_id, checkout_id, payment_id, refund_id, currency, vat_percent, language, timezone },
    kind: 'credit_note',
    corrects: invoice.id,
    status: 'paid',
    total: -amount,
    vat_amount,
    seller: JSON.stringify(invoice.seller),
    buyer: JSON.stringify(invoice.buyer),
    lines: JSON.stringify([line]),
    paid_at: now,
  })
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

async function insertNumbered(
  tx: Tx,
  { options }: Pick<Deps, 'options'>,
  action: 'invoice.issued' | 'invoice.credited',
  now: Date,
  columns: Omit<Insertable<Invoice>, 'prefix' | 'year' | 'sequence' | 'issued_at'>,
) {
  const series = { prefix: await options.get('billing.invoice_prefix', tx), year: Number(yearFormat.format(now)) }
  const { last_sequence } = await tx
    .insertInto('invoice_series')
    .values({ ...series, last_sequence: 1 })
    .onConflict((conflict) =>
      conflict.columns(['prefix', 'year']).doUpdateSet({ last_sequence: sql`invoice_series.last_sequence + 1` }),
    )
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('invoice')
    .values({ ...columns, ...series, sequence: last_sequence, issued_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invoice = await readRow(tx, id)
  await auditInvoice(tx, action, invoice)
  return invoice
}

const auditInvoice = (tx: Tx, action: string, { id, workspace_id, number, total, currency }: InvoiceRow) =>
  audit(tx, system(workspace_id), action, id, { number, total: toMajor(total), currency })

/** Writes the event, and a mail to each owner and admin. */
async function announcePaid(tx: Tx, deps: InvoiceDeps, invoice: InvoiceRow) {
  const { workspace_id, number, currency } = invoice
  await auditInvoice(tx, 'invoice.paid', invoice)
  if (workspace_id === null) return
  await emit(tx, invoiceEvents['billing.invoice.paid'], workspace_id, { invoice: recordOf(invoice) }, deps.clock.now())
  for (const { email, name, locale, workspace_name, slug } of await listBillingContacts(tx, workspace_id)) {
    await queueMail(tx, deps, {
      key: 'billing-receipt',
      to: { address: email, name },
      locale,
      variables: {
        workspace_name,
        plan_name: invoice.lines[0]?.plan_name ?? invoice.lines[0]?.description ?? '–',
        amount: formatDecimal(BigInt(invoice.total), languageOf(locale)),
        currency,
        invoice_number: number,
        invoice_url: `${deps.baseUrl}/w/${slug}/billing/invoices/${invoice.id}`,
      },
    })
  }
}

/**
 * The seller of the options: name, address, tax office and tax number, one line each. Lines between the first and the
 * last two are the address. Without any, the instance itself.
 */
async function sellerOf(tx: Tx, { options }: Pick<Deps, 'options'>) {
  const lines = (await options.get('billing.seller', tx)).split('\n').map((line) => line.trim())
  const [name = '', ...rest] = lines.filter((line) => line !== '')
  const addressLines = Math.max(1, rest.length - 2)
  const [tax_office = null, tax_id = null] = rest.slice(addressLines)
  return {
    name: name || (await options.get('app.name', tx)),
    address: rest.slice(0, addressLines).join(', ') || null,
    tax_office,
    tax_id,
  }
}
