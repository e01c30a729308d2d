import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalid, invalidTransition, limitExceeded, notFound } from '../../errors.ts'
import type { Feature, User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'
import type { Plan } from '../../lib/database-types.ts'
import type { IfMatch } from '../../lib/etag.ts'
import { heardCache } from '../../lib/heard-cache.ts'
import { defaultPlanCode } from '../../lib/limits.ts'
import { toMajor, toMinor } from '../../lib/money.ts'
import type { PageInput } from '../../lib/page.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { MOST_PLANS, type NewPlan, type PlanChanges, type PlanOrder, type PlanRecord } from './plans.schema.ts'

type Row = Selectable<Plan>

export function recordOf({ try_monthly, try_yearly, usd_monthly, usd_yearly, ...plan }: Row) {
  return {
    ...plan,
    prices: {
      try: { monthly: toMajor(try_monthly), yearly: toMajor(try_yearly) },
      usd:
        usd_monthly === null || usd_yearly === null
          ? null
          : { monthly: toMajor(usd_monthly), yearly: toMajor(usd_yearly) },
    },
    limits: plan.limits as PlanRecord['limits'],
    entitlements: plan.entitlements as Feature[],
    metadata: plan.metadata as Record<string, string>,
  }
}

const place = ({ position, code }: { position: number; code: string }) =>
  Buffer.from(`${position} ${code}`).toString('base64url')

function placeOf(cursor: string) {
  const [, position, code] =
    /^(\d{1,7}) ([A-Za-z0-9._-]{2,40})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position === undefined || code === undefined)
    throw invalid('/cursor', 'This is not a cursor that a list returned.')
  return { position: Number(position), code }
}

/** All plans by their position. */
export async function listPlans(db: Db, { limit = 25, cursor }: PageInput) {
  let query = db.selectFrom('plan').selectAll()
  if (cursor !== undefined) {
    const { position, code } = placeOf(cursor)
    query = query.where(sql<boolean>`(position, code) > (${position}::int, ${code})`)
  }
  const rows = await query
    .orderBy('position')
    .orderBy('code')
    .limit(limit + 1)
    .execute()
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data: data.map(recordOf), next_cursor: rows.length > limit && last ? place(last) : null }
}

export async function readPlan(db: Db, code: string) {
  const row = await db.selectFrom('plan').selectAll().where('code', '=', code).executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row)
}

async function lockPlan(tx: Tx, code: string) {
  // As the update that follows would, but before the row is locked: `lockPlans` may be waiting for that row.
  await sql`lock table plan in row exclusive mode`.execute(tx)
  const row = await tx.selectFrom('plan').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row)
}

/** Holds off every other change that is about all plans: their number, and their order. */
const lockPlans = (tx: Tx) => sql`lock table plan in share row exclusive mode`.execute(tx)

const MOST_METADATA_BYTES = 16_384

function pricesOf({ try: lira, usd }: PlanRecord['prices']) {
  return {
    try_monthly: toMinor(lira.monthly, '/prices/try/monthly'),
    try_yearly: toMinor(lira.yearly, '/prices/try/yearly'),
    usd_monthly: usd && toMinor(usd.monthly, '/prices/usd/monthly'),
    usd_yearly: usd && toMinor(usd.yearly, '/prices/usd/yearly'),
  }
}

/** The columns of what was sent. */
function columnsOf({ prices, limits, metadata, name, ...rest }: Static<typeof PlanChanges>) {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MOST_METADATA_BYTES)
    throw invalid('/metadata', 'This takes at most 16 KB.', 'too_large')
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(prices && pricesOf(prices)),
    ...(limits && { limits: JSON.stringify(limits) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  }
}

