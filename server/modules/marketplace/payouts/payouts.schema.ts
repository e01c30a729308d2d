import { type Static, Type } from 'typebox'
import { Separator } from '../../../lib/csv.ts'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, InputTime, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../lib/money.ts'

const time = (description: string) => nullable(Type.Unsafe<Date>({ ...Time, description }))

export const Balances = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        currency: Currency,
        pending: Money('Earned with completed orders, and not cleared'),
        available: Money('Can be paid out'),
        held: Money(
          'Cleared, and held until open disputes end. What was paid out of disputed orders is held from later earnings',
        ),
        owed: Money('Returned to buyers after it was paid out. Taken off what you earn next'),
        payout_min: Money('Smallest payout'),
      }),
      { maxItems: 10, description: 'One entry for each currency with earnings. Empty before the first.' },
    ),
  },
  { title: 'SellerBalance' },
)

const Holder = Line('Name of the holder of the bank account', 'Ada Lovelace', 100)
const Iban = Type.String({
  minLength: 5,
  maxLength: 50,
  description: 'IBAN of the bank account. Spaces and letter case do not matter.',
  examples: ['TR33 0006 1005 1978 6457 8413 26'],
})
const Note = { ...Line('How to pay, for an account without an IBAN', 'Account 0123456789', 300), examples: [null] }
const MaskedIban = nullable(
  Type.String({
    maxLength: 20,
    description: 'Country and last four characters of the IBAN. Null for an account without one.',
    examples: ['TR••••1326'],
  }),
)

export const ChangePayoutAccount = Closed(
  { holder: Holder, iban: Type.Optional(nullable(Iban)), note: Type.Optional(nullable(Note)) },
  { title: 'ChangePayoutAccount' },
)

export const PayoutAccount = Type.Object(
  {
    holder: Holder,
    iban_masked: MaskedIban,
    note: nullable(Note),
    held_until: time('No payout can be requested before, because the account was changed. Null if it never was.'),
    updated_at: Time,
  },
  { title: 'PayoutAccount' },
)

const PayoutStatus = Type.Enum(['pending', 'processing', 'paid', 'failed', 'canceled'], {
  type: 'string',
  description:
    'Status. `pending`: requested. `processing`: about to be transferred. The amount of a `failed` or `canceled` payout is available again.',
})

const Reference = Line('Reference of the bank transfer', 'EFT 4711', 200)
const FailureReason = Line('Why the transfer failed', 'The IBAN does not belong to the holder.', 500)

const payoutFields = {
  id: idOf('payout'),
  amount: Money('Amount'),
  currency: Currency,
  status: PayoutStatus,
  holder: { ...Holder, description: 'Holder of the payout account when the payout was requested.' },
  iban_masked: MaskedIban,
  reference: nullable({ ...Reference, description: 'Reference of the bank transfer. Null unless it was stated.' }),
  failure_reason: nullable({ ...FailureReason, description: 'Why the transfer failed. Null unless it did.' }),
  decided_at: time('Time at which it was paid, failed or canceled. Null before.'),
  created_at: Time,
  updated_at: Time,
}

export const Payout = Type.Object(payoutFields, { title: 'Payout' })

export const NewPayout = Closed(
  {
    currency: Currency,
    amount: Type.Optional({ ...Money('Amount. Defaults to all that is available'), examples: [150] }),
  },
  { title: 'NewPayout' },
)

export const PayoutQuery = Closed({ ...PageQuery, status: Type.Optional(PayoutStatus) })

export const AdminPayout = Type.Object(
  {
    ...payoutFields,
    iban: nullable(
      Type.String({
        maxLength: 40,
        description: 'IBAN to transfer to. Null without one, and once the payout is decided.',
        examples: ['TR330006100519786457841326'],
      }),
    ),
    note: nullable({
      ...Note,
      description: 'How to pay without an IBAN. Null with one, and once the payout is decided.',
    }),
    batch_id: nullable(idOf('payout_batch', 'Id of the batch in which it was exported. Null for none.')),
    user_id: nullable(idOf('user', 'Id of the seller. Null after deletion.')),
    user_name: nullable(Type.String({ maxLength: 80, description: 'Name of the seller. Null after deletion.' })),
    workspace_id: nullable(idOf('workspace', 'Id of the workspace. Null after its deletion.')),
    workspace_name: nullable(
      Type.String({ maxLength: 80, description: 'Name of the workspace. Null after its deletion.' }),
    ),
    decided_by: nullable(idOf('user', 'Id of the user who decided. Null before.')),
  },
  { title: 'AdminPayout' },
)
export type AdminPayoutRecord = Static<typeof AdminPayout>

export const AdminPayoutQuery = Closed({
  ...PageQuery,
  status: Type.Optional(PayoutStatus),
  currency: Type.Optional(Currency),
  batch_id: Type.Optional(idOf('payout_batch', 'Returns only the payouts of the batch with this id.')),
})

export const PaidPayout = Closed({ reference: Reference }, { title: 'PaidPayout' })
export const FailedPayout = Closed({ reason: FailureReason }, { title: 'FailedPayout' })

export const NewPayoutBatch = Closed({ currency: Currency }, { title: 'NewPayoutBatch' })
export const BatchQuery = Closed({ separator: Separator })
export const PayoutBatch = Type.Object(
  {
    batch_id: nullable(idOf('payout_batch', 'Id of the batch. Null if no payout was pending.')),
    currency: Currency,
    payouts: Count('Number of payouts in the batch.', 3),
    amount: Money('Sum of the payouts'),
  },
  { title: 'PayoutBatch' },
)

const signedAmount = (description: string, example: number) =>
  Type.Number({ description: `${description}, in major units.`, examples: [example] })

export const StatementLine = Type.Object(
  {
    id: idOf('ledger_transaction'),
    type: Type.Enum(['earning', 'refund', 'payout', 'payout_returned'], {
      type: 'string',
      description:
        'Kind. `earning`: an order closed. `refund`: money of a completed order went back to its buyer. `payout_returned`: a payout failed or was canceled.',
    }),
    order_id: nullable(idOf('order', 'Id of the order. Null for payouts.')),
    title: nullable(
      Type.String({
        maxLength: 200,
        description: 'Title of the order. Null for payouts.',
        examples: ['Ten posts for your café'],
      }),
    ),
    payout_id: nullable(idOf('payout', 'Id of the payout. Null for orders.')),
    gross: signedAmount('Amount before the fee', 1000),
    fee: signedAmount('Fee of the instance. Negative if it was returned', 100),
    amount: signedAmount('Change of the balance: `gross` minus `fee`. Negative if it fell', 900),
    balance_after: signedAmount('Pending and available minus owed, after it', 900),
    occurred_at: Time,
  },
  { title: 'StatementLine' },
)
export type StatementLineRecord = Static<typeof StatementLine>

const statementFilter = {
  currency: Currency,
  from: Type.Optional({ ...InputTime, description: 'Returns what happened at this time or later.' }),
  to: Type.Optional({ ...InputTime, description: 'Returns what happened before this time.' }),
}
export const StatementExportQuery = Closed({ ...statementFilter, separator: Separator })
export const StatementQuery = Closed({ ...PageQuery, ...statementFilter })
