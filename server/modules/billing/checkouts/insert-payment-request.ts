import type { Selectable } from 'kysely'
import { HOUR } from '../../../../shared/time.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Checkout } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf } from '../../../lib/language.ts'
import { listInstanceAdmins } from '../../auth/instance-admin.ts'
import { queueMail } from '../../mail/mail.ts'
import { formatDecimal } from '../records/format.ts'

type Row = Selectable<Checkout>

/** Time in which a workspace that chooses again causes no further mail. */
const QUIET_MS = HOUR

/** Asks an instance admin to decide about the payment of a checkout. */
export const insertPaymentRequest = (tx: Tx, checkout: Row) =>
  tx
    .insertInto('payment_request')
    .values({
      checkout_id: checkout.id,
      workspace_id: checkout.workspace_id,
      plan_code: checkout.plan_code,
      order_id: checkout.order_id,
      amount: checkout.amount,
      currency: checkout.currency,
    })
    .execute()

/** The same, and mails the instance admins. */
export async function requestPayment(tx: Tx, deps: Pick<Deps, 'options' | 'baseUrl' | 'log' | 'clock'>, checkout: Row) {
  const isQuiet = await wasAnnounced(tx, checkout, deps.clock.now())
  await insertPaymentRequest(tx, checkout)
  if (isQuiet) return
  const { workspace_name, item } = await tx
    .selectFrom('workspace')
    .leftJoin('plan', (join) => join.on('plan.code', '=', checkout.plan_code))
    .select(['workspace.name as workspace_name', 'plan.name as item'])
    .where('workspace.id', '=', checkout.workspace_id)
    .executeTakeFirstOrThrow()
  for (const { email, name, locale } of await listInstanceAdmins(tx))
    await queueMail(tx, deps, {
      key: 'payment-requested',
      to: { address: email, name },
      locale,
      variables: {
        workspace_name,
        item: item ?? checkout.description ?? '',
        amount: formatDecimal(BigInt(checkout.amount), languageOf(locale)),
        currency: checkout.currency,
        requests_url: `${deps.baseUrl}/admin/billing/payment-requests`,
      },
    })
}

/** Whether instance admins were told a short time ago that the workspace pays for the same, and nobody has decided. */
async function wasAnnounced(tx: Tx, { workspace_id, purpose, order_id }: Row, now: Date) {
  const recent = await tx
    .selectFrom('payment_request')
    .innerJoin('checkout', 'checkout.id', 'payment_request.checkout_id')
    .select('payment_request.id')
    .where('payment_request.workspace_id', '=', workspace_id)
    .where('payment_request.status', '=', 'withdrawn')
    .where('checkout.purpose', '=', purpose)
    .where('checkout.order_id', 'is not distinct from', order_id)
    .where('checkout.created_at', '>', new Date(now.getTime() - QUIET_MS))
    .limit(1)
    .executeTakeFirst()
  return recent !== undefined
}
