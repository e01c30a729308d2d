import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { formatDecimal } from '../../billing/records/format.ts'
import { queueMail } from '../../mail/mail.ts'

type Key = 'payout-account-changed' | 'payout-paid' | 'payout-failed'
type Variables = { amount?: bigint; changed_at?: Date } & Partial<
  Record<'account' | 'currency' | 'reference' | 'reason', string>
>

/** Mails a seller about their money in a workspace. */
export async function mailSeller(
  tx: Tx,
  deps: Deps,
  { user_id, workspace_id }: { user_id: string | null; workspace_id: string | null },
  key: Key,
  { amount, changed_at, ...texts }: Variables,
) {
  const seller = await tx
    .selectFrom('user')
    .leftJoin('workspace', (join) => join.on('workspace.id', '=', workspace_id))
    .select(['user.email', 'user.name', 'user.locale', 'user.timezone', 'workspace.name as workspace_name', 'slug'])
    .where('user.id', '=', user_id)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  if (!seller) return
  const { email, name, locale, timezone, workspace_name, slug } = seller
  const language = languageOf(locale)
  await queueMail(tx, deps, {
    key,
    to: { address: email, name },
    locale,
    variables: {
      workspace_name: workspace_name ?? '',
      page_url: `${deps.baseUrl}/w/${slug ?? ''}/marketplace/earnings`,
      ...(amount !== undefined && { amount: formatDecimal(amount, language) }),
      ...(changed_at && { changed_at: mailTimeFormat(language, timezone).format(changed_at) }),
      ...texts,
    },
  })
}
