import { sql } from 'kysely'
import { HOUR } from '../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { quoted } from '../../../lib/text.ts'
import { listEditors } from '../../accounts/account-mails.ts'
import { queueMail } from '../../mail/mail.ts'
import { networkName } from '../../networks/network.ts'
import { networkOf } from '../../networks/registry.ts'
import { quotePosts } from '../record/quote-posts.ts'
import { targetWarning } from '../record/target-warning.ts'

/** Time before a post is due from which the mail names it, so that each is named in two of them. */
const AHEAD_MS = 48 * HOUR

/** Scheduled posts that are due soon, each with an account that cannot publish it. */
const waitingPosts = (tx: Tx, now: Date) =>
  tx
    .selectFrom('post')
    .innerJoin('post_target as t', 't.post_id', 'post.id')
    .innerJoin('account as a', 'a.id', 't.account_id')
    .innerJoin('workspace', 'workspace.id', 'post.workspace_id')
    .where('post.status', '=', 'scheduled')
    .where('post.deleted_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .where('post.scheduled_at', '>', now)
    .where('post.scheduled_at', '<=', new Date(now.getTime() + AHEAD_MS))
    .where(sql<boolean>`${targetWarning} is not null`)

/**
 * Enqueues a mail for each workspace with such posts. One attempt each, so that none is mailed twice a day: the next day
 * makes up for a mail that was lost.
 */
export const enqueueWaitingMails = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const waiting = await waitingPosts(tx, clock.now()).select('post.workspace_id').distinct().execute()
    for (const { workspace_id } of waiting)
      await addJob(tx, 'mail-waiting-posts', { workspace_id }, { key: `waiting-posts ${workspace_id}`, maxAttempts: 1 })
  })

/** Mails the editors of a workspace which posts cannot be published, unless all can by now. */
export const mailWaitingPosts = (deps: Deps, { workspace_id }: { workspace_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const targets = await waitingPosts(tx, deps.clock.now())
      .select(['post.id', 'post.content', 'post.scheduled_at', 'a.id as account_id', 'a.name', 'a.network'])
      .select(['workspace.name as workspace_name', 'workspace.slug'])
      .where('post.workspace_id', '=', workspace_id)
      .orderBy('post.scheduled_at')
      .orderBy('post.id')
      .orderBy('t.position')
      .execute()
    const [first] = targets
    if (!first) return
    const posts = [...new Map(targets.map((target) => [target.id, target])).values()]
    const accounts = [...new Map(targets.map((target) => [target.account_id, target])).values()]
    for (const { email, name, locale, timezone } of await listEditors(tx, workspace_id)) {
      const language = languageOf(locale)
      const names = accounts.map(
        ({ name, network }) => `${quoted(name, 80)} (${networkName(networkOf({ network }), language)})`,
      )
      await queueMail(tx, deps, {
        key: 'posts-waiting',
        to: { address: email, name },
        locale,
        variables: {
          workspace_name: first.workspace_name,
          count: new Intl.NumberFormat(language).format(posts.length),
          posts: quotePosts(
            posts.map(({ content, scheduled_at }) => ({ content, time: scheduled_at })),
            mailTimeFormat(language, timezone),
          ),
          accounts: names.join(', '),
          health_url: `${deps.baseUrl}/w/${first.slug}/accounts/health`,
        },
      })
    }
  })
