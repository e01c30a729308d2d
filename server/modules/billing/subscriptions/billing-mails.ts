import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf } from '../../../lib/language.ts'
import { queueNotificationMail } from '../../notifications/mails/queue-mail.ts'
import { notify } from '../../notifications/notify.ts'
import { billingPage } from '../providers/return-urls.ts'
import { listBillingContacts } from '../records/contacts.ts'
import { formatDate, formatDecimal } from '../records/format.ts'
import type { SubscriptionRow } from '../records/subscriptions.ts'

type Key = 'billing-failed' | 'billing-renewal' | 'billing-trial-ending' | 'billing-ended'

const kinds = {
  'billing-failed': 'billing.payment_failed',
  'billing-renewal': 'billing.payment_due',
  'billing-trial-ending': 'billing.trial_ending',
  'billing-ended': 'billing.ended',
} as const satisfies Record<Key, string>

/** Mails the owners and admins of the workspace, each in their language. */
export async function mailAdmins(
  tx: Tx,
  deps: Deps,
  row: SubscriptionRow,
  key: Key,
  { amount = BigInt(row.amount) }: { amount?: bigint } = {},
) {
  if (!row.workspace_id) return
  const { plan_name } = await tx
    .selectFrom('plan')
    .select('name as plan_name')
    .where('code', '=', row.plan_code)
    .executeTakeFirstOrThrow()
  const contacts = await listBillingContacts(tx, row.workspace_id)
  const now = deps.clock.now()
  const kind = kinds[key]
  await notify(
    tx,
    {
      ...{ kind, workspace_id: row.workspace_id, cause: `${row.id}:${now.toISOString()}` },
      subject: { id: row.workspace_id, name: plan_name },
      to: { roles: ['owner', 'admin'] },
    },
    now,
  )
  for (const { id, email, name, locale, timezone, workspace_name, slug } of contacts) {
    const language = languageOf(locale)
    const date = row.past_due_deadline ?? row.current_period_end
    await queueNotificationMail(tx, deps, {
      kind,
      user_id: id,
      key,
      to: { address: email, name },
      locale,
      variables: {
        workspace_name,
        plan_name,
        amount: formatDecimal(amount, language),
        currency: row.billing_currency,
        pay_url: row.failed_payment_url ?? billingPage(deps, slug),
        deadline: formatDate(date, language, timezone),
      },
    })
  }
}
