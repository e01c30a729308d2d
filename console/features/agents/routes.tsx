import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { workspaceRoute } from '../../layout-routes'
import { prefetchAccounts } from '../accounts/queries'
import { agentQuery, agentsQuery, runsQuery } from './queries'

const agents = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents',
  loader: ({ params }) => void queryClient.prefetchQuery(agentsQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./AgentsPage'), 'workspace', 'further'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/$agent',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(agentQuery(params.workspace, params.agent))
    void queryClient.prefetchInfiniteQuery(runsQuery(params.workspace, params.agent))
  },
  component: lazyRouteComponent(() => withTexts(import('./AgentPage'), 'workspace', 'further'), 'AgentPage'),
})

const newAgent = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/new',
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(
    () => withTexts(import('./form/AgentFormPages'), 'workspace', 'further'),
    'NewAgentPage',
  ),
})

const editAgent = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/$agent/edit',
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(
    () => withTexts(import('./form/AgentFormPages'), 'workspace', 'further'),
    'EditAgentPage',
  ),
})

export const agentRoutes = { workspace: [agents, agent, newAgent, editAgent] } as const
