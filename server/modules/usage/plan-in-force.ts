import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../lib/db/database.ts'
import type { MeterName } from './meter.ts'

/** Options are read in the statement that uses the limit, so that a reservation never uses an outdated limit. */
const option = (key: string) => sql`(select value from option where key = ${key})`
/** Whether workspaces have plans. If not, nothing is limited and everything is included. */
const billingEnabled = sql<boolean>`coalesce(${option('billing.enabled')} = 'true'::jsonb, false)`
/** The plan of workspaces without a plan of their own. */
export const defaultPlanCode = sql<string>`coalesce(${option('billing.default_plan')} #>> '{}', 'free')`
/** The plan in force for a row of `workspace`. */
export const planCode = sql<string>`coalesce(workspace.plan_code, ${defaultPlanCode})`

/** The limit of a meter for a workspace; -1: unlimited. */
export const limitOf = (workspace_id: string | RawBuilder<string>, meter: MeterName) => sql<number>`coalesce((
  select (plan.limits ->> ${meter}::text)::int from workspace join plan on plan.code = ${planCode}
  where workspace.id = ${workspace_id} and ${billingEnabled}), -1)`

export type PlanInForce = {
  billing_enabled: boolean
  /** Whether the plan is of a subscription in force, and not the default one. */
  is_subscribed: boolean
  code: string | null
  name: string | null
  entitlements: string[]
}

export async function readPlanInForce(db: Db, workspace_id: string): Promise<PlanInForce> {
  const { rows } = await sql<PlanInForce>`
    select ${billingEnabled} as billing_enabled, workspace.plan_code is not null as is_subscribed, plan.code, plan.name, coalesce(plan.entitlements, '{}') as entitlements
    from workspace left join plan on plan.code = ${planCode} where workspace.id = ${workspace_id}`.execute(db)
  return rows[0] ?? { billing_enabled: true, is_subscribed: false, code: null, name: null, entitlements: [] }
}
