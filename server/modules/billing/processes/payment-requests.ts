import type { Selectable } from 'kysely'
import { invalidTransition, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { PaymentRequest, PaymentRequestStatus } from '../../../lib/db/database-types.ts'
import { type PageInput, pageWhere } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { readRow } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { replaceRenewal } from './renewals.ts'
import { completeCheckout } from './settle-checkout.ts'

type Row = Selectable<PaymentRequest>

const recordOf = ({ amount, ...row }: Row & { workspace_name: string }) => ({
  ...row,
  amount: toMajor(amount),
})

const requestsWithNames = (db: Db) =>
  db
    .selectFrom('payment_request')
    .innerJoin('workspace', 'workspace.id', 'payment_request.workspace_id')
    .selectAll('payment_request')
    .select('workspace.name as workspace_name')

/** Lists the requests of all workspaces, the newest first. */
export async function listPaymentRequests(db: Db, { status, ...query }: PageInput & { status?: PaymentRequestStatus }) {
  const { data, next_cursor } = await pageWhere(requestsWithNames(db), 'payment_request.status', status, query)
  return { data: data.map(recordOf), next_cursor }
}

async function readRequest(tx: Tx, id: string) {
  const row = await requestsWithNames(tx).where('payment_request.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

type Decision = { status: 'approved'; reference: string | null } | { status: 'rejected'; reason: string }

/** Decides a request. The same decision again returns it as it is; another one is 409. */
const decide = (deps: Deps, caller: User, id: string, decision: Decision) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, (await readRequest(tx, id)).workspace_id)
    const request = await readRequest(tx, id)
    if (request.status === decision.status) return recordOf(request)
    const decided = await tx
      .updateTable('payment_request')
      .set({ ...decision, decided_by: caller.user_id, decided_at: deps.clock.now() })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst()
    if (!decided) throw invalidTransition(request.status, `set a payment request to ${decision.status}`)
    const actor = { ...caller, workspace_id: request.workspace_id }
    await audit(tx, actor, `payment_request.${decision.status}`, id, {
      amount: request.amount,
      currency: request.currency,
    })
    const checkout = await readRow(tx, request.checkout_id)
    if (decision.status === 'approved')
      await completeCheckout(deps, tx, checkout, { remote: null, payment: paymentOf(request, deps.clock.now()) })
    // A renewal is still to be paid: another request takes its place.
    else await replaceRenewal(deps, tx, checkout, decision.reason)
    return recordOf(await readRequest(tx, id))
  })

const paymentOf = ({ id, amount, currency }: Row, now: Date) => ({
  id: `manual:${id}`,
  amount: BigInt(amount),
  currency,
  paid_at: now,
  period: null,
  refunded: 0n,
})

export const approvePaymentRequest = (
  deps: Deps,
  caller: User,
  id: string,
  { reference = null }: { reference?: string | null },
) => decide(deps, caller, id, { status: 'approved', reference })

export const rejectPaymentRequest = (deps: Deps, caller: User, id: string, { reason }: { reason: string }) =>
  decide(deps, caller, id, { status: 'rejected', reason })