export const createPlan = ({ db, pulse }: Deps, caller: User, { code, ...input }: Static<typeof NewPlan>) =>
  inTransaction(db, async (tx) => {
    const { prices, limits, position, ...rest } = input
    const columns = { ...columnsOf(rest), ...pricesOf(prices), limits: JSON.stringify(limits), name: rest.name.trim() }
    await lockPlans(tx)
    const { count, last } = await tx
      .selectFrom('plan')
      .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(position), 0)`.as('last')])
      .executeTakeFirstOrThrow()
    if (count >= MOST_PLANS)
      throw limitExceeded('plans', MOST_PLANS, count, `There may be ${MOST_PLANS} plans; there are ${count}.`)
    const row = await tx
      .insertInto('plan')
      .values({ ...columns, code, position: position ?? Math.min(last + 1, 1_000_000) })
      .returningAll()
      .executeTakeFirstOrThrow()
    const plan = recordOf(row)
    await pulse.announce(tx, 'plans')
    await audit(tx, caller, 'plan.created', null, { code, after: told(plan, Object.keys(input)) })
    return plan
  })

const told = (plan: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(plan).filter(([field]) => fields.includes(field)))

/** A plan that workspaces without one of their own live by must stay. */
async function keepDefault(tx: Tx, code: string) {
  const { rows } = await sql<{ code: string }>`select ${defaultPlanCode} as code`.execute(tx)
  if (rows[0]?.code === code) throw invalidTransition('default', 'archive a plan')
}

export const changePlan = (
  { db, pulse }: Deps,
  caller: User,
  code: string,
  input: Static<typeof PlanChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const columns = columnsOf(input)
    const before = await lockPlan(tx, code)
    ifMatch(before.version)
    if (input.is_active === false && before.is_active) await keepDefault(tx, code)
    const row = await tx
      .updateTable('plan')
      .set({ ...columns, updated_at: sql`now()` })
      .where('code', '=', code)
      .returningAll()
      .executeTakeFirstOrThrow()
    const after = recordOf(row)
    const fields = Object.keys(input)
    await pulse.announce(tx, 'plans')
    await audit(tx, caller, 'plan.updated', null, { code, before: told(before, fields), after: told(after, fields) })
    return after
  })

/** Takes a plan off the list. Workspaces that live by it keep it. Doing it again changes nothing. */
export const archivePlan = ({ db, pulse }: Deps, caller: User, code: string) =>
  inTransaction(db, async (tx) => {
    const before = await lockPlan(tx, code)
    if (!before.is_active) return before
    await keepDefault(tx, code)
    const row = await tx
      .updateTable('plan')
      .set({ is_active: false, updated_at: sql`now()` })
      .where('code', '=', code)
      .returningAll()
      .executeTakeFirstOrThrow()
    await pulse.announce(tx, 'plans')
    await audit(tx, caller, 'plan.archived', null, { code, before: { is_active: true }, after: { is_active: false } })
    return recordOf(row)
  })

/** Puts all plans in this order. */
export const orderPlans = ({ db, pulse }: Deps, caller: User, { codes }: Static<typeof PlanOrder>) =>
  inTransaction(db, async (tx) => {
    await lockPlans(tx)
    const plans = await tx.selectFrom('plan').select('code').orderBy('position').orderBy('code').execute()
    const before = plans.map(({ code }) => code)
    const twice = codes.findIndex((code, index) => codes.indexOf(code) < index)
    if (twice >= 0) throw invalid(`/codes/${twice}`, 'This plan is named twice.')
    const unknown = codes.findIndex((code) => !before.includes(code))
    if (unknown >= 0) throw invalid(`/codes/${unknown}`, 'There is no such plan.')
    const missing = before.filter((code) => !codes.includes(code))
    if (missing.length > 0) throw invalid('/codes', `Every plan has to be named; missing: ${missing.join(', ')}.`)
    await sql`update plan set position = wanted.position, updated_at = now()
      from unnest(${codes}::text[]) with ordinality wanted (code, position)
      where plan.code = wanted.code and plan.position <> wanted.position`.execute(tx)
    await pulse.announce(tx, 'plans')
    await audit(tx, caller, 'plan.ordered', null, { before, after: codes })
    return listPlans(tx, { limit: MOST_PLANS })
  })

/** The plans on offer, in the order of the price list. */
export const selectOffered = (db: Db) =>
  db
    .selectFrom('plan')
    .selectAll()
    .where('is_public', '=', true)
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('code')

/** The price list as it is sent, kept in the process: anybody may ask for it, as often as they like. */
export function priceList({ db, pulse }: { db: Db; pulse: Pulse }, write: (plans: unknown) => string) {
  const kept = heardCache<{ text: string; etag: string }>(pulse)
  const read = async () => {
    const rows = await selectOffered(db).execute()
    // Through bytes and back: what a serializer writes is a rope of hundreds of pieces, and each answer would untie it anew.
    const text = Buffer.from(write({ data: rows.map(recordOf), next_cursor: null })).toString()
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"` }
  }
  return () => kept('', read)
}
