import { type Language, languageOf } from '../../../lib/language.ts'
import { toMajor } from '../../../lib/money.ts'
import type { InvoiceRow } from './records.ts'
import { texts } from './texts.ts'

type Fact = { label: string; value: string }

/** The content of an invoice as formatted text. The page and the PDF show exactly this. */
export type InvoiceDocument = {
  language: Language
  title: string
  number: string
  /** Null on a credit note. */
  status: string | null
  issued_at: Date
  facts: Fact[]
  parties: { label: string; lines: string[] }[]
  columns: { item: string; vat: string; amount: string }
  lines: { item: string; vat: string; amount: string }[]
  /** The last one is the amount to pay. */
  totals: Fact[]
  /** States that it is not an official document. */
  note: string
  page: (page: number, pages: number) => string
}

const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR' }

export function documentOf(row: InvoiceRow): InvoiceDocument {
  const language = languageOf(row.language)
  const t = texts[language]
  const locale = locales[language]
  const currency = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: row.currency,
    currencyDisplay: 'narrowSymbol',
  })
  const money = (minor: bigint | string | number) => currency.format(toMajor(BigInt(minor)))
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: row.timezone })
  const fact = (label: string, value: string | null | undefined | false): Fact[] => (value ? [{ label, value }] : [])
  const dated = (label: string, time: Date | null) => fact(label, time && date.format(time))
  const { seller, buyer } = row
  return {
    language,
    title: t.title[row.kind],
    number: row.number,
    status: row.kind === 'invoice' ? t.status[row.status] : null,
    issued_at: row.issued_at,
    facts: [
      ...fact(t.number, row.number),
      ...fact(t.corrects, row.corrects_number),
      ...dated(t.issued, row.issued_at),
      ...(row.kind === 'invoice' ? dated(t.paid, row.paid_at) : []),
      ...(row.status === 'open' ? dated(t.due, row.due_at) : []),
      ...dated(t.voided, row.voided_at),
      ...fact(
        t.periodLabel,
        row.period_start && row.period_end && `${date.format(row.period_start)} – ${date.format(row.period_end)}`,
      ),
      ...fact(t.given, row.credited !== '0' && money(row.credited)),
      ...fact(t.officialNumber, row.official_number),
      ...fact('ETTN', row.ettn),
    ],
    parties: [
      {
        label: t.seller,
        lines: present(
          seller.name,
          seller.address,
          seller.tax_office && `${t.taxOffice}: ${seller.tax_office}`,
          seller.tax_id && `${t.taxId}: ${seller.tax_id}`,
        ),
      },
      {
        label: t.buyer,
        lines: present(
          buyer.name,
          buyer.line1,
          buyer.line2,
          present(buyer.postal, buyer.city).join(' '),
          buyer.country,
          buyer.tax_id && `${t.taxId}: ${buyer.tax_id}`,
        ),
      },
    ],
    columns: { item: t.item, vat: t.vatIncluded, amount: t.amount },
    lines: row.lines.map(({ description, amount, vat_amount }) => ({
      item: description,
      vat: money(vat_amount),
      amount: money(amount),
    })),
    totals: [
      { label: t.net, value: money(BigInt(row.total) - BigInt(row.vat_amount)) },
      { label: t.vat(percent.format(Number(row.vat_percent) / 100)), value: money(row.vat_amount) },
      { label: t.total, value: money(row.total) },
    ],
    note: row.official_number || row.ettn ? t.officialElsewhere : t.notOfficial,
    page: t.page,
  }
}

const present = (...lines: (string | null | undefined)[]) => lines.flatMap((line) => (line ? [line] : []))
