import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { instanceAdminChunk } from '../../chunks/load'
import { withTexts } from '../../i18n'
import { instanceRoute, rootRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'

/** Needs no sign-in. `workspace`: its plan is highlighted. */
const pricing = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  validateSearch: (
    search: Search,
  ): { workspace?: string; currency?: 'try' | 'usd'; period?: 'monthly' | 'yearly' } => ({
    ...textParam(search, 'workspace'),
    currency: search.currency === 'try' || search.currency === 'usd' ? search.currency : undefined,
    period: search.period === 'monthly' || search.period === 'yearly' ? search.period : undefined,
  }),
  component: lazyRouteComponent(() => withTexts(import('./PricingPage'), 'workspace'), 'PricingPage'),
})

const plans = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans',
  component: lazyRouteComponent(instanceAdminChunk, 'PlansPage'),
})

const newPlan = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans/new',
  // `from`: the code of the plan to copy.
  validateSearch: (search: Search) => textParam(search, 'from'),
  component: lazyRouteComponent(instanceAdminChunk, 'NewPlanPage'),
})

const editPlan = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans/$plan',
  component: lazyRouteComponent(instanceAdminChunk, 'EditPlanPage'),
})

export const planRoutes = { root: [pricing], instance: [plans, newPlan, editPlan] } as const
