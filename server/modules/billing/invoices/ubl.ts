import type { Static } from 'typebox'
import { decimalText } from '../../../../shared/currency.ts'
import { invalidTransition, problem } from '../../../errors.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { countryOf } from '../../workspaces/tax-ids.ts'
import type { UblQuery } from './invoices.schema.ts'
import { SERIES_TIME_ZONE } from './invoices.ts'
import type { InvoiceRow } from './records.ts'

type Party = { id: string; name: string; street: string; city: string; country: string } & {
  tax_office?: string | null
  /** Tax number of another country. */
  foreign_id?: string
}
type Attributes = Record<string, string>

/** Characters that XML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are taken out
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** TCKN of a buyer without a tax number. */
const UNKNOWN_BUYER = '11111111111'
/** VKN of a company of another country. */
const FOREIGN_COMPANY = '2222222222'
const VAT = '0015'
/** VAT of 0 for another reason than the listed exemptions. */
const NO_VAT = '351'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
const ROOT = {
  xmlns: `${NAMESPACE}:Invoice-2`,
  'xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
  'xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
}

const open = (name: string, attributes: Attributes) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
    .join('')}>`
const text = (name: string, value: string, attributes: Attributes = {}) =>
  `${open(`cbc:${name}`, attributes)}${escapeHtml(value.replace(FORBIDDEN, '').trim())}</cbc:${name}>`
const group = (name: string, ...children: (string | null)[]) =>
  `<cac:${name}>${children.filter((child) => child !== null).join('')}</cac:${name}>`

const dateFormat = new Intl.DateTimeFormat('sv-SE', {
  ...{ dateStyle: 'short', timeStyle: 'medium', timeZone: SERIES_TIME_ZONE },
})

function dateOf(at: Date): [date: string, time: string] {
  const [date = '', time = ''] = dateFormat.format(at).split(' ')
  return [date, time]
}

const OFFICIAL = /^[A-Z0-9]{3}20\d{2}\d{9}$/
/** A number of 16 characters: prefix, year and nine digits. The official one if it is known. */
export function ublNumber({ official_number, number }: Pick<InvoiceRow, 'official_number' | 'number'>) {
  if (official_number && OFFICIAL.test(official_number)) return official_number
  const [prefix, year, sequence = ''] = number.split('-')
  return `${prefix}${year}${sequence.padStart(9, '0')}`
}

/** The digits of a tax number of a company or a person in Turkey. Undefined for any other text. */
function turkishId(text: string | null | undefined) {
  const bare = text?.replaceAll(/\s/g, '').replace(/^TR/i, '') ?? ''
  return /^\d{10,11}$/.test(bare) ? bare : undefined
}

/** The reason for which an invoice has no UBL document; undefined if it has one. */
export const ublRefusal = ({ status, seller }: Pick<InvoiceRow, 'status' | 'seller'>) => {
  if (status !== 'paid') return invalidTransition(status, 'write an invoice as UBL')
  if (turkishId(seller.tax_id)) return undefined
  return problem('invoice_incomplete', {
    detail: 'The seller of the invoice has no Turkish tax number. Set `billing.seller` for later invoices.',
  })
}

function partyOf({ id, name, street, city, country, tax_office, foreign_id }: Party) {
  const isPerson = id.length === 11
  const words = name.trim().split(/\s+/)
  const family = words.length > 1 ? (words.pop() ?? name) : name
  return [
    group('PartyIdentification', text('ID', id, { schemeID: isPerson ? 'TCKN' : 'VKN' })),
    group('PartyName', text('Name', name)),
    group(
      'PostalAddress',
      text('StreetName', street),
      // The address of an invoice has no district.
      text('CitySubdivisionName', city),
      text('CityName', city),
      group('Country', text('Name', country)),
    ),
    tax_office ? group('PartyTaxScheme', group('TaxScheme', text('Name', tax_office))) : null,
    foreign_id ? group('PartyLegalEntity', text('RegistrationName', name), text('CompanyID', foreign_id)) : null,
    isPerson ? group('Person', text('FirstName', words.join(' ') || family), text('FamilyName', family)) : null,
  ]
}

const countryNames = new Intl.DisplayNames('tr', { type: 'region' })
function countryName(line: string) {
  const code = countryOf(line) ?? line
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

function sellerOf({ seller }: InvoiceRow): Party {
  const street = seller.address ?? '-'
  return {
    id: turkishId(seller.tax_id) ?? '',
    name: seller.name,
    street,
    city: street.split(',').at(-1)?.trim() || '-',
    country: 'Türkiye',
    tax_office: seller.tax_office,
  }
}

/** Digits of another country may look like a Turkish number, so the country decides. */
function buyerIdOf({ country = '', tax_id = '' }: InvoiceRow['buyer']): Pick<Party, 'id' | 'foreign_id'> {
  if (country.trim() === '' || countryOf(country) === 'TR') return { id: turkishId(tax_id) ?? UNKNOWN_BUYER }
  return tax_id.trim() === '' ? { id: UNKNOWN_BUYER } : { id: FOREIGN_COMPANY, foreign_id: tax_id }
}

function buyerOf({ buyer }: InvoiceRow): Party {
  const street = [buyer.line1, buyer.line2, buyer.postal].filter(Boolean).join(' ')
  return {
    ...buyerIdOf(buyer),
    name: buyer.name,
    street: street || '-',
    city: buyer.city || '-',
    country: countryName(buyer.country?.trim() || 'TR'),
  }
}

/** Lines without VAT, all above zero. What an invoice takes off is an allowance of the line before. */
function linesOf({ lines }: InvoiceRow, sign: bigint) {
  const sold: { name: string; net: bigint; vat: bigint; allowances: { reason: string; amount: bigint }[] }[] = []
  for (const { description, amount, vat_amount } of lines) {
    const vat = sign * BigInt(vat_amount)
    const net = sign * BigInt(amount) - vat
    const last = sold.at(-1)
    if (net < 0n && last) {
      last.allowances.push({ reason: description, amount: -net })
      last.vat += vat
    } else sold.push({ name: description, net, vat, allowances: [] })
  }
  return sold
}

/** An invoice as an unsigned UBL-TR 1.2 document, which an e-invoice program checks, numbers and signs. */
export function toUbl(row: InvoiceRow, { profile = 'EARSIVFATURA', usd_rate }: Static<typeof UblQuery> = {}) {
  const refusal = ublRefusal(row)
  if (refusal) throw refusal
  const isReturn = BigInt(row.total) < 0n
  const sign = isReturn ? -1n : 1n
  const { currency } = row
  const money = (name: string, minor: bigint) => text(name, decimalText(minor, currency), { currencyID: currency })
  const [total, vat] = [sign * BigInt(row.total), sign * BigInt(row.vat_amount)]
  const percent = Number(row.vat_percent)
  const taxOf = (taxable: bigint, amount: bigint) =>
    group(
      'TaxTotal',
      money('TaxAmount', amount),
      group(
        'TaxSubtotal',
        money('TaxableAmount', taxable),
        money('TaxAmount', amount),
        text('CalculationSequenceNumeric', '1'),
        text('Percent', String(percent)),
        group(
          'TaxCategory',
          amount === 0n ? text('TaxExemptionReasonCode', NO_VAT) : null,
          amount === 0n ? text('TaxExemptionReason', 'KDV - İstisna Olmayan Diğer') : null,
          group('TaxScheme', text('Name', 'KDV'), text('TaxTypeCode', VAT)),
        ),
      ),
    )
  const [date, time] = dateOf(row.issued_at)
  const [seller, buyer] = [sellerOf(row), buyerOf(row)]
  const lines = linesOf(row, sign)
  const { corrects_number, corrects_official_number, corrects_issued_at } = row
  const body = [
    text('UBLVersionID', '2.1'),
    text('CustomizationID', 'TR1.2'),
    // A return cannot have the profile whose receiver may refuse it.
    text('ProfileID', isReturn && profile === 'TICARIFATURA' ? 'TEMELFATURA' : profile),
    text('ID', ublNumber(row)),
    text('CopyIndicator', 'false'),
    text('UUID', row.ettn ?? row.id),
    text('IssueDate', date),
    text('IssueTime', time),
    text('InvoiceTypeCode', isReturn ? 'IADE' : 'SATIS'),
    text('Note', row.number),
    text('DocumentCurrencyCode', currency),
    text('LineCountNumeric', String(lines.length)),
    isReturn && corrects_number && corrects_issued_at
      ? group(
          'BillingReference',
          group(
            'InvoiceDocumentReference',
            text('ID', ublNumber({ number: corrects_number, official_number: corrects_official_number })),
            text('IssueDate', dateOf(corrects_issued_at)[0]),
            text('DocumentTypeCode', 'IADE'),
          ),
        )
      : null,
    group(
      'Signature',
      text('ID', seller.id, { schemeID: 'VKN_TCKN' }),
      group('SignatoryParty', ...partyOf(seller)),
      group('DigitalSignatureAttachment', group('ExternalReference', text('URI', `#Signature_${ublNumber(row)}`))),
    ),
    group('AccountingSupplierParty', group('Party', ...partyOf(seller))),
    group('AccountingCustomerParty', group('Party', ...partyOf(buyer))),
    currency === 'TRY' || usd_rate === undefined
      ? null
      : group(
          'PricingExchangeRate',
          text('SourceCurrencyCode', currency),
          text('TargetCurrencyCode', 'TRY'),
          text('CalculationRate', String(usd_rate)),
        ),
    taxOf(total - vat, vat),
    group(
      'LegalMonetaryTotal',
      money('LineExtensionAmount', total - vat),
      money('TaxExclusiveAmount', total - vat),
      money('TaxInclusiveAmount', total),
      money('PayableAmount', total),
    ),
    ...lines.map(({ name, net, vat, allowances }, index) => {
      const rest = allowances.reduce((sum, { amount }) => sum - amount, net)
      return group(
        'InvoiceLine',
        text('ID', String(index + 1)),
        text('InvoicedQuantity', '1', { unitCode: 'C62' }),
        money('LineExtensionAmount', rest),
        ...allowances.map(({ reason, amount }) =>
          group(
            'AllowanceCharge',
            text('ChargeIndicator', 'false'),
            text('AllowanceChargeReason', reason),
            money('Amount', amount),
            money('BaseAmount', net),
          ),
        ),
        taxOf(rest, vat),
        group('Item', text('Name', name)),
        group('Price', money('PriceAmount', net)),
      )
    }),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open('Invoice', ROOT)}${body.filter((part) => part !== null).join('')}</Invoice>\n`
}
