import type { Static } from 'typebox'
import type { Db } from '../../../lib/db/database.ts'
import { pageWhere } from '../../../lib/db/page.ts'
import { toMajor } from '../../../lib/money.ts'
import type { SettlementQuery } from './settlements.schema.ts'

/** Lists the movements, the newest first. */
export async function listLines(db: Db, { provider, kind, ...query }: Static<typeof SettlementQuery>) {
  const rows = db
    .selectFrom('settlement_line')
    .selectAll()
    .$if(provider !== undefined && kind !== undefined, (all) => all.where('kind', '=', kind ?? 'other'))
  const { data, next_cursor } = await (provider === undefined
    ? pageWhere(rows, 'settlement_line.kind', kind, query)
    : pageWhere(rows, 'settlement_line.provider', provider, query))
  return {
    data: data.map((line) => ({
      ...line,
      amount: toMajor(line.amount, line.currency),
      fee: toMajor(line.fee, line.currency),
      paid_amount: toMajor(line.paid_amount, line.paid_currency),
    })),
    next_cursor,
  }
}
