import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidTransition, notFound, problem } from '../../errors.ts'
import { atLeast, type Member } from '../../lib/access.ts'
import { afterCommit, inTransaction, leastId, type Tx } from '../../lib/database.ts'
import type { GenerationKind } from '../../lib/database-types.ts'
import { removeJob } from '../../lib/jobs.ts'
import { giveBack, monthOf, reserve } from '../../lib/limits.ts'
import type { GenerationQuery } from './generate.schema.ts'

type Model = { id: number; id_secure: string; name: string }
export type File = { id: string; url: string; mime: string; bytes: number }

/** Who calls with a token for /public reads files there too. */
export const filesPath = ({ token }: Pick<Member, 'token'>) =>
  `/api/v1${token?.scopes.length ? '/public' : ''}/ai/files/`

/** Generations with their files, each in one row, so that a page is one query. */
const selectGenerations = ({ db, clock }: Deps, caller: Member) =>
  db
    .selectFrom('ai_generation')
    .leftJoin('ai_model', 'ai_model.id', 'ai_generation.model_id')
    .where('ai_generation.workspace_id', '=', caller.workspace_id)
    .select([
      'ai_generation.id',
      'ai_generation.kind',
      'ai_generation.state',
      'ai_generation.prompt',
      'ai_generation.credits',
      'ai_generation.error_code',
      'ai_generation.created_at',
      'ai_generation.ended_at',
      'ai_generation.user_id',
      // A real is a number of seven digits or so: as such it is shown.
      sql<number | null>`ai_generation.progress::text::float8`.as('progress'),
      sql<Model | null>`case when ai_model.id is not null then json_build_object(
        'id', ai_model.id, 'id_secure', ai_model.id_secure, 'name', ai_model.name) end`.as('model'),
      sql<{ input_tokens: number | null; output_tokens: number | null } | null>`
        case when ai_generation.input_tokens is not null or ai_generation.output_tokens is not null then
          json_build_object('input_tokens', ai_generation.input_tokens, 'output_tokens', ai_generation.output_tokens) end`.as(
        'usage',
      ),
      sql<File[]>`coalesce((
        select json_agg(json_build_object('id', f.id, 'url', ${filesPath(caller)}::text || f.id, 'mime', f.mime,
          'bytes', octet_length(f.bytes)) order by f.id)
        from ai_file f where f.generation_id = ai_generation.id and f.expires_at > ${clock.now()}), '[]')`.as('files'),
    ])

export const listGenerations = (deps: Deps, caller: Member, { kind, state }: Static<typeof GenerationQuery>) => {
  let query = selectGenerations(deps, caller)
  if (kind) query = query.where('ai_generation.kind', '=', kind)
  if (state) query = query.where('ai_generation.state', '=', state)
  return query
}

