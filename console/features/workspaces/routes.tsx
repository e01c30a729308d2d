import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { shellRoute, signedInRoute, signedOutRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { instanceQuery, meQuery } from '../auth/queries'
import { usageQuery } from '../plans/queries'
import { planChoice } from '../plans/search-params'
import { invitationsQuery, membersQuery } from './members/member-queries'
import { prefetchOverview } from './overview-queries'
import {
  brandQuery,
  deletedWorkspacesQuery,
  findWorkspace,
  isAtLeast,
  lastWorkspace,
  settingsQuery,
  workspaceCountsQuery,
  workspacesQuery,
} from './queries'

const setUp = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/setup',
  validateSearch: (search: Search) => textParam(search, 'code'),
  loader: () => queryClient.fetchQuery(instanceQuery),
  component: lazyRouteComponent(() => withTexts(import('./SetUpPage'), 'workspace', 'further'), 'SetUpPage'),
})

const home = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async () => {
    const [me, workspaces] = await Promise.all([
      queryClient.ensureQueryData(meQuery),
      queryClient.ensureQueryData(workspacesQuery),
    ])
    const workspace = lastWorkspace(workspaces, me)
    if (workspace) throw redirect({ to: '/w/$workspace', params: { workspace: workspace.slug } })
    throw redirect({ to: '/new-workspace' })
  },
})

const newWorkspace = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/new-workspace',
  // The plan that was chosen before sign-up.
  validateSearch: planChoice,
  component: lazyRouteComponent(
    () => withTexts(import('./NewWorkspacePage'), 'workspace', 'further'),
    'NewWorkspacePage',
  ),
})

const overview = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  loader: async ({ params }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (found) await prefetchOverview(found)
  },
  component: lazyRouteComponent(() => withTexts(import('./OverviewPage'), 'workspace', 'further'), 'OverviewPage'),
})

const members = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/members',
  loader: async ({ params: { workspace } }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), workspace)
    await Promise.all([
      queryClient.prefetchQuery(membersQuery(workspace)),
      ...(found && isAtLeast(found, 'admin')
        ? [queryClient.prefetchQuery(invitationsQuery(workspace)), queryClient.prefetchQuery(instanceQuery)]
        : []),
    ])
  },
  component: lazyRouteComponent(
    () => withTexts(import('./members/MembersPage'), 'workspace', 'further'),
    'MembersPage',
  ),
})

const brand = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/brand',
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(brandQuery(workspace)),
  component: lazyRouteComponent(() => withTexts(import('./brand/BrandPage'), 'workspace', 'further'), 'BrandPage'),
})

const settings = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  loader: ({ params: { workspace } }) =>
    Promise.all([
      queryClient.prefetchQuery(settingsQuery(workspace)),
      queryClient.prefetchQuery(usageQuery(workspace)),
      queryClient.prefetchQuery(deletedWorkspacesQuery),
    ]),
  component: lazyRouteComponent(
    () => withTexts(import('./settings/SettingsPage'), 'workspace', 'further'),
    'SettingsPage',
  ),
})

const allWorkspaces = createRoute({
  getParentRoute: () => shellRoute,
  path: '/workspaces',
  loader: () => void queryClient.prefetchQuery(workspaceCountsQuery),
  component: lazyRouteComponent(
    () => withTexts(import('./all/AllWorkspacesPage'), 'workspace', 'further'),
    'AllWorkspacesPage',
  ),
})

export const workspaceRoutes = {
  signedOut: [setUp],
  signedIn: [home, newWorkspace],
  shell: [allWorkspaces],
  workspace: [overview, members, brand, settings],
} as const
