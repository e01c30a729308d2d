import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../lib/language.ts'
import { quoted, sanitizeExternalText } from '../../lib/text.ts'
import { queueMail } from '../mail/mail.ts'
import { networkOf } from '../networks/registry.ts'

const readAccount = (tx: Tx, id: string) =>
  tx
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspace_id')
    .select(['account.name', 'network', 'status', 'status_detail', 'account.workspace_id'])
    .select(['workspace.name as workspace_name', 'slug'])
    .where('account.id', '=', id)
    .where('account.deleted_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst()

/** Members who can connect an account again. */
const listEditors = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.email', 'user.name', 'user.locale', 'user.timezone'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('workspace_member.role', 'in', ['editor', 'admin', 'owner'])
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .orderBy('user.id')
    .execute()

const accountsUrl = ({ baseUrl }: Deps, slug: string) => `${baseUrl}/w/${slug}/accounts`

/** Mails that a network no longer accepts an account, unless it was connected again or removed meanwhile. */
export async function mailDisconnected(deps: Deps, tx: Tx, account_id: string) {
  const account = await readAccount(tx, account_id)
  if (account?.status !== 'disconnected') return
  for (const { email, name, locale } of await listEditors(tx, account.workspace_id))
    await queueMail(tx, deps, {
      key: 'account-disconnected',
      to: { address: email, name },
      locale,
      variables: {
        workspace_name: account.workspace_name,
        account: quoted(account.name, 80),
        network: networkOf(account).name,
        reason: sanitizeExternalText(account.status_detail ?? ''),
        accounts_url: accountsUrl(deps, account.slug),
      },
    })
}

/** Mails that the sign-in of an account ends soon. */
export async function mailEndingSoon(deps: Deps, tx: Tx, account_id: string, ends_at: Date) {
  const account = await readAccount(tx, account_id)
  if (account?.status !== 'connected') return
  for (const { email, name, locale, timezone } of await listEditors(tx, account.workspace_id))
    await queueMail(tx, deps, {
      key: 'account-ending',
      to: { address: email, name },
      locale,
      variables: {
        workspace_name: account.workspace_name,
        account: quoted(account.name, 80),
        network: networkOf(account).name,
        ends_at: mailTimeFormat(languageOf(locale), timezone).format(ends_at),
        accounts_url: accountsUrl(deps, account.slug),
      },
    })
}
