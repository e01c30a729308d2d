import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { instanceRoute, signedInRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { workspacesQuery } from '../workspaces/queries'
import { findPlaygroundPost, playgroundQuery } from './playground-queries'

const playground = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/playground',
  validateSearch: (search: Search) => textParam(search, 'post'),
  loader: ({ params }) => void queryClient.prefetchInfiniteQuery(playgroundQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./PlaygroundPage'), 'workspace', 'further'), 'PlaygroundPage'),
})

/** The address of a post published on the Playground. It names no workspace, so each one is searched. */
const playgroundPost = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/playground/$post',
  beforeLoad: async ({ params }) => {
    const workspace = await findPlaygroundPost(await queryClient.ensureQueryData(workspacesQuery), params.post)
    if (!workspace) throw notFound()
    throw redirect({
      to: '/w/$workspace/playground',
      params: { workspace: workspace.slug },
      search: { post: params.post },
    })
  },
})

const workspaceApps = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/network-apps',
  component: lazyRouteComponent(
    () => withTexts(import('./WorkspaceAppsPage'), 'workspace', 'further'),
    'WorkspaceAppsPage',
  ),
})

const networkApps = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/networks',
  component: lazyRouteComponent(
    () => withTexts(import('./apps/NetworkAppsPage'), 'workspace', 'further', 'instance-admin'),
    'NetworkAppsPage',
  ),
})

export const networkRoutes = {
  signedIn: [playgroundPost],
  workspace: [playground, workspaceApps],
  instance: [networkApps],
} as const
