import { type Static, Type } from 'typebox'
import { Separator } from '../../../lib/csv.ts'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency } from '../../../lib/money.ts'

const amount = (description: string, example: number) =>
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
    gross: amount('Amount before the fee', 1000),
    fee: amount('Fee of the instance. Negative if it was returned', 100),
    amount: amount('Change of the balance: `gross` minus `fee`. Negative if it fell', 900),
    balance_after: amount('Pending and available minus owed, after it', 900),
    occurred_at: Time,
  },
  { title: 'StatementLine' },
)
export type StatementLineRecord = Static<typeof StatementLine>

const filter = {
  currency: Currency,
  from: Type.Optional({ ...InputTime, description: 'Returns what happened at this time or later.' }),
  to: Type.Optional({ ...InputTime, description: 'Returns what happened before this time.' }),
}
export const StatementExportQuery = Closed({ ...filter, separator: Separator })
export const StatementQuery = Closed({ ...PageQuery, ...filter })
