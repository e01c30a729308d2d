import { sql } from 'kysely'
import { DAY } from '../../../../../shared/time.ts'
import { type FieldError, Problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import type { Member } from '../../../../lib/http/access.ts'
import type { Text } from '../../../../lib/language.ts'
import { doneBy } from '../../../auth/event-actor.ts'
import { readActingMember } from '../../../workspaces/members/acting-member.ts'
import { importEvents } from '../imports.events.ts'
import { type ImportRecord, KEPT_MS } from '../imports.ts'
import { bodyOf } from '../rows/check-rows.ts'
import type { ImportedPost } from '../rows/read-row.ts'
import { problemOfPost, type RowProblem, rowProblem } from '../rows/row-problems.ts'
import { createPosts, type PlannedPost } from './create-posts.ts'
import { fetchFiles, listFiles } from './fetch-files.ts'
import { lockForJob } from './lock-for-job.ts'

/** Rows that become posts in one transaction, and their bytes. */
const BATCH = 250
const BATCH_BYTES = 2_000_000

type Row = {
  row: number
  post: ImportedPost
  problems: RowProblem[]
  /** The files of the row that were fetched, or why they were not, in their order. */
  files: { media_id: string | null; error: { code: string; message: string } | null }[]
}

/** Rows that were confirmed, whose files are all there or have failed. Each state is read in the order of its index. */
async function nextRows(tx: Tx, { id, written_states }: ImportRecord, limit: number) {
  const { rows } = await sql<Row>`
    select row, post, problems, coalesce(files, '[]') as files from (
      select row, post, problems, files, sum(bytes) over (order by row) - bytes as bytes_before
      from unnest(${written_states}::post_import_row_state[]) as confirmed cross join lateral (
        select row, post, problems, bytes, files from post_import_row
          left join lateral (
            select json_agg(json_build_object('media_id', media_id, 'error', error) order by place) as files,
              count(*) filter (where media_id is null and error is null) as open
            from jsonb_array_elements(post -> 'media_urls') with ordinality as file (named, place)
              left join post_import_media m on m.import_id = ${id} and url_hash = md5(named ->> 'url')
          ) as named on post -> 'media_urls' <> '[]'
        where import_id = ${id} and state = confirmed and post_id is null and coalesce(open, 0) = 0
        order by row limit ${limit}
      ) as listed
      order by row limit ${limit}
    ) as next where bytes_before < ${BATCH_BYTES} order by row`.execute(tx)
  return rows
}

const hasRows = async (tx: Tx, { id, written_states }: ImportRecord) => {
  const { rows } = await sql`select from post_import_row
    where import_id = ${id} and state = any(${written_states}::post_import_row_state[]) and post_id is null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** The post of a row, with the status that it asks for or else the confirmed one. */
function planOf({ post, files }: Row, { written_as }: Pick<ImportRecord, 'written_as'>): PlannedPost {
  const { scheduled_at, ...input } = bodyOf(post)
  const fetched = files.flatMap(({ media_id }) => media_id ?? [])
  const body = { ...input, media_ids: [...new Set([...post.media_ids, ...fetched])] }
  const status = files.some(({ error }) => error) ? 'draft' : (post.status ?? written_as)
  if (status === 'review') return { input: body, review_at: scheduled_at ? new Date(scheduled_at) : null }
  if (status === 'idea') return { input: { ...body, is_idea: true } }
  return { input: status === 'draft' || !scheduled_at ? body : { ...body, scheduled_at } }
}

const draftOf = (row: Row) => planOf({ ...row, post: { ...row.post, status: 'draft' } }, { written_as: 'draft' })

const fileProblems = ({ fields }: ImportRecord, { post, files }: Row) =>
  files.flatMap(({ error }, index): RowProblem[] =>
    error
      ? [
          rowProblem(fields, {
            ...{ field: 'media', code: error.code, value: post.media_urls[index]?.url ?? '' },
            text: {
              en: `This file could not be fetched, so the post is a draft. ${error.message}`,
              tr: `Bu dosya alınamadı; gönderi taslak olarak kaydedildi. ${error.message}`,
            },
          }),
        ]
      : [],
  )

type Written = { row: number; state: 'written' | 'error'; post_id: string | null; problems: RowProblem[] }

/** Creates the posts of rows. One that its files made unfit becomes a draft. */
async function create(
  tx: Tx,
  author: Member,
  record: ImportRecord,
  rows: readonly Row[],
  now: Date,
): Promise<Written[]> {
  const entry = { action: 'import.posts_created', target_id: record.id, details: { rows: rows.map(({ row }) => row) } }
  const how = { now, entry }
  const results = await createPosts(
    tx,
    author,
    rows.map((row) => planOf(row, record)),
    how,
  )
  const refusedAs = (errors: readonly FieldError[]) => errors.map((error) => problemOfPost(record.fields, error))
  const unfit = rows.filter((row, index) => row.files.length > 0 && 'errors' in (results[index] ?? {}))
  const drafts = await createPosts(tx, author, unfit.map(draftOf), how)
  return rows.map((row, index): Written => {
    const result = results[index]
    const draft = drafts[unfit.indexOf(row)]
    const problems = [
      ...row.problems,
      ...fileProblems(record, row),
      ...(result && 'errors' in result ? refusedAs(result.errors) : []),
    ]
    const created = result && 'id' in result ? result : draft && 'id' in draft ? draft : undefined
    return { row: row.row, problems, state: created ? 'written' : 'error', post_id: created?.id ?? null }
  })
}

const store = (tx: Tx, import_id: string, rows: readonly Written[]) =>
  sql`update post_import_row as stored
    set state = found.state, post_id = found.post_id, problems = found.problems
    from json_to_recordset(${JSON.stringify(rows)}::json) as found (row int, state post_import_row_state, post_id uuid, problems jsonb)
    where stored.import_id = ${import_id} and stored.row = found.row`.execute(tx)

const touch = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('post_import').set({ version: sql`version + 1`, updated_at: now }).where('id', '=', id).execute()

/** Marks all rows that are left as refused; with `onlyScheduled` those whose posts count in the plan. */
async function refuseRest(
  tx: Tx,
  { id, written_states, written_as, fields }: ImportRecord,
  { code, text, onlyScheduled = false }: { code: string; text: Text; onlyScheduled?: boolean },
) {
  const problems = JSON.stringify([rowProblem(fields, { field: 'ignore', code, text })])
  await sql`update post_import_row set state = 'error', problems = problems || ${problems}::jsonb
    where import_id = ${id} and state = any(${written_states}::post_import_row_state[]) and post_id is null
      and (not ${onlyScheduled} or (coalesce(post ->> 'status', ${written_as}::text) = 'scheduled' and post ->> 'scheduled_at' is not null))`.execute(
    tx,
  )
}

async function finish(tx: Tx, { id, workspace_id, name, total }: ImportRecord, author: Member | undefined, now: Date) {
  await tx
    .updateTable('post_import')
    .set({ status: 'done', finished_at: now, expires_at: new Date(now.getTime() + KEPT_MS + DAY / 24) })
    .set({ updated_at: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  const { written } = await tx
    .selectFrom('post_import_row')
    .select(sql<number>`count(*)::int`.as('written'))
    .where('import_id', '=', id)
    .where('state', '=', 'written')
    .executeTakeFirstOrThrow()
  const data = { import_id: id, name, posts: written, refused: total - written, by: author ? doneBy(author) : null }
  await emit(tx, importEvents['import.completed'], workspace_id, data, now)
}

const authorGone: Text = {
  en: 'The member who confirmed the import may no longer create posts here.',
  tr: 'İçe aktarmayı onaylayan üye artık burada gönderi oluşturamıyor.',
}

/** `files`: rows wait for files, which the author fetches. */
type Outcome = { is: 'more' | 'ended' } | { is: 'files'; author: Member }

const writeBatch = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, limit: number) =>
  inTransaction(db, async (tx): Promise<Outcome> => {
    const record = await lockForJob(tx, id, 'writing')
    if (!record) return { is: 'ended' }
    const now = clock.now()
    const author = await readActingMember(
      tx,
      { user_id: record.acting_id, workspace_id: record.workspace_id },
      'author',
    )
    if (!author) await refuseRest(tx, record, { code: 'forbidden_role', text: authorGone })
    const rows = author ? await nextRows(tx, record, limit) : []
    if (author && rows.length === 0 && (await hasRows(tx, record))) {
      await listFiles(tx, id, record.written_states)
      return { is: 'files', author }
    }
    if (!author || rows.length === 0) {
      await finish(tx, record, author, now)
      return { is: 'ended' }
    }
    // First, because creating posts locks the usage of the workspace until the commit.
    await touch(tx, id, now)
    await store(tx, id, await create(tx, author, record, rows, now))
    return { is: 'more' }
  })

/** Marks the row that is next as refused. When the plan has nothing left, all that are left. */
const refuseNext = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, { code, message, options }: Problem) =>
  inTransaction(db, async (tx) => {
    const record = await lockForJob(tx, id, 'writing')
    if (!record) return
    await touch(tx, id, clock.now())
    if (code === 'limit_exceeded')
      return refuseRest(tx, record, { code, text: { en: message, tr: message }, onlyScheduled: true })
    const [next] = await nextRows(tx, record, 1)
    if (!next) return
    const problems = options.errors?.map((error) => problemOfPost(record.fields, error)) ?? [
      rowProblem(record.fields, { field: 'text', code, text: { en: message, tr: message } }),
    ]
    await store(tx, id, [{ row: next.row, state: 'error', post_id: null, problems: [...next.problems, ...problems] }])
  })

/** Creates the posts of the next rows. Returns whether there may be more. */
export async function writePosts(deps: Deps, id: string) {
  for (let size = BATCH; ; size = Math.floor(size / 2))
    try {
      const outcome = await writeBatch(deps, id, size)
      if (outcome.is === 'files') await fetchFiles(deps, outcome.author, id)
      return outcome.is !== 'ended'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // One of the rows is refused, or the plan has not enough left for all of them: fewer may still become posts.
      if (size > 1) continue
      await refuseNext(deps, id, error)
      return true
    }
}

/** Ends an import whose job failed for the last time. */
export const settleRest = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) =>
  inTransaction(db, async (tx) => {
    const record = await lockForJob(tx, id, 'writing')
    if (!record) return
    const text = {
      en: 'This row could not be written. Import it again.',
      tr: 'Bu satır yazılamadı. Yeniden içe aktarın.',
    }
    await refuseRest(tx, record, { code: 'internal_error', text })
    await finish(tx, record, undefined, clock.now())
  })
