import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../lib/language.ts'
import { quoted, sanitizeExternalText } from '../../lib/text.ts'
import { networkName } from '../networks/network.ts'
import { networkOf } from '../networks/registry.ts'
import { queueNotificationMail } from '../notifications/mails/queue-mail.ts'
import { notify } from '../notifications/notify.ts'

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
export const listEditors = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id', 'user.email', 'user.name', 'user.locale', 'user.timezone'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('workspace_member.role', 'in', ['editor', 'admin', 'owner'])
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .orderBy('user.id')
    .execute()

type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>
type Reader = Awaited<ReturnType<typeof listEditors>>[number]
type AccountMail = {
  key: 'account-disconnected' | 'account-ending'
  account: Account
  /** Variables of this mail besides those of the account. */
  variables: (reader: Reader) => Record<string, string>
}

async function mailEditors(deps: Deps, tx: Tx, { key, account, variables }: AccountMail) {
  for (const reader of await listEditors(tx, account.workspace_id))
    await queueNotificationMail(tx, deps, {
      kind: key === 'account-ending' ? 'account.ending' : 'account.disconnected',
      user_id: reader.id,
      key,
      to: { address: reader.email, name: reader.name },
      locale: reader.locale,
      variables: {
        workspace_name: account.workspace_name,
        account: quoted(account.name, 80),
        network: networkName(networkOf(account), languageOf(reader.locale)),
        accounts_url: `${deps.baseUrl}/w/${account.slug}/accounts`,
        ...variables(reader),
      },
    })
}

/** The number of scheduled posts that are to be published on an account. */
async function countScheduled(tx: Tx, account_id: string) {
  const { posts } = await tx
    .selectFrom('post_target')
    .innerJoin('post', 'post.id', 'post_target.post_id')
    .select(({ fn }) => fn.countAll<string>().as('posts'))
    .where('post_target.account_id', '=', account_id)
    .where('post_target.status', '=', 'pending')
    .where('post_target.attempts', '=', 0)
    .where('post.status', '=', 'scheduled')
    .where('post.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(posts)
}

/** Mails that a network no longer accepts an account, unless it was connected again or removed since. */
export async function mailDisconnected(deps: Deps, tx: Tx, account_id: string) {
  const account = await readAccount(tx, account_id)
  if (account?.status !== 'disconnected') return
  const reason = sanitizeExternalText(account.status_detail ?? '')
  const posts = await countScheduled(tx, account_id)
  const variables = ({ locale }: Reader) => ({
    reason,
    scheduled_posts: new Intl.NumberFormat(languageOf(locale)).format(posts),
  })
  await mailEditors(deps, tx, { key: 'account-disconnected', account, variables })
}

/** Mails that the sign-in of an account ends soon. */
export async function mailEndingSoon(deps: Deps, tx: Tx, account_id: string, ends_at: Date) {
  const account = await readAccount(tx, account_id)
  if (account?.status !== 'connected') return
  const variables = ({ locale, timezone }: Reader) => ({
    ends_at: mailTimeFormat(languageOf(locale), timezone).format(ends_at),
  })
  await mailEditors(deps, tx, { key: 'account-ending', account, variables })
  const { workspace_id, name } = account
  await notify(
    tx,
    {
      ...{ kind: 'account.ending', workspace_id, cause: ends_at.toISOString() },
      subject: { id: account_id, name },
      to: { roles: ['editor', 'admin', 'owner'] },
    },
    deps.clock.now(),
  )
}
