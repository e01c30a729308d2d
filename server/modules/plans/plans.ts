import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, limitExceeded, notFound } from '../../errors.ts'
import { audit, changedFields, pickFields } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Plan } from '../../lib/db/database-types.ts'
import { type Order, type PageInput, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Feature, User } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { toMajor, toMinor } from '../../lib/money.ts'
import { createInvalidatedCache } from '../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import { defaultPlanCode } from '../usage/plan-in-force.ts'
import { MAX_PLANS, type NewPlan, type PlanChanges, type PlanOrder, type PlanRecord } from './plans.schema.ts'

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

/** The price of a period in minor units; null if the plan is not sold in this currency. */
export function amountOf(plan: Row, period: 'monthly' | 'yearly', currency: 'TRY' | 'USD') {
  const amount = currency === 'TRY' ? plan[`try_${period}`] : plan[`usd_${period}`]
  return amount === null ? null : BigInt(amount)
}

const byPosition: Order<'position' | 'code'> = {
  by: { position: 'position', code: 'code' },
  direction: 'asc',
  decode: (text) => /^(\d{1,7}) ([A-Za-z0-9._-]{2,40})$/.exec(text)?.slice(1),
}

/** Lists all plans by position. */
export async function listPlans(db: Db, query: PageInput) {
  const { data, next_cursor } = await page(db.selectFrom('plan').selectAll(), byPosition, query)
  return { data: data.map(recordOf), next_cursor }
}

export async function readPlan(db: Db, code: string) {
  const row = await db.selectFrom('plan').selectAll().where('code', '=', code).executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row)
}

async function lockPlan(tx: Tx, code: string) {
  // Takes the lock of the update below before the row is locked: `lockPlans` may be waiting for that row.
  await sql`lock table plan in row exclusive mode`.execute(tx)
  const row = await tx.selectFrom('plan').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row)
}

/** Blocks other changes of all plans: their number and order. */
const lockPlans = (tx: Tx) => sql`lock table plan in share row exclusive mode`.execute(tx)

const MAX_METADATA_BYTES = 16_384

function pricesOf({ try: lira, usd }: PlanRecord['prices']) {
  return {
    try_monthly: toMinor(lira.monthly, '/prices/try/monthly'),
    try_yearly: toMinor(lira.yearly, '/prices/try/yearly'),
    usd_monthly: usd && toMinor(usd.monthly, '/prices/usd/monthly'),
    usd_yearly: usd && toMinor(usd.yearly, '/prices/usd/yearly'),
  }
}

