import { Type } from 'typebox'
import { Currency, Money } from '../../../lib/money.ts'

export const Balances = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        currency: Currency,
        pending: Money('Earned with completed orders, and not cleared'),
        available: Money('Can be paid out'),
        owed: Money('Returned to buyers after it was paid out. Taken off what you earn next'),
      }),
      { maxItems: 10, description: 'One entry for each currency with earnings. Empty before the first.' },
    ),
  },
  { title: 'SellerBalance' },
)
