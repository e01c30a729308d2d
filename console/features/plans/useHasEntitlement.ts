import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../api'
import { useWorkspace } from '../workspaces/queries'
import { type Entitlement, usageQuery } from './queries'

/** Whether the plan of the workspace includes a feature. Undefined while that is not known. */
export function useHasEntitlement(entitlement: Entitlement) {
  const usage = useQuery(usageQuery(useWorkspace().slug))
  const plans = useQuery(plansQuery)
  if (!usage.data || !plans.data) return undefined
  const code = usage.data.plan?.code
  // Plans that are not public are unknown here. The API refuses what they do not include.
  return plans.data.find((plan) => plan.code === code)?.entitlements.includes(entitlement) ?? true
}
