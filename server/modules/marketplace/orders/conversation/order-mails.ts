import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../../../lib/language.ts'
import { listBillingContacts } from '../../../billing/records/contacts.ts'
import { formatDecimal } from '../../../billing/records/format.ts'
import type { MailKey } from '../../../mail/templates/catalogue.ts'
import { queueNotificationMail } from '../../../notifications/mails/queue-mail.ts'
import { notify } from '../../../notifications/notify.ts'
import type { Side } from '../record/order-state.ts'
import type { OrderRow } from '../record/orders.ts'

export type OrderMail = {
  key: Extract<MailKey, `order-${string}`>
  reason?: string
  /** Time that the mail is about. */
  deadline?: Date | null
  /** Minor units; the price by default. */
  amount?: bigint
}

/**
 * Mails a side of an order: its seller, or the user who ordered. When that user is no admin of the workspace, its owners
 * and admins get the mail.
 */
export async function mailOrder(
  deps: Deps,
  tx: Tx,
  order: OrderRow,
  side: Side,
  { key, reason = '', deadline = null, amount = BigInt(order.price) }: OrderMail,
) {
  const { workspace_id, user_id } = {
    buyer: { workspace_id: order.buyer_workspace_id, user_id: order.buyer_id },
    seller: { workspace_id: order.seller_workspace_id, user_id: order.seller_id },
  }[side]
  if (!workspace_id) return
  const members = await listBillingContacts(tx, workspace_id)
  const own = members.filter(({ id }) => id === user_id)
  const contacts = side === 'buyer' && own.length === 0 ? members : own
  const now = deps.clock.now()
  await notify(
    tx,
    {
      // `detail` names the change as the console does.
      ...{ kind: 'order.changed', workspace_id, detail: key.replace('order-', '') },
      cause: `${side}:${key}:${now.toISOString()}`,
      subject: { id: order.id, name: order.title },
      to: { user_ids: contacts.map(({ id }) => id) },
    },
    now,
  )
  for (const { id, email, name, locale, timezone, slug } of contacts) {
    const language = languageOf(locale)
    await queueNotificationMail(tx, deps, {
      kind: 'order.changed',
      user_id: id,
      key,
      to: { address: email, name },
      locale,
      variables: {
        order_title: order.title,
        buyer_name: order.buyer_name ?? '',
        seller_name: order.seller_name ?? '',
        amount: formatDecimal(amount, language),
        currency: order.currency,
        reason: reason || '–',
        deadline: deadline ? mailTimeFormat(language, timezone).format(deadline) : '–',
        order_url: `${deps.baseUrl}/w/${slug}/marketplace/orders/${order.id}`,
      },
    })
  }
}
