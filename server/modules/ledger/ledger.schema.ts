import { Type } from 'typebox'
import type { LedgerAccountKind } from '../../lib/db/database-types.ts'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'
import { Currency } from '../../lib/money.ts'
import { hasBound } from './accounts.ts'

const Kind = Type.Unsafe<LedgerAccountKind>(
  Type.Enum(Object.keys(hasBound), { type: 'string', description: 'Kind of the account.' }),
)
const Owner = Type.String({
  maxLength: 100,
  description:
    'Payment provider, order, seller or payout that the account is for. Empty: there is one account of the kind.',
  examples: ['stripe'],
})
const Amount = (description: string) =>
  Type.Number({ description: `${description}, in major units.`, examples: [-299.9] })

export const LedgerAccount = Type.Object(
  {
    id: idOf('ledger_account'),
    kind: Kind,
    owner: Owner,
    currency: Currency,
    balance: Amount('Sum of its entries. Negative for money at a provider'),
    created_at: Time,
  },
  { title: 'LedgerAccount' },
)
export const LedgerAccountQuery = Closed({ ...PageQuery, kind: Type.Optional(Kind) })

export const LedgerTransaction = Type.Object(
  {
    id: idOf('ledger_transaction'),
    kind: Type.String({ maxLength: 60, description: 'Reason of the transaction.', examples: ['subscription_payment'] }),
    reference: idOf('payment', 'Id of the record that moved the money, such as a payment or refund.'),
    reverses: nullable(idOf('ledger_transaction', 'Id of the transaction that it takes back. Null for others.')),
    entries: Type.Array(
      Type.Object({
        account_id: idOf('ledger_account'),
        kind: Kind,
        owner: Owner,
        currency: Currency,
        amount: Amount('Positive: credited. Negative: debited'),
        balance_after: Amount('Balance of the account after it'),
      }),
      { maxItems: 100, description: 'Entries. They sum to zero in each currency.' },
    ),
    occurred_at: Time,
    created_at: Time,
  },
  { title: 'LedgerTransaction' },
)
export const LedgerTransactionQuery = Closed({
  ...PageQuery,
  account_id: Type.Optional(idOf('ledger_account', 'Id of an account with an entry.')),
  reference: Type.Optional(idOf('payment', 'Id of the record that moved the money.')),
})

export const LedgerReport = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the ledger adds up, and has what the payment providers report.' }),
    problems: Type.Array(
      Type.Object({
        code: Type.String({ maxLength: 60, description: 'Rule that is broken.', examples: ['wrong_balance'] }),
        detail: Type.String({
          maxLength: 400,
          description: 'Records and amounts, and what to do about a checkout.',
          examples: [
            'The ledger has 299.90 TRY in clearing at stripe, and payments less refunds and movements are 0.00 TRY.',
          ],
        }),
      }),
      { maxItems: 200, description: 'Problems found, a limited number for each rule. Empty when it adds up.' },
    ),
  },
  { title: 'LedgerReport' },
)
