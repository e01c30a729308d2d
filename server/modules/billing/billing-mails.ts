import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { languageOf } from '../../lib/language.ts'
import { queueMail } from '../mail/mail.ts'
import { formatDate, formatDecimal } from './format.ts'
import type { SubscriptionRow } from './subscriptions/change.ts'
import { billingPage } from './subscriptions/subscriptions.ts'

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
  const recipients = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .innerJoin('plan', (join) => join.on('plan.code', '=', row.plan_code))
    .select(['user.email', 'user.name', 'user.locale', 'user.timezone'])
    .select(['workspace.name as workspace_name', 'workspace.slug', 'plan.name as plan_name'])
    .where('workspace_member.workspace_id', '=', row.workspace_id)
    .where('workspace_member.role', 'in', ['owner', 'admin'])
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .execute()
  for (const { email, name, locale, timezone, workspace_name, slug, plan_name } of recipients) {
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
