import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalid, invalidTransition, notFound, problem } from '../../errors.ts'
import { emit, PAYLOAD_LIMIT } from '../../events.ts'
import { atLeast, type Member } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { compiledOnce, type Db, inTransaction, type Tx } from '../../lib/database.ts'
import { addJob, removeJob } from '../../lib/jobs.ts'
import { optionProblems, publishingProblems } from './check.ts'
import type { ChangePost, NewPost, PostQuery, Target } from './posts.schema.ts'

type TargetRecord = Static<typeof Target>

/** Posts with their targets, each post in one row, so that a page is one query. */
const selectPosts = (db: Db) =>
  db.selectFrom('post').select([
    'post.id',
    'post.workspace_id',
    'post.content',
    'post.labels',
    'post.warnings',
    'post.status',
    'post.scheduled_at',
    'post.published_at',
    'post.author_id',
    'post.created_at',
    'post.updated_at',
    sql<(TargetRecord & { account_status: string })[]>`coalesce((
        select json_agg(json_build_object(
          'id', t.id, 'account_id', t.account_id, 'network', a.network, 'handle', a.handle, 'account_status', a.status,
          'content', t.content, 'options', t.options, 'status', t.status, 'external_id', t.external_id, 'url', t.url,
          'error_code', t.error_code, 'error_message', t.error_message, 'attempts', t.attempts,
          'published_at', to_char(t.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by t.position)
        from post_target t join account a on a.id = t.account_id where t.post_id = post.id
      ), '[]')`.as('targets'),
  ])

export const listPosts = (
  db: Db,
  { workspace_id }: Member,
  { status, account_id, from, to }: Static<typeof PostQuery>,
) => {
  let query = selectPosts(db).where('post.workspace_id', '=', workspace_id)
  if (status) query = query.where('post.status', '=', status)
  if (from) query = query.where('post.scheduled_at', '>=', new Date(from))
  if (to) query = query.where('post.scheduled_at', '<', new Date(to))
  if (account_id)
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('post_target')
          .select('post_target.id')
          .whereRef('post_target.post_id', '=', 'post.id')
          .where('post_target.account_id', '=', account_id),
      ),
    )
  return query
}

export const selectPost = (db: Db, input: { id: string; workspace_id: string }) =>
  selectPosts(db).where('post.id', '=', input.id).where('post.workspace_id', '=', input.workspace_id)

const findPost = compiledOnce(selectPost)

export async function readPost(db: Db, { workspace_id }: { workspace_id: string }, id: string) {
  const [row] = await findPost(db, { id, workspace_id })
  if (!row) throw notFound()
  return row
}

type NewTarget = { account_id: string; content: string | null; options: Record<string, unknown> }

/** The field that accounts were named in. */
type Listed = 'targets' | 'account_ids'

const listedIn = (input: { account_ids?: unknown }): Listed => (input.account_ids ? 'account_ids' : 'targets')

const accountPointer = (listed: Listed, index: number) =>
  listed === 'targets' ? `/targets/${index}/account_id` : `/account_ids/${index}`

/** The accounts to publish on, from either of the two ways to name them; undefined when neither is used. */
function wantedTargets({ account_ids, targets }: Static<typeof ChangePost>): NewTarget[] | undefined {
  if (account_ids && targets) throw invalid('/targets', 'Give either account_ids or targets.')
  const listed: typeof targets = targets ?? account_ids?.map((account_id) => ({ account_id }))
  const ids = listed?.map(({ account_id }) => account_id.toLowerCase()) ?? []
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (duplicate >= 0)
    throw invalid(accountPointer(listedIn({ account_ids }), duplicate), 'This account is listed twice.')
  return listed?.map(({ account_id, content = null, options = {} }) => ({
    account_id: account_id.toLowerCase(),
    content,
    options,
  }))
}

