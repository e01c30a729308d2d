import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { PayoutStatus } from '../../../lib/db/database-types.ts'
import { pageWhere } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { openDetails } from './payout-accounts.ts'
import { mailSeller } from './payout-mails.ts'
import type { AdminPayoutQuery, AdminPayoutRecord, BatchQuery, NewPayoutBatch } from './payouts.schema.ts'
import { decidePayout } from './payouts.ts'

const MAX_BATCH = 1000

const payoutsWithNames = (db: Db) =>
  db
    .selectFrom('payout')
    .leftJoin('user', 'user.id', 'payout.user_id')
    .leftJoin('workspace', 'workspace.id', 'payout.workspace_id')
    .selectAll('payout')
    .select(['user.name as user_name', 'workspace.name as workspace_name'])

type Row = Awaited<ReturnType<ReturnType<typeof payoutsWithNames>['executeTakeFirstOrThrow']>>

const isOpen = (status: PayoutStatus) => status === 'pending' || status === 'processing'

/** A payout as an instance admin sees it: with the full IBAN until it is decided. */
function recordOf({ keyring }: Deps, { amount, ...row }: Row): AdminPayoutRecord {
  const details = isOpen(row.status) ? openDetails(keyring, 'payout', row) : { iban: null, note: null }
  return { ...row, ...details, amount: toMajor(amount) }
}

/** Writes which payouts were shown with the full IBAN. */
const auditRead = async (tx: Tx, caller: User, records: AdminPayoutRecord[]) => {
  const payout_ids = records.filter(({ iban, note }) => iban ?? note).map(({ id }) => id)
  if (payout_ids.length > 0) await audit(tx, caller, 'payout.read', null, { payout_ids })
}

/** Lists the payouts of all sellers, the newest first. */
export const listAllPayouts = (
  deps: Deps,
  caller: User,
  { status, currency, batch_id, ...cut }: Static<typeof AdminPayoutQuery>,
) =>
  inTransaction(deps.db, async (tx) => {
    let rows = payoutsWithNames(tx)
    if (currency) rows = rows.where('payout.currency', '=', currency)
    if (batch_id) rows = rows.where('payout.batch_id', '=', batch_id)
    const { data, next_cursor } = await pageWhere(rows, 'payout.status', status, cut)
    const records = data.map((row) => recordOf(deps, row))
    await auditRead(tx, caller, records)
    return { data: records, next_cursor }
  })

/** Puts the oldest pending payouts of a currency into a batch, so that no other admin transfers them as well. */
export const exportPayouts = ({ db, clock }: Deps, caller: User, { currency }: Static<typeof NewPayoutBatch>) =>
  inTransaction(db, async (tx) => {
    const batch_id = await newId(tx)
    const rows = await tx
      .updateTable('payout')
      .set({ status: 'processing', batch_id, updated_at: nextUpdatedAt(clock.now()) })
      .where('id', 'in', (pending) =>
        pending
          .selectFrom('payout')
          .select('id')
          .where('status', '=', 'pending')
          .where('currency', '=', currency)
          .orderBy('id')
          .limit(MAX_BATCH)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning('amount')
      .execute()
    const amount = toMajor(rows.reduce((sum, row) => sum + BigInt(row.amount), 0n))
    const batch = { currency, payouts: rows.length, amount }
    if (rows.length === 0) return { batch_id: null, ...batch }
    await audit(tx, caller, 'payout.exported', batch_id, batch)
    return { batch_id, ...batch }
  })

/** The payouts of a batch that are still to be transferred. */
export const readBatch = (deps: Deps, caller: User, batch_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const rows = await payoutsWithNames(tx).where('batch_id', '=', batch_id).orderBy('payout.id').execute()
    if (rows.length === 0) throw notFound()
    const records = rows.filter(({ status }) => status === 'processing').map((row) => recordOf(deps, row))
    await auditRead(tx, caller, records)
    return records
  })

type Outcome = { to: 'paid'; columns: { reference: string } } | { to: 'failed'; columns: { failure_reason: string } }

/** Notes how the transfer of a payout ended. The same again returns it as it is; something else is 409. */
const decide = (deps: Deps, caller: User, id: string, { to, columns }: Outcome) =>
  inTransaction(deps.db, async (tx) => {
    const read = async () => {
      const row = await payoutsWithNames(tx).where('payout.id', '=', id).executeTakeFirst()
      if (!row) throw notFound()
      return recordOf(deps, row)
    }
    await tx.selectFrom('payout').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const before = await read()
    const isSame = Object.entries(columns).every(([column, value]) => before[column as keyof typeof columns] === value)
    if (before.status === to && isSame) return before
    const payout = await decidePayout(tx, id, deps.clock.now(), { to, actor: caller, user_id: caller.user_id, columns })
    await mailSeller(tx, deps, payout, to === 'paid' ? 'payout-paid' : 'payout-failed', {
      amount: BigInt(payout.amount),
      currency: payout.currency,
      account: payout.iban_masked ?? payout.holder,
      reference: payout.reference ?? '',
      reason: payout.failure_reason ?? '',
    })
    return read()
  })

export const markPaid = (deps: Deps, caller: User, id: string, { reference }: { reference: string }) =>
  decide(deps, caller, id, { to: 'paid', columns: { reference } })

export const markFailed = (deps: Deps, caller: User, id: string, { reason }: { reason: string }) =>
  decide(deps, caller, id, { to: 'failed', columns: { failure_reason: reason } })

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
