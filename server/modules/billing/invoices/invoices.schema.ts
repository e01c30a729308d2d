import { type Static, Type } from 'typebox'
import { Separator } from '../../../lib/csv.ts'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'

const time = (description: string) => nullable(Type.Unsafe<Date>({ ...Time, description }))
const text = (description: string, example: string, maxLength = 200) =>
  Type.String({ maxLength, description, examples: [example] })

const signed = (description: string, example: number) =>
  Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000, description, examples: [example] })

/** An amount that is negative on a credit note. */
const amount = (description: string, example: number) => signed(`${description}. Negative on a credit note.`, example)
const lineAmount = (description: string, example: number) =>
  signed(`${description}. Negative on a credit note, and for the unused time of a former plan.`, example)

const InvoiceNumber = text('Number, without gaps for each prefix and year.', 'MYD-2026-000042', 20)
const Status = Type.Enum(['open', 'paid', 'void'], {
  type: 'string',
  description: 'Status: `open`, `paid` or `void`. A credit note is `paid`.',
  examples: ['paid'],
})
const Kind = Type.Enum(['invoice', 'credit_note'], {
  type: 'string',
  description:
    'Kind: `invoice`, or `credit_note` for a refund; its amounts are negative, or positive if it takes back the note of a refund that failed.',
})

const Seller = Type.Object(
  {
    name: text('Name of the seller.', 'Meydan Software Ltd.', 1000),
    address: nullable(text('Address.', 'Istiklal Caddesi 1, Istanbul', 1000)),
    tax_office: nullable(text('Tax office.', 'Beyoğlu', 1000)),
    tax_id: nullable(text('Tax number.', '4540536920', 1000)),
  },
  { description: 'The seller at the time of issue.' },
)
const Buyer = Type.Object(
  {
    name: text('Name on the billing address, or the name of the workspace.', 'Bakery Ltd.'),
    line1: Type.Optional(text('First line of the address.', 'Moda Caddesi 5')),
    line2: Type.Optional(text('Second line of the address.', 'Floor 2')),
    postal: Type.Optional(text('Postal code.', '34710')),
    city: Type.Optional(text('City.', 'Istanbul')),
    country: Type.Optional(text('Country.', 'TR')),
    tax_id: Type.Optional(text('Tax number.', '10000000146')),
  },
  { description: 'The buyer at the time of issue.' },
)

const InvoiceLine = Type.Object({
  description: text('Description of the sale or refund.', 'Pro, monthly', 400),
  plan_name: nullable(text('Name of the plan. Null if the line is for no plan.', 'Pro', 80)),
  amount: lineAmount('Amount, VAT included', 499),
  vat_amount: lineAmount('VAT inside the amount', 83.17),
})

/** UUID of an e-Fatura or e-Arşiv document. */
const Ettn = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  description: 'ETTN of the official e-Fatura or e-Arşiv document.',
  examples: ['f47ac10b-58cc-4372-a567-0e02b2c3d479'],
})
const OfficialNumber = Line('Number of the official e-Fatura or e-Arşiv document', 'GIB2026000000042', 40)