async function writeTargets(tx: Tx, workspace_id: string, post_id: string, targets: NewTarget[], listed: Listed) {
  const ids = targets.map((target) => target.account_id)
  const accounts = await tx
    .selectFrom('account')
    .select(['id', 'network'])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  const networks = new Map(accounts.map(({ id, network }) => [id, network]))
  for (const [index, id] of ids.entries())
    if (!networks.has(id)) throw invalid(accountPointer(listed, index), 'There is no such account.')
  const errors = targets.flatMap((target, index) =>
    optionProblems({ network: networks.get(target.account_id) ?? '', options: target.options }, index),
  )
  if (errors.length) throw problem('validation_failed', { errors })
  await tx
    .deleteFrom('post_target')
    .where('post_id', '=', post_id)
    .where(sql<boolean>`account_id <> all(${ids}::uuid[])`)
    .execute()
  if (targets.length === 0) return
  // A target that stays keeps the key of its earlier attempts: under it nothing can be published twice.
  await sql`insert into post_target (post_id, account_id, content, options, position)
    select ${post_id}::uuid, account_id, content, options, position
    from json_to_recordset(${JSON.stringify(targets.map((target, position) => ({ ...target, position })))}::json)
      as target (account_id uuid, content text, options jsonb, position int)
    on conflict (post_id, account_id) do update
      set content = excluded.content, options = excluded.options, position = excluded.position`.execute(tx)
}

const MINUTE = 60_000
const TWO_YEARS = 2 * 366 * 24 * 60 * MINUTE

function checkTime(text: string, now: Date) {
  const time = new Date(text)
  if (time.getTime() < now.getTime() - MINUTE) throw invalid('/scheduled_at', 'This time is in the past.')
  if (time.getTime() > now.getTime() + TWO_YEARS)
    throw invalid('/scheduled_at', 'This time is more than two years away.')
  return time
}

const jobKey = (target_id: string) => `publish:${target_id}`

/** Has the target looked at: now, or at `runAt`. */
export const wakeTarget = (tx: Tx, { id, account_id }: { id: string; account_id: string }, runAt?: Date) =>
  addJob(
    tx,
    'publish-target',
    { target_id: id },
    { key: jobKey(id), queue: `account:${account_id}`, maxAttempts: 100, ...(runAt && { runAt }) },
  )

/** What every change of a post ends with: the check, the size, and the record as it now is. */
async function checked(tx: Tx, workspace_id: string, id: string, listed: Listed = 'targets') {
  const post = await readPost(tx, { workspace_id }, id)
  const problems = publishingProblems(post.content, post.targets, listed)
  if (problems.length && post.status !== 'draft') throw problem('validation_failed', { errors: problems })
  // Room is left for what publishing adds to the targets, so that its events fit too.
  if (Buffer.byteLength(JSON.stringify(post)) > PAYLOAD_LIMIT - 80_000)
    throw invalid('/content', 'The text with all of its variants is too large for one event.', 'too_large')
  // Kept, because to count the characters of every draft at every read would hold up everybody else.
  const warnings = problems.map(({ pointer, message }) => ({ pointer, message }))
  await tx
    .updateTable('post')
    .set({ warnings: JSON.stringify(warnings) })
    .where('id', '=', id)
    .execute()
  return { ...post, warnings }
}

