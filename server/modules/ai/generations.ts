import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../shared/time.ts'
import { invalidTransition, notFound, problem } from '../../errors.ts'
import { afterCommit, type Db, inTransaction, minIdAt, type Tx } from '../../lib/db/database.ts'
import type { GenerationKind } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { atLeast } from '../../lib/http/roles.ts'
import { usdOf } from '../../lib/money.ts'
import type { Reading } from '../../lib/runtime/installation-metrics.ts'
import { removeJob } from '../../lib/runtime/jobs.ts'
import { monthOf } from '../usage/month.ts'
import { release, reserve } from '../usage/quotas.ts'
import { aiCredits } from './ai.meters.ts'
import type { GenerationQuery } from './generate.schema.ts'

type Model = { id: number; id_secure: string; name: string }
type File = { id: string; url: string; mime: string; bytes: number; media_id: string | null }

/** Calls with a token for /public read files there too. */
export const filesPath = ({ token }: Pick<Member, 'token'>) =>
  `/api/v1${token?.scopes.length ? '/public' : ''}/ai/files/`

/** Selects generations with their files, one row each, so that a page is one query. */
const selectGenerations = (db: Db, { clock }: Pick<Deps, 'clock'>, caller: Member) =>
  db
    .selectFrom('ai_generation')
    .leftJoin('ai_model', 'ai_model.id', 'ai_generation.model_id')
    .select([
      'ai_generation.id',
      'ai_generation.kind',
      'ai_generation.state',
      'ai_generation.prompt',
      'ai_generation.credits',
      'ai_generation.is_cost_estimated',
      'ai_generation.error_code',
      'ai_generation.created_at',
      'ai_generation.ended_at',
      'ai_generation.user_id',
      usdOf<number | null>(sql`ai_generation.cost`).as('cost_usd'),
      // A real has about seven digits. The detour through text shows no more.
      sql<number | null>`ai_generation.progress::text::float8`.as('progress'),
      sql<Model | null>`case when ai_model.id is not null then json_build_object(
        'id', ai_model.id, 'id_secure', ai_model.id_secure, 'name', ai_model.name) end`.as('model'),
      sql<{ input_tokens: number | null; output_tokens: number | null } | null>`
        case when ai_generation.input_tokens is not null or ai_generation.output_tokens is not null then
          json_build_object('input_tokens', ai_generation.input_tokens, 'output_tokens', ai_generation.output_tokens) end`.as(
        'usage',
      ),
      sql<File[]>`coalesce((
        select json_agg(json_build_object('id', f.id, 'url', ${filesPath(caller)}::text || f.id,
          'mime', coalesce(m.mime, f.mime), 'bytes', coalesce(m.bytes, octet_length(f.bytes)), 'media_id', f.media_id)
          order by f.id)
        from ai_file f left join media m on m.id = f.media_id
        where m.deleted_at is null and f.generation_id = ai_generation.id and f.expires_at > ${clock.now()}), '[]')`.as(
        'files',
      ),
    ])

/** Generations of all workspaces: `pageOfWorkspace` selects those of one. */
export const listGenerations = (
  { db, ...deps }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  { kind, state }: Static<typeof GenerationQuery>,
) => {
  let query = selectGenerations(db, deps, caller)
  if (kind) query = query.where('ai_generation.kind', '=', kind)
  if (state) query = query.where('ai_generation.state', '=', state)
  return query
}

