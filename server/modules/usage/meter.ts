import type { RawBuilder } from 'kysely'

/** Names of all meters, in display order. They are the keys of `plan.limits`. */
export const meterNames = [
  'social_accounts',
  'posts_per_month',
  'scheduled_posts_max',
  'ai_credits',
  'team_members',
  'storage_mb',
] as const
export type MeterName = (typeof meterNames)[number]

type Described = {
  meter: MeterName
  /** Describes in words what a plan with this limit allows. */
  allows: (limit: number) => string
}

/** Counts per calendar month (UTC), with a row of `usage` for each month. */
export type MonthlyMeter = Described & { kind: 'monthly' }

/** Counts what currently exists. */
export type Gauge = Described & {
  kind: 'gauge'
  /** `workspace_id`: an id, or a column that has it. */
  count: (workspace_id: string | RawBuilder<string>, now: Date) => RawBuilder<number>
  /** Describes how to free some of it. */
  hint: string
}

/** A quantity that a plan limits. Each is declared in the `x.meters.ts` of the module that adds to it. */
export type Meter = MonthlyMeter | Gauge
