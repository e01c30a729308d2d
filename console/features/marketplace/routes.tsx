import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { marketplaceChunk } from '../../chunks/load'
import { workspaceRoute } from '../../layout-routes'
import { gigsQuery } from './queries'

const gigs = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs',
  loader: ({ params }) => void queryClient.prefetchQuery(gigsQuery(params.workspace)),
  component: lazyRouteComponent(marketplaceChunk, 'GigsPage'),
})

const newGig = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs/new',
  component: lazyRouteComponent(marketplaceChunk, 'NewGigPage'),
})

const editGig = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/marketplace/gigs/$gig/edit',
  component: lazyRouteComponent(marketplaceChunk, 'EditGigPage'),
})

export const marketplaceRoutes = { workspace: [gigs, newGig, editGig] } as const
