import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { setUpChunk, workspaceAdminChunk, workspaceChunk } from '../../chunks/load'
import { signedInRoute, signedOutRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { instanceQuery, meQuery } from '../auth/queries'
import { membersQuery } from './members/member-queries'
import { checklistQuery, settingsQuery, workspacesQuery } from './queries'

const setUp = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/setup',
  validateSearch: (search: Search) => textParam(search, 'code'),
  loader: () => queryClient.ensureQueryData(instanceQuery),
  component: lazyRouteComponent(setUpChunk, 'SetUpPage'),
})

const home = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async () => {
    const [me, workspaces] = await Promise.all([
      queryClient.ensureQueryData(meQuery),
      queryClient.ensureQueryData(workspacesQuery),
    ])
    const workspace = workspaces.find(({ id }) => id === me.workspace_id) ?? workspaces[0]
    if (workspace) throw redirect({ to: '/w/$workspace', params: { workspace: workspace.slug } })
    throw redirect({ to: '/new-workspace' })
  },
})

const newWorkspace = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/new-workspace',
  component: lazyRouteComponent(workspaceChunk, 'NewWorkspacePage'),
})

const overview = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  loader: ({ params }) => void queryClient.prefetchQuery(checklistQuery(params.workspace)),
  component: lazyRouteComponent(workspaceChunk, 'OverviewPage'),
})

const members = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/members',
  loader: ({ params }) => void queryClient.prefetchQuery(membersQuery(params.workspace)),
  component: lazyRouteComponent(workspaceAdminChunk, 'MembersPage'),
})

const settings = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  loader: ({ params }) => void queryClient.prefetchQuery(settingsQuery(params.workspace)),
  component: lazyRouteComponent(workspaceAdminChunk, 'SettingsPage'),
})

export const workspaceRoutes = {
  signedOut: [setUp],
  signedIn: [home, newWorkspace],
  workspace: [overview, members, settings],
} as const
