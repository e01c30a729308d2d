import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { instanceRoute, signedInRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam, uuidParam } from '../../ui/navigation/search-params'
import { meQuery } from '../auth/queries'
import { lastWorkspace, workspacesQuery } from '../workspaces/queries'
import { orderCountsQuery, orderQuery } from './orders/order-queries'
import { gigsQuery } from './queries'

const gigs = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs',
  loader: ({ params }) => void queryClient.prefetchQuery(gigsQuery(params.workspace, false)),
  component: lazyRouteComponent(() => withTexts(import('./gigs/GigsPage'), 'workspace', 'further'), 'GigsPage'),
})

const newGig = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs/new',
  component: lazyRouteComponent(() => withTexts(import('./gigs/GigFormPages'), 'workspace', 'further'), 'NewGigPage'),
})

const editGig = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs/$gig/edit',
  component: lazyRouteComponent(() => withTexts(import('./gigs/GigFormPages'), 'workspace', 'further'), 'EditGigPage'),
})

const earnings = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/earnings',
  component: lazyRouteComponent(
    () => withTexts(import('./earnings/EarningsPage'), 'workspace', 'further'),
    'EarningsPage',
  ),
})

const buy = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/buy/$gig',
  component: lazyRouteComponent(() => withTexts(import('./orders/BuyPage'), 'workspace', 'further'), 'BuyPage'),
})

const orders = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/orders',
  validateSearch: (search: Search): { role?: 'buyer' | 'seller' } => ({
    role: search.role === 'buyer' || search.role === 'seller' ? search.role : undefined,
  }),
  loader: ({ params }) => queryClient.prefetchQuery(orderCountsQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./orders/OrdersPage'), 'workspace', 'further'), 'OrdersPage'),
})

const order = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/orders/$order',
  loader: ({ params }) => void queryClient.prefetchQuery(orderQuery(params.workspace, params.order)),
  component: lazyRouteComponent(() => withTexts(import('./orders/OrderPage'), 'workspace', 'further'), 'OrderPage'),
})

/** The address to which the public page of a gig leads. Buys for the workspace that the user was in last. */
const buyFromPublicPage = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/buy/$gig',
  beforeLoad: async ({ params: { gig } }) => {
    const [me, workspaces] = await Promise.all([
      queryClient.ensureQueryData(meQuery),
      queryClient.ensureQueryData(workspacesQuery),
    ])
    const workspace = lastWorkspace(workspaces, me)
    if (!workspace) throw redirect({ to: '/new-workspace' })
    throw redirect({ to: '/w/$workspace/marketplace/buy/$gig', params: { workspace: workspace.slug, gig } })
  },
})

const disputes = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/marketplace/disputes',
  validateSearch: (search: Search) => textParam(search, 'status'),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/DisputesPage'), 'workspace', 'further', 'instance-admin'),
    'DisputesPage',
  ),
})

const dispute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/marketplace/disputes/$dispute',
  component: lazyRouteComponent(
    () => withTexts(import('./admin/DisputePage'), 'workspace', 'further', 'instance-admin'),
    'DisputePage',
  ),
})

const refunds = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/marketplace/refunds',
  validateSearch: (search: Search) => textParam(search, 'status'),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/RefundsPage'), 'workspace', 'further', 'instance-admin'),
    'RefundsPage',
  ),
})

const payouts = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/marketplace/payouts',
  validateSearch: (search: Search): { status?: string; batch?: string } => ({
    ...textParam(search, 'status'),
    batch: uuidParam(search.batch),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/PayoutsPage'), 'workspace', 'further', 'instance-admin'),
    'PayoutsPage',
  ),
})

const moderation = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/marketplace/moderation',
  validateSearch: (
    search: Search,
  ): { view?: 'gigs'; status?: string; search?: string; shown?: 'hidden' | 'others' } => ({
    view: search.view === 'gigs' ? 'gigs' : undefined,
    shown: search.shown === 'hidden' || search.shown === 'others' ? search.shown : undefined,
    ...textParam(search, 'status'),
    ...textParam(search, 'search'),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/moderation/ModerationPage'), 'workspace', 'further', 'instance-admin'),
    'ModerationPage',
  ),
})

export const marketplaceRoutes = {
  signedIn: [buyFromPublicPage],
  workspace: [gigs, newGig, editGig, buy, orders, order, earnings],
  instance: [disputes, dispute, refunds, payouts, moderation],
} as const
