import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import type { AdminPayoutRecord, BatchQuery } from './payouts.schema.ts'

const payoutTable = csvTable<AdminPayoutRecord>({
  payout_id: ({ id }) => id,
  holder: ({ holder }) => csvText(holder),
  iban: ({ iban }) => iban,
  note: ({ note }) => csvText(note),
  amount: ({ amount }, { money }) => money(amount),
  currency: ({ currency }) => currency,
  requested_at: ({ created_at }) => created_at.toISOString(),
})

/** A batch of payouts for the bank, as CSV. */
export function batchCsv(payouts: AdminPayoutRecord[], { separator }: Static<typeof BatchQuery>) {
  const table = payoutTable(separator)
  return table.header + table.lines(payouts)
}