export const createPost = ({ db, clock }: Deps, caller: Member, input: Static<typeof NewPost>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { content, labels = [], scheduled_at, publish_now = false } = input
    if (scheduled_at && publish_now) throw invalid('/publish_now', 'Give either a time or publish_now.')
    const time = publish_now ? now : scheduled_at ? checkTime(scheduled_at, now) : null
    const { id } = await tx
      .insertInto('post')
      .values({
        workspace_id: caller.workspace_id,
        author_id: caller.user_id,
        content,
        labels,
        status: time ? 'scheduled' : 'draft',
        scheduled_at: time,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeTargets(tx, caller.workspace_id, id, wantedTargets(input) ?? [], listedIn(input))
    const post = await checked(tx, caller.workspace_id, id, listedIn(input))
    if (time) for (const target of post.targets) await wakeTarget(tx, target, time)
    await emit(tx, 'post.created', caller.workspace_id, { post }, now)
    await audit(tx, caller, 'post.created', id, { status: post.status })
    return post
  })

/** Locks a post for a change. Authors change their own posts only. */
async function lockPost(tx: Tx, caller: Member, id: string) {
  const post = await tx
    .selectFrom('post')
    .select(['id', 'status', 'scheduled_at', 'author_id'])
    .where('id', '=', id)
    .where('workspace_id', '=', caller.workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw notFound()
  if (!atLeast(caller.role, 'editor') && post.author_id !== caller.user_id)
    throw problem('forbidden_role', { detail: 'Authors may change their own posts only.' })
  return post
}

const dropJobs = async (tx: Tx, post_id: string) => {
  const targets = await tx.selectFrom('post_target').select('id').where('post_id', '=', post_id).execute()
  for (const { id } of targets) await removeJob(tx, jobKey(id))
}

/** Makes failed targets wait again. One whose answer was lost is looked up before anything is sent. */
const reopenTargets = (tx: Tx, post_id: string, now: Date) =>
  tx
    .updateTable('post_target')
    .set({
      status: sql`case when error_code = 'unconfirmed' then 'unconfirmed' else 'pending' end::target_status`,
      error_code: null,
      error_message: null,
      attempts: 0,
      attempted_at: now,
    })
    .where('post_id', '=', post_id)
    .where('status', '=', 'failed')
    .returning(['id', 'account_id'])
    .execute()

export const changePost = ({ db, clock }: Deps, caller: Member, id: string, input: Static<typeof ChangePost>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    if (!['draft', 'scheduled', 'failed'].includes(before.status))
      throw invalidTransition(before.status, 'change a post')
    const { content, labels, scheduled_at } = input
    const time =
      scheduled_at === undefined
        ? before.status === 'failed'
          ? null
          : before.scheduled_at
        : scheduled_at === null
          ? null
          : checkTime(scheduled_at, now)
    const targets = wantedTargets(input)

    await dropJobs(tx, id)
    await tx
      .updateTable('post')
      .set({
        ...(content !== undefined && { content }),
        ...(labels !== undefined && { labels }),
        // A failed post that is changed is as good as new: it waits for its time, or as a draft.
        status: time ? 'scheduled' : 'draft',
        scheduled_at: time,
        updated_at: now,
      })
      .where('id', '=', id)
      .execute()
    if (targets) await writeTargets(tx, caller.workspace_id, id, targets, listedIn(input))
    await reopenTargets(tx, id, now)
    const post = await checked(tx, caller.workspace_id, id, listedIn(input))
    if (time) for (const target of post.targets) await wakeTarget(tx, target, time)
    await emit(tx, 'post.updated', caller.workspace_id, { post }, now)
    await audit(tx, caller, 'post.updated', id, { fields: Object.keys(input) })
    return post
  })

/** Removes a post from Meydan. What was published stays on the networks. */
export const deletePost = ({ db }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const post = await lockPost(tx, caller, id)
    if (post.status === 'publishing') throw invalidTransition(post.status, 'delete a post')
    await dropJobs(tx, id)
    await tx.deleteFrom('post').where('id', '=', id).execute()
    await audit(tx, caller, 'post.deleted', id, { status: post.status })
  })

export const publishPost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    if (before.status !== 'draft' && before.status !== 'scheduled')
      throw invalidTransition(before.status, 'publish a post')
    await tx
      .updateTable('post')
      .set({ status: 'scheduled', scheduled_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    const post = await checked(tx, caller.workspace_id, id)
    for (const target of post.targets) await wakeTarget(tx, target)
    await emit(tx, 'post.updated', caller.workspace_id, { post }, now)
    await audit(tx, caller, 'post.publish_requested', id)
    return post
  })

/** Tries the failed targets again. */
export const retryPost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    if (before.status !== 'failed' && before.status !== 'partially_published')
      throw invalidTransition(before.status, 'retry a post')
    const failed = await reopenTargets(tx, id, now)
    await tx.updateTable('post').set({ status: 'publishing', updated_at: now }).where('id', '=', id).execute()
    const post = await checked(tx, caller.workspace_id, id)
    for (const target of failed) await wakeTarget(tx, target)
    await emit(tx, 'post.updated', caller.workspace_id, { post }, now)
    await audit(tx, caller, 'post.retry_requested', id)
    return post
  })
