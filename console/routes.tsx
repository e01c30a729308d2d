import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './features/accounts/routes'
import { agentRoutes } from './features/agents/routes'
import { aiRoutes } from './features/ai/routes'
import { auditRoutes } from './features/audit/routes'
import { authRoutes } from './features/auth/routes'
import { billingRoutes } from './features/billing/routes'
import { catalogRoutes } from './features/catalog/routes'
import { installationRoutes } from './features/installation/routes'
import { mailRoutes } from './features/mail/routes'
import { marketplaceRoutes } from './features/marketplace/routes'
import { mediaRoutes } from './features/media/routes'
import { metricsRoutes } from './features/metrics/routes'
import { networkRoutes } from './features/networks/routes'
import { notificationRoutes } from './features/notifications/routes'
import { optionRoutes } from './features/options/routes'
import { planRoutes } from './features/plans/routes'
import { postRoutes } from './features/posts/routes'
import { tokenRoutes } from './features/tokens/routes'
import { webhookRoutes } from './features/webhooks/routes'
import { workspaceRoutes } from './features/workspaces/routes'
import { instanceRoute, rootRoute, shellRoute, signedInRoute, signedOutRoute, workspaceRoute } from './layout-routes'
import { ErrorPage } from './ui/feedback/error-pages'
import { LoadingSkeleton } from './ui/feedback/LoadingSkeleton'

/** Every page of the console. A feature declares its pages in its routes.tsx, by their parent route. */
const routeTree = rootRoute.addChildren([
  ...planRoutes.root,
  ...postRoutes.root,
  signedOutRoute.addChildren([...authRoutes.signedOut, ...workspaceRoutes.signedOut]),
  signedInRoute.addChildren([
    ...workspaceRoutes.signedIn,
    ...networkRoutes.signedIn,
    ...accountRoutes.signedIn,
    ...marketplaceRoutes.signedIn,
    ...billingRoutes.signedIn,
    shellRoute.addChildren([
      ...authRoutes.shell,
      ...notificationRoutes.shell,
      ...workspaceRoutes.shell,
      workspaceRoute.addChildren([
        ...workspaceRoutes.workspace,
        ...postRoutes.workspace,
        ...agentRoutes.workspace,
        ...catalogRoutes.workspace,
        ...mediaRoutes.workspace,
        ...accountRoutes.workspace,
        ...metricsRoutes.workspace,
        ...networkRoutes.workspace,
        ...marketplaceRoutes.workspace,
        ...tokenRoutes.workspace,
        ...webhookRoutes.workspace,
        ...billingRoutes.workspace,
        ...auditRoutes.workspace,
      ]),
      instanceRoute.addChildren([
        ...optionRoutes.instance,
        ...installationRoutes.instance,
        ...networkRoutes.instance,
        ...aiRoutes.instance,
        ...planRoutes.instance,
        ...billingRoutes.instance,
        ...marketplaceRoutes.instance,
        ...catalogRoutes.instance,
        ...mailRoutes.instance,
        ...authRoutes.instance,
        ...auditRoutes.instance,
      ]),
    ]),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: LoadingSkeleton,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