export async function readGeneration(deps: Deps, caller: Member, id: string) {
  const row = await selectGenerations(deps, caller).where('ai_generation.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** How many of a workspace may be under way at a time: those that somebody waits for, and videos. */
const MOST_AT_A_TIME = 4

type Start = {
  model_id: number
  kind: GenerationKind
  prompt: string
  params?: object
  credits: number
  /** Until when a node that lives is done with it. */
  leased_until: Date
}

/** Commits a generation with the credits that it may take, before anything is called. */
export async function begin(
  { clock }: Deps,
  tx: Tx,
  { workspace_id, user_id }: Member,
  { params = {}, ...start }: Start,
): Promise<string> {
  const now = clock.now()
  const { id } = await tx
    .insertInto('ai_generation')
    .values({
      ...start,
      workspace_id,
      user_id,
      params: JSON.stringify(params),
      counted_in: sql<Date>`${monthOf(now)}::date`,
      created_at: now,
      ...(start.kind === 'video' && { progress: 0 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Its row is locked from here on: who comes next counts what this one has committed.
  await reserve(tx, { workspace_id, meter: 'ai_credits', amount: start.credits, now })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ai_generation
    where workspace_id = ${workspace_id} and state = 'running' and (kind = 'video') = ${start.kind === 'video'}`.execute(
    tx,
  )
  if ((rows[0]?.count ?? 0) > MOST_AT_A_TIME)
    throw problem('too_many_requests', {
      detail: `A workspace has at most ${MOST_AT_A_TIME} ${start.kind === 'video' ? 'videos' : 'generations'} under way at a time.`,
      retryAfter: start.kind === 'video' ? 30 : 2,
    })
  return id
}

type Success = { input_tokens?: number | null; output_tokens?: number | null; credits?: number }

/** Ends a generation that has succeeded. Throws when it was ended otherwise meanwhile: its credits are given back. */
export async function succeed({ clock }: Deps, tx: Tx, id: string, { credits, ...tokens }: Success = {}) {
  const before = await lockRunning(tx, id)
  if (!before) throw await endedOtherwise(tx, id)
  await tx
    .updateTable('ai_generation')
    .set({
      ...tokens,
      state: 'succeeded',
      ended_at: clock.now(),
      operation: null,
      ...(before.kind === 'video' && { progress: 1 }),
      ...(credits !== undefined && { credits }),
    })
    .where('id', '=', id)
    .execute()
  if (credits !== undefined && credits < before.credits)
    await giveBack(tx, { ...before, meter: 'ai_credits', amount: before.credits - credits })
}

const endedOtherwise = async (tx: Tx, id: string) => {
  const found = await tx.selectFrom('ai_generation').select('state').where('id', '=', id).executeTakeFirst()
  return invalidTransition(found?.state ?? 'canceled', 'finish a generation')
}

/** Notes that a part of a text goes out now: from here on it is paid, also when it is canceled. false: it has ended meanwhile. */
export async function noteTold(tx: Tx, id: string) {
  const { numUpdatedRows } = await tx
    .updateTable('ai_generation')
    .set({ operation: JSON.stringify(TOLD) })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
const TOLD = { step: 'told' }

/**
 * Ends a generation without a result, and gives its credits back, but for a text that was canceled when a part of it had
 * been read: who hangs up before its last word would read for nothing. false: it had ended already.
 */
export async function giveUp(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  id: string,
  outcome: { state: 'failed'; error_code: string } | { state: 'canceled' },
) {
  const before = await lockRunning(tx, id)
  if (!before) return false
  const isPaid = outcome.state === 'canceled' && before.is_told
  await tx
    .updateTable('ai_generation')
    .set({ ...outcome, ended_at: clock.now(), operation: null, ...(!isPaid && { credits: 0 }) })
    .where('id', '=', id)
    .execute()
  if (!isPaid) await giveBack(tx, { ...before, meter: 'ai_credits', amount: before.credits })
  return true
}

const lockRunning = (tx: Tx, id: string) =>
  tx
    .selectFrom('ai_generation')
    .select(['workspace_id', 'kind', 'credits', sql<string>`counted_in::text`.as('month')])
    .select(sql<boolean>`coalesce(operation = ${JSON.stringify(TOLD)}::jsonb, false)`.as('is_told'))
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

/** Stops a generation. What was made up to then is not kept. */
export async function cancelGeneration(deps: Deps, caller: Member, id: string) {
  await inTransaction(deps.db, async (tx) => {
    const found = await tx
      .selectFrom('ai_generation')
      .select(['state', 'user_id'])
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw notFound()
    if (!atLeast(caller.role, 'editor') && found.user_id !== caller.user_id)
      throw problem('forbidden_role', { detail: 'Authors may cancel their own generations only.' })
    if (found.state === 'canceled') return
    if (found.state !== 'running') throw invalidTransition(found.state, 'cancel a generation')
    await giveUp(deps, tx, id, { state: 'canceled' })
    await removeJob(tx, videoKey(id))
    afterCommit(tx, () => underWay.get(id)?.abort(CANCELED))
  })
  return readGeneration(deps, caller, id)
}

/** Generations that this process waits for, each with what breaks off its call. */
export const underWay = new Map<string, AbortController>()
export const CANCELED = new Error('The generation was canceled')

/** What the next step of a video is known by among the jobs. */
export const videoKey = (id: string) => `video:${id}`

const BATCH = 500
/** What was generated when, with its prompt, is nobody's business for longer. */
const KEPT_DAYS = 90

/** Ends what a node that died has left, and erases files and generations that are too old. */
export async function sweepGenerations(deps: Pick<Deps, 'db' | 'clock'>) {
  const { db, clock } = deps
  const left = await db
    .selectFrom('ai_generation')
    .select('id')
    .where('state', '=', 'running')
    .where('leased_until', '<', clock.now())
    .limit(BATCH)
    .execute()
  // One at a time: the locks of several workspaces are never held together.
  for (const { id } of left)
    await inTransaction(db, (tx) => giveUp(deps, tx, id, { state: 'failed', error_code: 'interrupted' }))
  await sql`delete from ai_file where id = any(array(
    select id from ai_file where expires_at <= ${clock.now()} limit ${BATCH}))`.execute(db)
  await sql`delete from ai_generation where id = any(array(
    select id from ai_generation
    where id < ${leastId(new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000))}::uuid and state <> 'running'
    order by id limit ${BATCH}))`.execute(db)
  return left.length
}
