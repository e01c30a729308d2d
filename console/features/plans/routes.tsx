import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../i18n'
import { instanceRoute, rootRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { type PriceChoice, priceChoice } from './search-params'

/** Needs no sign-in. `workspace`: its plan is highlighted. */
const pricing = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  validateSearch: (search: Search): PriceChoice & { workspace?: string } => ({
    ...textParam(search, 'workspace'),
    ...priceChoice(search),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./pricing/PricingPage'), 'workspace', 'further'),
    'PricingPage',
  ),
})

const plans = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans',
  component: lazyRouteComponent(
    () => withTexts(import('./PlansPage'), 'workspace', 'further', 'instance-admin'),
    'PlansPage',
  ),
})

const newPlan = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans/new',
  // `from`: the code of the plan to copy.
  validateSearch: (search: Search) => textParam(search, 'from'),
  component: lazyRouteComponent(
    () => withTexts(import('./form/PlanFormPages'), 'workspace', 'further', 'instance-admin'),
    'NewPlanPage',
  ),
})

const editPlan = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plans/$plan',
  component: lazyRouteComponent(
    () => withTexts(import('./form/PlanFormPages'), 'workspace', 'further', 'instance-admin'),
    'EditPlanPage',
  ),
})

export const planRoutes = { root: [pricing], instance: [plans, newPlan, editPlan] } as const
