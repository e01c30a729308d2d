import type { Db } from '../../lib/db/database.ts'
import type { Feature } from '../../lib/http/access.ts'
import { whenReady } from '../../lib/maybe-promise.ts'
import { createInvalidatedCache } from '../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import { type PlanInForce, readPlanInForce } from '../usage/plan-in-force.ts'

/** Whether the plan of a workspace includes a feature. Without billing, all are included. */
export function entitlements({ db, invalidationBus }: { db: Db; invalidationBus: InvalidationBus }) {
  const kept = createInvalidatedCache<PlanInForce>(invalidationBus)
  return (workspace_id: string, feature: Feature) =>
    whenReady(
      kept(workspace_id, () => readPlanInForce(db, workspace_id)),
      (plan) => plan !== undefined && (!plan.billing_enabled || plan.entitlements.includes(feature)),
    )
}
