import { sql } from 'kysely'
import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { MINUTE } from '../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { quoted } from '../../../lib/text.ts'
import { postFailedBecause } from '../../mail/templates/texts/phrases.ts'
import { networkName } from '../../networks/network.ts'
import { networkOf } from '../../networks/registry.ts'
import { collectMs } from '../../notifications/kinds.ts'
import { queueNotificationMail } from '../../notifications/mails/queue-mail.ts'

/** Least time between two mails to an author about the posts of a workspace. */
const PAUSE_MS = 15 * MINUTE
const MAX_POSTS_QUOTED = 5
const MAX_POST_LENGTH = 100
const notified = { kind: 'post.failed' } as const

type Author = { user_id: string; workspace_id: string }

/** The author, if they are still a member and want these mails. */
const findRecipient = (tx: Tx, { user_id, workspace_id }: Author) =>
  tx
    .selectFrom('user')
    .innerJoin('workspace_member', 'workspace_member.user_id', 'user.id')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select(['user.email', 'user.name', 'user.locale', 'user.timezone'])
    .select(['workspace.name as workspace_name', 'workspace.slug'])
    .where('user.id', '=', user_id)
    .where('workspace.id', '=', workspace_id)
    .where('workspace.deleted_at', 'is', null)
    .where('user.mail_post_failures', '=', true)
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()

/** Notes a failed post for the next mail to its author. */
export async function noteFailure(
  tx: Tx,
  { id, author_id, workspace_id }: { id: string; author_id: string | null; workspace_id: string },
  now: Date,
) {
  if (!author_id) return
  const author = { user_id: author_id, workspace_id }
  if (!(await findRecipient(tx, author))) return
  const { last } = await tx
    .selectFrom('post_failure')
    .select(({ fn }) => fn.max('mailed_at').as('last'))
    .where('user_id', '=', author_id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('post_failure')
    .values({ ...author, post_id: id, failed_at: now })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet({ failed_at: now, mailed_at: null }))
    .execute()
  const runAt = new Date(Math.max(now.getTime() + collectMs('post.failed'), last ? last.getTime() + PAUSE_MS : 0))
  await addJob(tx, 'mail-post-failures', author, {
    key: `post-failures ${author_id} ${workspace_id}`,
    keepsRunAt: true,
    runAt,
  })
}

/** Mails an author about their posts that failed since the last mail and have not been changed since. */
export const mailFailures = (deps: Deps, author: Author) =>
  inTransaction(deps.db, async (tx) => {
    const failures = await tx
      .updateTable('post_failure')
      .set({ mailed_at: deps.clock.now() })
      .where('user_id', '=', author.user_id)
      .where('workspace_id', '=', author.workspace_id)
      .where('mailed_at', 'is', null)
      .returning('post_id')
      .execute()
    const recipient = await findRecipient(tx, author)
    const posts = await failedPosts(
      tx,
      failures.map(({ post_id }) => post_id),
    )
    const [post] = posts
    if (!recipient || !post) return
    const { workspace_name, slug, email, name, locale } = recipient
    const page = `${deps.baseUrl}/w/${slug}/posts`
    const mail = { ...notified, user_id: author.user_id, to: { address: email, name }, locale }
    if (posts.length === 1) {
      const variables = { workspace_name, ...describe(post, recipient), page_url: `${page}/${post.id}` }
      return queueNotificationMail(tx, deps, { key: 'post-failed', ...mail, variables })
    }
    const shown = posts.slice(0, MAX_POSTS_QUOTED).map(({ content }) => excerpt(content))
    const more = posts.length - shown.length
    const variables = {
      workspace_name,
      count: new Intl.NumberFormat(languageOf(locale)).format(posts.length),
      posts: `${shown.join(', ')}${more > 0 ? ` +${more}` : ''}`,
      page_url: posts.every(({ status }) => status === 'failed') ? `${page}?status=failed` : page,
    }
    return queueNotificationMail(tx, deps, { key: 'posts-failed', ...mail, variables })
  })

type FailedPost = Awaited<ReturnType<typeof failedPosts>>[number]

/** The posts among these that are still failed, each with the accounts on which it failed. */
async function failedPosts(tx: Tx, ids: string[]) {
  const targets = await tx
    .selectFrom('post')
    .innerJoin('post_target', 'post_target.post_id', 'post.id')
    .innerJoin('account', 'account.id', 'post_target.account_id')
    .select(['post.id', 'post.content', 'post.status', 'post.scheduled_at'])
    .select(['account.network', 'account.handle', 'post_target.error_code', 'post_target.error_message'])
    .where(sql<boolean>`post.id = any(${ids}::uuid[])`)
    .where('post.deleted_at', 'is', null)
    .where('post.status', 'in', ['failed', 'partially_published'])
    .where('post_target.status', '=', 'failed')
    .orderBy('post.scheduled_at')
    .orderBy('post.id')
    .orderBy('post_target.position')
    .execute()
  const byPost = Map.groupBy(targets, ({ id }) => id)
  return [...byPost.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, targets: [first, ...others] }] : [],
  )
}

const excerpt = (content: string) => `“${quoted(withMentionNames(content), MAX_POST_LENGTH)}”`

function describe({ content, scheduled_at, targets }: FailedPost, to: { locale: string; timezone: string }) {
  const language = languageOf(to.locale)
  const time = mailTimeFormat(language, to.timezone)
  const reasons = targets.map(({ error_code, error_message }) => {
    const known = error_code && postFailedBecause[language][error_code]
    return known || quoted(error_message ?? '–', MAX_POST_LENGTH * 2)
  })
  return {
    post: excerpt(content),
    accounts: targets
      .map(({ network, handle }) => `${handle} (${networkName(networkOf({ network }), language)})`)
      .join(', '),
    reason: [...new Set(reasons)].join(' '),
    scheduled_at: scheduled_at ? time.format(scheduled_at) : '–',
  }
}
