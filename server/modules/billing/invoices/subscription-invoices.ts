import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Checkout, Payment, Refund } from '../../../lib/db/database-types.ts'
import type { Period } from '../providers/provider.ts'
import type { PlanCheckoutRow } from '../records/checkouts.ts'
import type { SubscriptionRow } from '../records/subscriptions.ts'
import { type InvoiceDeps, issueCreditNote, issueInvoice, markPaid, type NewLine, voidInvoice } from './invoices.ts'

const nameOf = async (db: Db, code: string) =>
  (await db.selectFrom('plan').select('name').where('code', '=', code).executeTakeFirstOrThrow()).name

/** Minor units that a payment was lower by, for the unused time of a former plan. */
type Credit = { amount: bigint; plan_code: string; period: Period }
type Paid = {
  payment: Selectable<Payment>
  subscription: SubscriptionRow
  checkout_id: string | null
  /** The credit of a change that the provider worked out. */
  credit?: Credit | undefined
}

/** The invoice of a payment: the open one of its checkout, or a new one. */
export async function invoicePayment(tx: Tx, deps: InvoiceDeps, paid: Paid) {
  const { payment, subscription, checkout_id } = paid
  const { workspace_id, currency } = payment
  if (workspace_id === null) return
  const open =
    checkout_id === null
      ? undefined
      : await tx
          .selectFrom('invoice')
          .select(['id', 'total'])
          .where('checkout_id', '=', checkout_id)
          .where('status', '=', 'open')
          .executeTakeFirst()
  // A payment with interest for instalments has an invoice of its own amount.
  if (open && open.total === payment.amount) return markPaid(tx, deps, open.id, payment.id)
  if (open) await voidInvoice(tx, deps, open.id)
  return issueInvoice(tx, deps, {
    workspace_id,
    subscription_id: subscription.id,
    checkout_id,
    payment_id: payment.id,
    lines: await linesOf(tx, paid),
    currency,
    status: 'paid',
    due_at: null,
    period:
      payment.period_start && payment.period_end ? { start: payment.period_start, end: payment.period_end } : null,
  })
}

async function linesOf(tx: Tx, { payment, subscription, checkout_id, credit }: Paid): Promise<NewLine[]> {
  const checkout = checkout_id
    ? await tx
        .selectFrom('checkout')
        .select(['purpose', 'amount', 'credit', 'credit_plan_code', 'credit_period'])
        .where('id', '=', checkout_id)
        .executeTakeFirst()
    : undefined
  const { plan_code, billing_period } = subscription
  const paid = BigInt(payment.amount)
  const price = checkout ? BigInt(checkout.amount) : paid
  const given = checkout ? creditOf(checkout) : credit
  const bought = {
    item: given || checkout?.purpose === 'change' ? ('change' as const) : ('plan' as const),
    plan_name: await nameOf(tx, plan_code),
    billing_period,
  }
  const sold = paid < price ? paid : price
  const lines: NewLine[] = [{ ...bought, amount: sold + (given?.amount ?? 0n) }]
  if (given) {
    const plan_name = await nameOf(tx, given.plan_code)
    lines.push({ item: 'unused', plan_name, billing_period: given.period, amount: -given.amount })
  }
  if (paid > price) lines.push({ item: 'instalments', amount: paid - price })
  return lines
}

function creditOf({
  credit,
  credit_plan_code: plan_code,
  credit_period: period,
}: Pick<Selectable<Checkout>, 'credit' | 'credit_plan_code' | 'credit_period'>): Credit | undefined {
  return plan_code && period ? { amount: BigInt(credit), plan_code, period } : undefined
}

/** The open invoice of a period that Meydan renews. */
export async function invoiceRenewal(
  tx: Tx,
  deps: InvoiceDeps,
  { checkout, subscription }: { checkout: PlanCheckoutRow; subscription: SubscriptionRow },
) {
  const { plan_code, billing_period, currency, amount, workspace_id } = checkout
  return issueInvoice(tx, deps, {
    workspace_id,
    subscription_id: subscription.id,
    checkout_id: checkout.id,
    payment_id: null,
    lines: [{ item: 'plan', plan_name: await nameOf(tx, plan_code), billing_period, amount: BigInt(amount) }],
    currency,
    status: 'open',
    due_at: subscription.current_period_end,
    period: null,
  })
}

export async function voidOpenInvoices(tx: Tx, deps: InvoiceDeps, subscription_id: string) {
  const open = await tx
    .selectFrom('invoice')
    .select('id')
    .where('subscription_id', '=', subscription_id)
    .where('status', '=', 'open')
    .execute()
  for (const { id } of open) await voidInvoice(tx, deps, id)
}

/** The credit note of a refund, if the payment has an invoice. */
export async function creditRefund(
  tx: Tx,
  deps: InvoiceDeps,
  { payment, refund }: { payment: Selectable<Payment>; refund: Selectable<Refund> },
) {
  const invoice = await tx
    .selectFrom('invoice')
    .select('id')
    .where('payment_id', '=', payment.id)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  if (!invoice) return
  return issueCreditNote(tx, deps, { invoice_id: invoice.id, refund_id: refund.id, amount: BigInt(refund.amount) })
}