export async function readGeneration(db: Db, deps: Pick<Deps, 'clock'>, caller: Member, id: string) {
  const row = await selectGenerations(db, deps, caller)
    .where('ai_generation.id', '=', id)
    .where('ai_generation.workspace_id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Maximum of running generations of a workspace at a time, for videos and for all others separately. */
const MAX_RUNNING = 4
/** The same for agents: one stays free for people. */
const MAX_RUNNING_OF_AGENTS = MAX_RUNNING - 1

type NewGeneration = {
  model_id: number
  kind: GenerationKind
  prompt: string
  params?: object
  credits: number
  /** The most that it may cost. Null: the model has no price. */
  cost: number | null
  /** Time by which a live node is done with it. */
  leased_until: Date
  charge?: Charge
}

/**
 * Charges credits and cost to the budget of an agent, or throws. Runs first in the transaction that reserves them; the
 * generation counts there, with what is left of them.
 */
export type Charge = (
  tx: Tx,
  spent: { credits: number; cost: number | null },
) => Promise<{ agent_id: string; agent_month: string }>

/** Commits a generation and reserves its maximum of credits before any call. */
export async function startGeneration(
  { clock }: Deps,
  tx: Tx,
  { workspace_id, user_id }: Member,
  { params = {}, charge, ...start }: NewGeneration,
): Promise<string> {
  const now = clock.now()
  const charged = await charge?.(tx, start)
  const { id } = await tx
    .insertInto('ai_generation')
    .values({
      ...start,
      workspace_id,
      user_id,
      params: JSON.stringify(params),
      counted_in: sql<Date>`${monthOf(now)}::date`,
      created_at: now,
      ...(charged && {
        agent_id: charged.agent_id,
        agent_month: sql<Date>`${charged.agent_month}::date`,
      }),
      ...(start.kind === 'video' && { progress: 0 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Locks the usage row, so the next call counts what this one has committed.
  await reserve(tx, aiCredits, { workspace_id, amount: start.credits, now })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ai_generation
    where workspace_id = ${workspace_id} and state = 'running' and (kind = 'video') = ${start.kind === 'video'}`.execute(
    tx,
  )
  if ((rows[0]?.count ?? 0) > (charged && start.kind !== 'video' ? MAX_RUNNING_OF_AGENTS : MAX_RUNNING))
    throw problem('too_many_requests', {
      detail: `A workspace can have at most ${MAX_RUNNING} running ${start.kind === 'video' ? 'videos' : 'generations'} at a time.`,
      retryAfter: start.kind === 'video' ? 30 : 2,
    })
  return id
}

/** Usage of a call that the provider reported, and the cost that follows from it. */
export type Used = {
  input_tokens?: number | null
  output_tokens?: number | null
  cost?: number | null
  is_cost_estimated?: boolean
}

/** Ends a generation as succeeded. Throws if it has already ended otherwise; its credits were returned then. */
export async function completeGeneration(
  { clock }: Deps,
  tx: Tx,
  id: string,
  { credits, ...used }: Used & { credits?: number } = {},
) {
  const before = await lockRunning(tx, id)
  if (!before) throw await endedOtherwise(tx, id)
  await tx
    .updateTable('ai_generation')
    .set({
      ...used,
      state: 'succeeded',
      ended_at: clock.now(),
      operation: null,
      ...(before.kind === 'video' && { progress: 1 }),
      ...(credits !== undefined && { credits }),
    })
    .where('id', '=', id)
    .execute()
  if (credits !== undefined && credits < before.credits)
    await release(tx, aiCredits, { ...before, amount: before.credits - credits })
}

const endedOtherwise = async (tx: Tx, id: string) => {
  const generation = await tx.selectFrom('ai_generation').select('state').where('id', '=', id).executeTakeFirst()
  return invalidTransition(generation?.state ?? 'canceled', 'finish a generation')
}

/** `isUncalled`: whether the provider was not called yet. `isBilled`: whether it bills the call, or may do so. */
type Outcome = { isUncalled?: boolean; used?: Used | undefined } & (
  | { state: 'failed'; error_code: string; isBilled?: boolean }
  | { state: 'canceled'; isBilled?: never }
)

/**
 * Ends a generation without a result. One that failed gets its credits back. A canceled one keeps them once its provider
 * was called, which is paid for whether or not somebody waits. One that the provider may bill keeps the cost that follows from
 * `used`, or else the most that it may cost. false: it had ended already.
 */
export async function failGeneration(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  id: string,
  { isUncalled = false, isBilled = false, used, ...outcome }: Outcome,
) {
  const before = await lockRunning(tx, id)
  if (!before) return false
  const isPaid = outcome.state === 'canceled' && before.is_called && !isUncalled
  await tx
    .updateTable('ai_generation')
    .set({
      ...outcome,
      ended_at: clock.now(),
      operation: null,
      ...(!isPaid && { credits: 0 }),
      ...(isPaid || isBilled
        ? (used ?? { is_cost_estimated: sql<boolean>`cost is not null` })
        : { cost: sql<string | null>`cost * 0` }),
    })
    .where('id', '=', id)
    .execute()
  if (!isPaid) await release(tx, aiCredits, { ...before, amount: before.credits })
  return true
}

const lockRunning = (tx: Tx, id: string) =>
  tx
    .selectFrom('ai_generation')
    .select(['workspace_id', 'kind', 'credits', sql<string>`counted_in::text`.as('month')])
    // A job calls the provider of a video; the others call theirs as soon as they have started.
    .select(sql<boolean>`(kind <> 'video' or operation is not null)`.as('is_called'))
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

/** Cancels a generation. Partial output is not kept. */
export async function cancelGeneration(deps: Deps, caller: Member, id: string) {
  await inTransaction(deps.db, async (tx) => {
    const generation = await tx
      .selectFrom('ai_generation')
      .select(['state', 'user_id'])
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .forUpdate()
      .executeTakeFirst()
    if (!generation) throw notFound()
    if (!atLeast(caller.role, 'editor') && generation.user_id !== caller.user_id)
      throw problem('forbidden_role', { detail: 'Authors can cancel only their own generations.' })
    if (generation.state === 'canceled') return
    if (generation.state !== 'running') throw invalidTransition(generation.state, 'cancel a generation')
    await failGeneration(deps, tx, id, { state: 'canceled' })
    await removeJob(tx, videoKey(id))
    afterCommit(tx, () => running.get(id)?.abort(CANCELED))
  })
  return readGeneration(deps.db, deps, caller, id)
}

/** Generations that this process waits for, each with its AbortController. */
export const running = new Map<string, AbortController>()
export const CANCELED = new Error('The generation was canceled')

/** Job key of the next step of a video. */
export const videoKey = (id: string) => `video:${id}`

const BATCH = 500
/** Retention of generations. Prompts are private and not kept longer. */
const KEPT_DAYS = 90

/** Ends generations that a dead node left running. Erases expired files and generations. */
export async function sweepGenerations(deps: Pick<Deps, 'db' | 'clock'>) {
  const { db, clock } = deps
  const left = await db
    .selectFrom('ai_generation')
    .select('id')
    .where('state', '=', 'running')
    .where('leased_until', '<', clock.now())
    .limit(BATCH)
    .execute()
  // One at a time, so that locks of several workspaces are never held together.
  for (const { id } of left)
    await inTransaction(db, (tx) =>
      failGeneration(deps, tx, id, { state: 'failed', error_code: 'interrupted', isBilled: true }),
    )
  await sql`delete from ai_file where id = any(array(
    select id from ai_file where expires_at <= ${clock.now()} limit ${BATCH}))`.execute(db)
  await sql`delete from ai_generation where id = any(array(
    select id from ai_generation
    where id < ${minIdAt(new Date(clock.now().getTime() - KEPT_DAYS * DAY))}::uuid and state <> 'running'
    order by id limit ${BATCH}))`.execute(db)
  return left.length
}

/** Ids begin with the time of their row, so the primary key finds those of the last hour. */
export const recentGenerations: Reading = {
  query: sql`
    select coalesce(provider::text, '') as provider, state::text as outcome, count(*) as generations_hour,
      avg(extract(epoch from ended_at - ai_generation.created_at)) as generations_hour_mean_seconds,
      sum(credits) as generations_hour_credits
    from ai_generation left join ai_model on ai_model.id = model_id
    where ai_generation.id >= uuid_at(now() - interval '1 hour') and state <> 'running' group by 1, 2`,
  labels: ['provider', 'outcome'],
  gauges: {
    generations_hour: 'Generations that began in the last hour and have ended, by AI provider and outcome.',
    generations_hour_mean_seconds: 'Time that these took on average.',
    generations_hour_credits: 'Credits that they used.',
  },
}
