import type { Config } from '../../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { Deps } from '../../deps.ts'
import type { MaybePromise } from '../concurrency/maybe-promise.ts'

export const levels = ['ok', 'warning', 'error'] as const
export type Level = (typeof levels)[number]

/** Groups of checks, in display order. */
export const groups = ['address', 'database', 'storage', 'work', 'mail', 'providers', 'security', 'ledger'] as const
type Group = (typeof groups)[number]

/**
 * A result of a check. Texts have placeholders such as `{{count}}`. The console has the same texts by their codes, in
 * every language.
 */
type Outcome = { level: Level; message: string; remedy: string | null }

export const ok = (message: string): Outcome => ({ level: 'ok', message, remedy: null })
export const warning = (message: string, remedy: string): Outcome => ({ level: 'warning', message, remedy })
export const error = (message: string, remedy: string): Outcome => ({ level: 'error', message, remedy })

/** Values for the placeholders. One whose name ends with `_at` is a time. */
export type Values = Record<string, string | number>

export type Finding<Code extends string = string> = { outcome: Code; values?: Values }

/** The request that asks for the status. Its address shows where people and proxies look for Meydan. */
export type AskedAt = { host: string; isForwarded: boolean }

/**
 * The parts that checks look at. A function throws when its part cannot be used; the checks that need it report that.
 */
export type CheckContext = Pick<Deps, 'baseUrl'> & {
  config: Config
  now: () => Date
  database: () => Db
  options: () => Deps['options']
  storage: () => Promise<Deps['storage']>
  /** Whether any process serves this installation. */
  isServing: boolean
  asked?: AskedAt
}

/**
 * A part of the installation that can be wrong: what it can be, and a function that finds out. It keeps nothing. An
 * outcome `timed_out` replaces the common one.
 */
export type Check = {
  name: string
  group: Group
  outcomes: Record<string, Outcome>
  find: (context: CheckContext) => MaybePromise<Finding>
}

/** Declares a check. The name and the outcomes are part of the API, of metrics and of the texts of the console. */
export const check = <Code extends string>(
  declaration: Pick<Check, 'name' | 'group'> & {
    outcomes: Record<Code, Outcome>
    find: (context: CheckContext) => MaybePromise<Finding<NoInfer<Code>>>
  },
): Check => declaration

/** Rounded to a tenth, for texts. */
export const tenths = (value: number) => Math.round(value * 10) / 10
