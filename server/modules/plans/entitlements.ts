import type { Db } from '../../lib/db/database.ts'
import type { Authenticator } from '../../lib/http/authorize.ts'
import { createInvalidatedCache } from '../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import { whenReady } from '../../lib/runtime/concurrency/maybe-promise.ts'
import { type PlanInForce, readPlanInForce } from '../usage/plan-in-force.ts'

/** Reads of a workspace's plan what routes require. Without billing, all features are included. */
export function entitlements({
  db,
  invalidationBus,
}: {
  db: Db
  invalidationBus: InvalidationBus
}): Pick<Authenticator, 'isSubscribed' | 'hasFeature'> {
  const cache = createInvalidatedCache<PlanInForce>(invalidationBus)
  const planOf = (workspace_id: string) => cache(workspace_id, () => readPlanInForce(db, workspace_id))
  return {
    isSubscribed: (workspace_id) =>
      whenReady(planOf(workspace_id), (plan) => plan !== undefined && (!plan.billing_enabled || plan.is_subscribed)),
    hasFeature: (workspace_id, feature) =>
      whenReady(
        planOf(workspace_id),
        (plan) => plan !== undefined && (!plan.billing_enabled || plan.entitlements.includes(feature)),
      ),
  }
}
