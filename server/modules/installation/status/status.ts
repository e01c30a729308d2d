import type { Static } from 'typebox'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { Deps } from '../../../lib/deps.ts'
import { type AskedAt, type Check, type CheckContext, levels } from '../../../lib/runtime/checks/check.ts'
import { runChecks } from '../../../lib/runtime/checks/run-checks.ts'
import type { Status } from './status.schema.ts'

/** The parts of a running node that checks look at. */
export const contextOf = ({ config, baseUrl, clock, checkDatabase, options, storage }: Deps): CheckContext => ({
  config,
  baseUrl,
  now: clock.now,
  database: () => checkDatabase.db,
  options: () => options,
  storage: async () => storage,
  isServing: true,
})

/** Runs all checks as of a request, which shows how callers reach Meydan. */
export async function readStatus(deps: Deps, checks: readonly Check[], asked: AskedAt): Promise<Static<typeof Status>> {
  const results = await runChecks({ ...contextOf(deps), asked }, checks)
  const level = levels.findLast((level) => results.some((result) => result.level === level)) ?? 'ok'
  return { level, read_at: deps.clock.now(), version: packageJson.version, checks: results }
}
