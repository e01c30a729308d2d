import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { MAX_FILE_BYTES } from '../../../lib/spreadsheet/limits.ts'
import { type ProviderName, providerNames, settlementKinds } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { differenceCodes } from './differences.ts'

const Provider = Type.Enum([...providerNames], { type: 'string', description: 'Payment provider.' })
const Kind = Type.Enum([...settlementKinds], {
  type: 'string',
  description: 'Kind of the movement. `other`: Meydan does not know it.',
})
const AnyCurrency = Type.String({
  pattern: '^[A-Z]{3}$',
  maxLength: 3,
  description: 'Currency (ISO 4217). A provider may report others than Meydan sells in.',
  examples: ['TRY'],
})
const Amount = (description: string) =>
  Type.Number({
    description: `${description}, in major units, with the decimals of the currency: none for JPY, three for KWD.`,
    examples: [-299.9],
  })
const Subject = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The provider's id of the payment or of the movement, or the currency of the balance.",
  examples: ['pi_3QX1'],
})
const Code = Type.Enum([...differenceCodes], { type: 'string', description: 'How Meydan and the provider differ.' })
/** Accounts that a difference can be booked to. */
const targets = ['provider_fees', 'bank', 'provider_differences'] as const
const Account = Type.Enum([...targets], { type: 'string', description: 'Account of the ledger.' })

export const SettlementLine = Type.Object(
  {
    id: idOf('settlement_line'),
    provider: Provider,
    reference: Type.String({
      maxLength: 200,
      description: "The provider's id of the movement.",
      examples: ['txn_1PgaxN'],
    }),
    kind: Kind,
    type: Type.String({ maxLength: 100, description: 'Kind by the name of the provider.', examples: ['charge'] }),
    provider_payment_id: nullable(
      Type.String({
        maxLength: 200,
        description: "The provider's id of the payment. Null for fees and payouts.",
        examples: ['pi_3QX1'],
      }),
    ),
    currency: AnyCurrency,
    amount: Amount('Amount before the fee. Negative when the balance fell'),
    fee: Amount('Fee of the provider. Negative when it was returned'),
    paid_currency: AnyCurrency,
    paid_amount: Amount('The amount in the currency of the payment, before the provider converted it'),
    occurred_at: Time,
    created_at: Time,
  },
  { title: 'SettlementLine' },
)
export const SettlementQuery = Closed({
  ...PageQuery,
  provider: Type.Optional(Provider),
  kind: Type.Optional(Kind),
})

const difference = { provider: Provider, code: Code, subject: Subject, currency: AnyCurrency }

export const Differences = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...difference,
        amount: Amount('By how much Meydan has more than the provider'),
        here: Amount('Amount by Meydan'),
        there: Amount('Amount by the provider'),
        payment_id: nullable(idOf('payment', 'Id of the payment. Null if Meydan does not have it.')),
        detail: Type.String({
          maxLength: 600,
          description: 'The difference in words.',
          examples: ['Movement txn_1PgaxN of -50.00 TRY is of a kind that is not known.'],
        }),
        bookable: Type.Boolean({ description: 'Whether it can be booked. If not, it can be explained.' }),
        occurred_at: Time,
      }),
      { maxItems: 200, description: 'The newest first.' },
    ),
    has_more: Type.Boolean({ description: 'Whether there are more than are listed.' }),
  },
  { title: 'SettlementDifferences' },
)

const Note = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why, for the accountant.',
  examples: ['Paid by bank transfer on 3 November.'],
})

export const NewRemedy = Closed(
  {
    ...difference,
    amount: Amount('The difference as it was shown. Another one is refused'),
    account: Type.Optional(Account),
    note: Note,
  },
  { title: 'NewSettlementRemedy' },
)
export const Remedy = Type.Object(
  {
    id: idOf('settlement_remedy'),
    ...difference,
    amount: Amount('The difference as it was then'),
    account: nullable(Account),
    note: Note,
    created_by: nullable(idOf('user', 'Id of the instance admin. Null if the account is gone.')),
    created_at: Time,
  },
  { title: 'SettlementRemedy' },
)
export const RemedyQuery = Closed(PageQuery)

/** Providers whose movements come as files: those that list them are read each hour. */
const filedProviders = providerNames.filter((name) => name !== 'manual' && !providerOf(name).readMovements)

export const UploadReport = Closed(
  {
    file: Type.Unsafe<never>(
      Type.String({
        format: 'binary',
        maxLength: MAX_FILE_BYTES,
        description: 'A CSV file or an Excel workbook (.xlsx), with up to 5,000 lines.',
        examples: ['(bytes)'],
      }),
    ),
    provider: Type.Unsafe<ProviderName>(
      Type.Enum(filedProviders, { type: 'string', description: 'Payment provider of the report.' }),
    ),
  },
  { title: 'UploadSettlementReport' },
)

/** A number of lines of one report. */
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

export const ReportSummary = Type.Object(
  {
    provider: Provider,
    new_lines: Count('Lines that were not imported before.'),
    known_lines: Count('Lines that were imported before. They change nothing.'),
    sums: Type.Array(
      Type.Object({
        kind: Kind,
        currency: AnyCurrency,
        count: Count('Number of new lines.'),
        amount: Amount('Sum of their amounts'),
        fee: Amount('Sum of their fees'),
      }),
      { maxItems: 5000, description: 'Sums of the new lines, by kind and currency.' },
    ),
    fault_count: Count('Lines that cannot be imported. With any, nothing is imported.'),
    faults: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Line of the file.' }),
        message: Type.String({
          maxLength: 400,
          description: 'Says why the line is refused.',
          examples: ['Write the currency.'],
        }),
        translations: Type.Optional(
          Type.Object({ tr: Type.String({ maxLength: 400 }) }, { description: 'The message in other languages.' }),
        ),
      }),
      { maxItems: 50, description: 'The first of them.' },
    ),
  },
  { title: 'SettlementReport' },
)
