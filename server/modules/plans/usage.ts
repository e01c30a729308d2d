import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { boundsOf, monthOf, readMeters, readPlanInForce } from '../../lib/limits.ts'

export async function readUsage({ db, clock }: Deps, { workspace_id }: Member) {
  const now = clock.now()
  const { start, end } = boundsOf(monthOf(now))
  const { billing_enabled, code, name } = await readPlanInForce(db, workspace_id)
  return {
    plan: billing_enabled && code !== null && name !== null ? { code, name } : null,
    billing_enabled,
    period_start: start,
    period_end: end,
    meters: await readMeters(db, workspace_id, now),
  }
}
