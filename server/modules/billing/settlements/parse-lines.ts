import { decimalsOf } from '../../../../shared/currency.ts'
import type { Text } from '../../../lib/language.ts'
import { parseMinor } from '../../../lib/money.ts'
import { type SettlementLine, settlementKinds } from '../providers/provider.ts'

/** Columns of a settlement report. Their order is free, and others are ignored. */
const reportColumns = ['date', 'provider_payment_id', 'kind', 'amount', 'fee', 'currency', 'reference'] as const
type Column = (typeof reportColumns)[number]

/** A line that cannot be imported, with the reason. */
export type LineFault = { line: number; message: Text }

const MAX_TEXT = 200
const DAY_MS = 86_400_000
/** Years before it are typing errors. What was booked stays. */
const FIRST_YEAR = 2000
/** Major units. */
const MAX_AMOUNT = 10_000_000_000n

const faults = {
  date: {
    en: 'Write the date as 2026-11-03 or 2026-11-03 14:05, not in the future or before 2000.',
    tr: 'Tarihi 2026-11-03 veya 2026-11-03 14:05 biçiminde yazın; ileri bir tarih veya 2000 yılından önce olamaz.',
  },
  kind: {
    en: `Write one of ${settlementKinds.join(', ')} as the kind.`,
    tr: `Tür olarak şunlardan birini yazın: ${settlementKinds.join(', ')}.`,
  },
  sign: {
    en: 'Write payments and their fees without a minus sign, and refunds and payouts with one.',
    tr: 'Ödemeleri ve komisyonlarını eksi işareti olmadan, iadeleri ve banka aktarımlarını eksi işaretiyle yazın.',
  },
  currency: {
    en: 'Write the currency as three capital letters, such as TRY.',
    tr: 'Para birimini üç büyük harfle yazın, örneğin TRY.',
  },
  payment: {
    en: 'Write the id of the payment at the provider.',
    tr: 'Ödemenin sağlayıcıdaki numarasını yazın.',
  },
  reference: {
    en: `Write a reference of up to ${MAX_TEXT} characters that no other line has.`,
    tr: `Başka satırda olmayan, en çok ${MAX_TEXT} karakterlik bir referans yazın.`,
  },
} satisfies Record<string, Text>

/** The refusal of an amount, by the decimals of its currency. */
const amountFaults: Record<number, Text> = {
  0: {
    en: 'Write amount and fee without decimals and without separators of thousands, such as 1234: this currency has no decimals.',
    tr: 'Tutarı ve komisyonu ondalıksız ve binlik ayırıcı olmadan yazın, örneğin 1234: bu para biriminin ondalığı yok.',
  },
  2: {
    en: 'Write amount and fee with at most two decimals and without separators of thousands, such as 1234.50 or 1234,50.',
    tr: 'Tutarı ve komisyonu en çok iki ondalıkla ve binlik ayırıcı olmadan yazın, örneğin 1234,50 veya 1234.50.',
  },
  3: {
    en: 'Write amount and fee with at most three decimals and without separators of thousands, such as 1234.500 or 1234,500.',
    tr: 'Tutarı ve komisyonu en çok üç ondalıkla ve binlik ayırıcı olmadan yazın, örneğin 1234,500 veya 1234.500.',
  },
}

/** The places of the columns, with those that are missing, and those of which nobody knows which one counts. */
export function columnsOf(header: readonly string[]) {
  const names = header.map((name) => name.trim().toLowerCase())
  const places = new Map(reportColumns.map((column) => [column, names.indexOf(column)]))
  const missing = reportColumns.filter((column) => (places.get(column) ?? -1) < 0)
  const repeated = reportColumns.filter((column) => names.indexOf(column) !== names.lastIndexOf(column))
  return { places, missing, repeated }
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A time without a zone is in that of Turkey, like those of the providers. */
function timeOf(text: string, now: Date) {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = '+03:00'] = pattern.exec(text) ?? []
  if (year === undefined || Number(year) < FIRST_YEAR) return undefined
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  const isDay = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day)
  if (Number.isNaN(time.getTime()) || !isDay || time.getTime() > now.getTime() + DAY_MS) return undefined
  return time
}

function amountOf(text: string, currency: string) {
  const [, sign, amount = ''] = /^([+-]?)(\d{1,11}(?:[.,]\d{1,3})?)$/.exec(text) ?? []
  const minor = parseMinor(amount.replace(',', '.'), currency)
  if (minor === undefined || minor > MAX_AMOUNT * 10n ** BigInt(decimalsOf(currency))) return undefined
  return sign === '-' ? -minor : minor
}

const hasPayment = (kind: SettlementLine['kind']) => kind === 'payment' || kind === 'refund' || kind === 'dispute'

const hasSign = ({ kind, amount, fee }: Pick<SettlementLine, 'kind' | 'amount' | 'fee'>) =>
  kind === 'payment' ? amount > 0n && fee >= 0n : kind === 'refund' || kind === 'payout' ? amount < 0n : true

/** The movement of a line, or the reason why it is none. */
export function lineOf(cells: readonly string[], places: Map<Column, number>, now: Date): SettlementLine | Text {
  const cell = (column: Column) => (cells[places.get(column) ?? -1] ?? '').trim()
  const occurred_at = timeOf(cell('date'), now)
  if (!occurred_at) return faults.date
  const kind = settlementKinds.find((one) => one === cell('kind').toLowerCase())
  if (!kind) return faults.kind
  const currency = cell('currency') === 'TL' ? 'TRY' : cell('currency')
  if (!/^[A-Z]{3}$/.test(currency)) return faults.currency
  const amount = amountOf(cell('amount'), currency)
  const fee = amountOf(cell('fee') || '0', currency)
  if (amount === undefined || fee === undefined) return amountFaults[decimalsOf(currency)] ?? faults.currency
  if (!hasSign({ kind, amount, fee })) return faults.sign
  const payment = cell('provider_payment_id')
  if (payment.length > MAX_TEXT || (hasPayment(kind) && payment === '')) return faults.payment
  const reference = cell('reference')
  if (reference === '' || reference.length > MAX_TEXT) return faults.reference
  return {
    ...{ reference, kind, type: kind, currency, amount, fee, occurred_at },
    provider_payment_id: hasPayment(kind) ? payment : null,
    ...{ paid_amount: amount, paid_currency: currency },
  }
}

export const repeatedReference: Text = {
  en: 'Another line of the file has this reference.',
  tr: 'Dosyada bu referansı taşıyan başka bir satır var.',
}
export const changedLine: Text = {
  en: 'A line with this reference was imported before, with other values. A movement that was booked is never changed: correct it with a line of its own.',
  tr: 'Bu referansla daha önce başka değerler içe aktarıldı. İşlenmiş bir hareket değişmez: ayrı bir satırla düzeltin.',
}