const fields = {
  id: idOf('invoice'),
  number: InvoiceNumber,
  kind: Kind,
  status: Status,
  corrects: nullable(idOf('invoice', 'Id of the invoice that a credit note corrects. Null for an invoice.')),
  corrects_number: nullable(text('Number of that invoice.', 'MYD-2026-000041', 20)),
  subscription_id: nullable(idOf('subscription', 'Id of the subscription. Null if it is for none.')),
  payment_id: nullable(idOf('payment', 'Id of the payment. Null while the invoice is open.')),
  currency: Type.Enum(['TRY', 'USD'], { type: 'string', description: 'Currency of the amounts.' }),
  total: amount('Amount to pay, VAT included', 499),
  vat_percent: Type.Number({ minimum: 0, maximum: 100, description: 'VAT in percent.', examples: [20] }),
  vat_amount: amount('VAT inside the total', 83.17),
  net_amount: amount('Total without VAT', 415.83),
  credited: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Amount that credit notes gave back, VAT included.',
    examples: [0],
  }),
  lines: Type.Array(InvoiceLine, { maxItems: 100, description: 'Lines. Their amounts add up to the total.' }),
  seller: Seller,
  buyer: Buyer,
  language: Type.Enum(['en', 'tr'], { type: 'string', description: 'Language of the document.' }),
  period_start: time('Start of the period that is paid. Null for no period.'),
  period_end: time('End of the period that is paid. Null for no period.'),
  issued_at: Type.Unsafe<Date>({ ...Time, description: 'Time of issue. The number has its year in Turkey.' }),
  due_at: time('Time by which the invoice is to be paid. Null if it was paid at once.'),
  paid_at: time('Time of the payment. Null while the invoice is unpaid.'),
  voided_at: time('Time at which the invoice became void. Null if it is not void.'),
  ettn: nullable(Ettn),
  official_number: nullable(OfficialNumber),
  ubl_url: nullable(
    text(
      'Path of the UBL-TR document, for a token with `billing:read`. Null unless the invoice is paid.',
      '/api/v1/public/billing/invoices/01993a4c-2f10-7000-9000-000000000001/ubl',
    ),
  ),
}

export const Invoice = Type.Object(fields, { title: 'Invoice' })

export const AdminInvoice = Type.Object(
  {
    ...fields,
    workspace_id: nullable(idOf('workspace', 'Id of the workspace. Null if it no longer exists.')),
  },
  { title: 'AdminInvoice' },
)
export type InvoiceRecord = Static<typeof AdminInvoice>

export const InvoiceQuery = Closed({
  ...PageQuery,
  status: Type.Optional(Status),
  corrects: Type.Optional(idOf('invoice', 'Returns only the credit notes of the invoice with this id.')),
})

/** A month of the time zone of the numbers. */
const Month = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  maxLength: 7,
  description: 'Month of issue in Turkey, such as `2026-11`.',
  examples: ['2026-11'],
})

export const AdminInvoiceQuery = Closed({
  ...PageQuery,
  month: Type.Optional(Month),
  status: Type.Optional(Status),
  kind: Type.Optional(Kind),
  workspace_id: Type.Optional(idOf('workspace', 'Returns only invoices of the workspace with this id.')),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      pattern: '^[A-Za-z0-9-]+$',
      description: 'Returns only invoices whose number begins with this.',
      examples: ['MYD-2026-0000'],
    }),
  ),
})
const Day = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date',
      pattern: '^20',
      maxLength: 10,
      description,
      examples: ['2026-11-01'],
    }),
  )

const ubl = {
  profile: Type.Optional(
    Type.Enum(['EARSIVFATURA', 'TEMELFATURA', 'TICARIFATURA'], {
      type: 'string',
      default: 'EARSIVFATURA',
      description:
        'Profile of the document: `EARSIVFATURA` for buyers who are not registered for e-Fatura. A return is never a `TICARIFATURA`.',
      examples: ['EARSIVFATURA'],
    }),
  ),
  usd_rate: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 1_000_000,
      description: 'Lira for a dollar, for invoices in dollars. Without it they have no exchange rate.',
      examples: [42.15],
    }),
  ),
}
export const UblQuery = Closed(ubl)
export const UblExportQuery = Closed({
  ...ubl,
  month: Type.Optional(Month),
  from: Day('First day of issue in Turkey.'),
  to: Day('Last day of issue in Turkey.'),
})

export const ExportQuery = Closed({ month: Type.Optional(Month), separator: Separator })

export const OfficialInvoice = Closed(
  { ettn: Type.Optional(nullable(Ettn)), official_number: Type.Optional(nullable(OfficialNumber)) },
  {
    title: 'OfficialInvoice',
    minProperties: 1,
    examples: [{ ettn: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', official_number: 'GIB2026000000042' }],
  },
)