function columnsOf({ prices, limits, metadata, name, ...rest }: Static<typeof PlanChanges>) {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw invalid('/metadata', 'This must not be larger than 16 KB.', 'too_large')
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(prices && pricesOf(prices)),
    ...(limits && { limits: JSON.stringify(limits) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  }
}

export const createPlan = ({ db, invalidationBus }: Deps, caller: User, { code, ...input }: Static<typeof NewPlan>) =>
  inTransaction(db, async (tx) => {
    const { prices, limits, position, ...rest } = input
    const columns = { ...columnsOf(rest), ...pricesOf(prices), limits: JSON.stringify(limits), name: rest.name.trim() }
    await lockPlans(tx)
    const { count, last } = await tx
      .selectFrom('plan')
      .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(position), 0)`.as('last')])
      .executeTakeFirstOrThrow()
    if (count >= MAX_PLANS)
      throw limitExceeded('plans', MAX_PLANS, count, `There can be at most ${MAX_PLANS} plans; there are ${count}.`)
    const row = await tx
      .insertInto('plan')
      .values({ ...columns, code, position: position ?? Math.min(last + 1, 1_000_000) })
      .returningAll()
      .executeTakeFirstOrThrow()
    const plan = recordOf(row)
    await invalidationBus.invalidate(tx, 'plans')
    await audit(tx, caller, 'plan.created', null, { code, after: pickFields(plan, Object.keys(input)) })
    return plan
  })

/** Refuses the default plan: workspaces without their own plan use it. */
async function assertNotDefault(tx: Tx, code: string) {
  const { rows } = await sql<{ code: string }>`select ${defaultPlanCode} as code`.execute(tx)
  if (rows[0]?.code === code) throw invalidTransition('default', 'archive a plan')
}

export const changePlan = (
  { db, invalidationBus }: Deps,
  caller: User,
  code: string,
  input: Static<typeof PlanChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const columns = columnsOf(input)
    const before = await lockPlan(tx, code)
    ifMatch(before.version)
    if (input.is_active === false && before.is_active) await assertNotDefault(tx, code)
    const row = await tx
      .updateTable('plan')
      .set({ ...columns, updated_at: sql`now()` })
      .where('code', '=', code)
      .returningAll()
      .executeTakeFirstOrThrow()
    const after = recordOf(row)
    await invalidationBus.invalidate(tx, 'plans')
    await audit(tx, caller, 'plan.updated', null, { code, ...changedFields(before, after, Object.keys(input)) })
    return after
  })

/** Archives a plan. Its workspaces keep it. Does nothing if it is already archived. */
export const archivePlan = ({ db, invalidationBus }: Deps, caller: User, code: string) =>
  inTransaction(db, async (tx) => {
    const before = await lockPlan(tx, code)
    if (!before.is_active) return before
    await assertNotDefault(tx, code)
    const row = await tx
      .updateTable('plan')
      .set({ is_active: false, updated_at: sql`now()` })
      .where('code', '=', code)
      .returningAll()
      .executeTakeFirstOrThrow()
    await invalidationBus.invalidate(tx, 'plans')
    await audit(tx, caller, 'plan.archived', null, { code, before: { is_active: true }, after: { is_active: false } })
    return recordOf(row)
  })

export const orderPlans = ({ db, invalidationBus }: Deps, caller: User, { codes }: Static<typeof PlanOrder>) =>
  inTransaction(db, async (tx) => {
    await lockPlans(tx)
    const plans = await tx.selectFrom('plan').select('code').orderBy('position').orderBy('code').execute()
    const before = plans.map(({ code }) => code)
    const twice = codes.findIndex((code, index) => codes.indexOf(code) < index)
    if (twice >= 0) throw invalid(`/codes/${twice}`, 'This plan is listed twice.')
    const unknown = codes.findIndex((code) => !before.includes(code))
    if (unknown >= 0) throw invalid(`/codes/${unknown}`, 'This plan does not exist.')
    const missing = before.filter((code) => !codes.includes(code))
    if (missing.length > 0) throw invalid('/codes', `Every plan must be listed. Missing: ${missing.join(', ')}.`)
    await sql`update plan set position = wanted.position, updated_at = now()
      from unnest(${codes}::text[]) with ordinality wanted (code, position)
      where plan.code = wanted.code and plan.position <> wanted.position`.execute(tx)
    await invalidationBus.invalidate(tx, 'plans')
    await audit(tx, caller, 'plan.ordered', null, { before, after: codes })
    return listPlans(tx, { limit: MAX_PLANS })
  })

/** Selects the plans on offer, in the order of the price list. */
export const selectOffered = (db: Db) =>
  db
    .selectFrom('plan')
    .selectAll()
    .where('is_public', '=', true)
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('code')

/** Caches the serialized price list in memory: it is public and may be requested often. */
export function priceList(
  { db, invalidationBus }: { db: Db; invalidationBus: InvalidationBus },
  offersTrials: () => Promise<boolean>,
  write: (plans: unknown) => string,
) {
  const cache = createInvalidatedCache<{ text: string; etag: string }>(invalidationBus)
  const read = async () => {
    const [rows, hasTrials] = await Promise.all([selectOffered(db).execute(), offersTrials()])
    const plans = rows.map((row) => recordOf(hasTrials ? row : { ...row, trial_days: null }))
    // The Buffer flattens the string. A serializer makes a rope of hundreds of pieces, which each response would
    // flatten again.
    const text = Buffer.from(write({ data: plans, next_cursor: null })).toString()
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"` }
  }
  return () => cache('', read)
}
