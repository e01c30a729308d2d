import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf } from '../../../lib/language.ts'
import { queueMail } from '../../mail/mail.ts'
import { billingPage } from '../providers/return-urls.ts'
import { listBillingContacts } from '../records/contacts.ts'
import { formatDate, formatDecimal } from '../records/format.ts'
import type { SubscriptionRow } from '../records/subscriptions.ts'

type Key = 'billing-failed' | 'billing-renewal' | 'billing-trial-ending' | 'billing-ended'

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
  for (const { email, name, locale, timezone, workspace_name, slug } of contacts) {
    const language = languageOf(locale)
    const date = row.past_due_deadline ?? row.current_period_end
    await queueMail(tx, deps, {
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
