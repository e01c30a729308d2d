import { csvHeader, csvLine, csvText } from '../../../../lib/csv.ts'
import type { AdminPayoutRecord } from '../payouts.schema.ts'

/** The columns. The amount has a decimal point. */
const columns: Record<string, (payout: AdminPayoutRecord) => string | null | undefined> = {
  payout_id: ({ id }) => id,
  holder: ({ holder }) => csvText(holder),
  iban: ({ iban }) => iban,
  note: ({ note }) => csvText(note),
  amount: ({ amount }) => amount.toFixed(2),
  currency: ({ currency }) => currency,
  requested_at: ({ created_at }) => created_at.toISOString(),
}

/** A batch of payouts for the bank, as CSV. */
export const batchCsv = (payouts: AdminPayoutRecord[]) =>
  csvHeader(Object.keys(columns)) +
  payouts.map((payout) => csvLine(Object.values(columns).map((column) => column(payout)))).join('')
