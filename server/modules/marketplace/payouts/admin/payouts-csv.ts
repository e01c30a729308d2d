import { csvTable, csvText } from '../../../../lib/csv.ts'
import type { AdminPayoutRecord } from '../payouts.schema.ts'

/** The amount has a decimal point. */
const table = csvTable<AdminPayoutRecord>({
  payout_id: ({ id }) => id,
  holder: ({ holder }) => csvText(holder),
  iban: ({ iban }) => iban,
  note: ({ note }) => csvText(note),
  amount: ({ amount }) => amount.toFixed(2),
  currency: ({ currency }) => currency,
  requested_at: ({ created_at }) => created_at.toISOString(),
})

/** A batch of payouts for the bank, as CSV. */
export const batchCsv = (payouts: AdminPayoutRecord[]) => table.header + table.lines(payouts)
