import { sql } from 'kysely'
import { MINUTE } from '../../../../../shared/time.ts'
import { audit, system } from '../../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import { languageOf, mailTimeFormat } from '../../../../lib/language.ts'
import { addJob } from '../../../../lib/runtime/jobs.ts'
import { type OutageLimit, wasDown } from '../../../../lib/runtime/outages.ts'
import { listEditors } from '../../../accounts/account-mails.ts'
import { queueNotificationMail } from '../../../notifications/mails/queue-mail.ts'
import { notify } from '../../../notifications/notify.ts'
import { postEvents } from '../../record/posts.events.ts'
import { removePublishJobs } from '../../record/publish-queue.ts'
import { quotePosts } from '../../record/quote-posts.ts'
import { readPost } from '../../record/select-posts.ts'

/** The outage after which a post that was due is late. */
export const readOutageLimit = async ({
  options,
  timings,
}: Pick<Deps, 'options' | 'timings'>): Promise<OutageLimit> => ({
  outage_ms: (await options.get('posts.publish_late_minutes')) * MINUTE,
  silence_ms: timings.nodeSilence,
})

/**
 * Whether a target is late: no node ran for longer than allowed since it could go out, which is after its time, its last
 * attempt and the hold of its account. So a post that waits while nodes run is not late, however long the wait.
 */
export const isLate = (limit: OutageLimit) =>
  wasDown(sql`greatest(post.scheduled_at, post_target.attempted_at, account.held_until)`, limit)

/** Posts that are held in one transaction. */
const BATCH = 100
/** Collects the posts of an outage in one mail. */
const COLLECT_MS = MINUTE

const lockLatePosts = (tx: Tx, workspace_id: string, limit: OutageLimit, now: Date) =>
  tx
    .selectFrom('post')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'scheduled')
    .where('deleted_at', 'is', null)
    .where('held', 'is', null)
    .where('scheduled_at', '<=', sql<Date>`greatest(now(), ${now})`)
    .where(sql<boolean>`exists (
      select from post_target join account on account.id = post_target.account_id
      where post_target.post_id = post.id and ${isLate(limit)})`)
    .orderBy('id')
    .limit(BATCH)
    .forUpdate()
    .execute()

/** Holds all late posts of a workspace, so that its editors decide about them together. */
export async function holdLatePosts(deps: Deps, workspace_id: string) {
  const limit = await readOutageLimit(deps)
  for (;;) if ((await holdBatch(deps, workspace_id, limit)) === 0) return
}

const holdBatch = ({ db, clock }: Deps, workspace_id: string, limit: OutageLimit) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const late = await lockLatePosts(tx, workspace_id, limit, now)
    await holdPosts(
      tx,
      workspace_id,
      late.map(({ id }) => id),
      now,
    )
    return late.length
  })

/** Holds scheduled posts as late, and mails the editors of the workspace soon. */
export async function holdPosts(tx: Tx, workspace_id: string, ids: string[], now: Date) {
  for (const id of ids) {
    await removePublishJobs(tx, [id])
    await tx
      .updateTable('post')
      .set({ held: 'late', updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, { workspace_id }, id)
    await emit(tx, postEvents['post.held'], workspace_id, { post }, now)
    await audit(tx, system(workspace_id), 'post.held', id, { reason: 'late', scheduled_at: post.scheduled_at })
    await notify(
      tx,
      {
        ...{ kind: 'post.held', workspace_id, cause: String(post.version) },
        group: `${workspace_id}:${now.toISOString().slice(0, 13)}`,
        subject: { id, name: post.content },
        to: { roles: ['editor', 'admin', 'owner'] },
      },
      now,
    )
  }
  if (ids.length > 0)
    await addJob(
      tx,
      'mail-held-posts',
      { workspace_id },
      { key: `held-posts ${workspace_id}`, keepsRunAt: true, runAt: new Date(now.getTime() + COLLECT_MS) },
    )
}

const heldPosts = (db: Db, workspace_id: string) =>
  db
    .selectFrom('post')
    .innerJoin('workspace', 'workspace.id', 'post.workspace_id')
    .select(['post.content', 'post.scheduled_at', 'workspace.name as workspace_name', 'workspace.slug'])
    .where('post.workspace_id', '=', workspace_id)
    .where('post.held', '=', 'late')
    .where('post.deleted_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .orderBy('post.scheduled_at')
    .orderBy('post.id')
    .execute()

/** Mails the editors of a workspace which posts are held, unless they have decided about all by now. */
export const mailHeldPosts = (deps: Deps, { workspace_id }: { workspace_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const posts = await heldPosts(tx, workspace_id)
    const [first] = posts
    if (!first) return
    for (const { id, email, name, locale, timezone } of await listEditors(tx, workspace_id)) {
      const language = languageOf(locale)
      await queueNotificationMail(tx, deps, {
        kind: 'post.held',
        user_id: id,
        key: 'posts-held',
        to: { address: email, name },
        locale,
        variables: {
          workspace_name: first.workspace_name,
          count: new Intl.NumberFormat(language).format(posts.length),
          posts: quotePosts(
            posts.map(({ content, scheduled_at }) => ({ content, time: scheduled_at })),
            mailTimeFormat(language, timezone),
          ),
          page_url: `${deps.baseUrl}/w/${first.slug}/posts?held=late`,
        },
      })
    }
  })
