import type { Feature } from '../../lib/access.ts'
import type { Db } from '../../lib/database.ts'
import { heardCache } from '../../lib/heard-cache.ts'
import { type PlanInForce, readPlanInForce } from '../../lib/limits.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { soon } from '../../lib/soon.ts'

/** Whether the plan of a workspace includes a part of Meydan. Without plans in force everything is included. */
export function entitlements({ db, pulse }: { db: Db; pulse: Pulse }) {
  const kept = heardCache<PlanInForce>(pulse)
  return (workspace_id: string, feature: Feature) =>
    soon(
      kept(workspace_id, () => readPlanInForce(db, workspace_id)),
      (plan) => plan !== undefined && (!plan.billing_enabled || plan.entitlements.includes(feature)),
    )
}
