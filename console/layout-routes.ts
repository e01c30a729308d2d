import { createRootRoute, createRoute, lazyRouteComponent, notFound, Outlet, redirect } from '@tanstack/react-router'
import { isStatus, queryClient } from './api'
import { meQuery } from './features/auth/queries'
import { rememberSignedIn } from './features/auth/sign-in'
import { SignedOutLayout } from './features/auth/signed-out/SignedOutLayout'
import { usageQuery } from './features/plans/queries'
import { startFollowing } from './features/posts/following'
import { findWorkspace, workspacesQuery } from './features/workspaces/queries'
import { languageOf, setLanguage, withTexts } from './i18n'
import { NotFoundPage } from './ui/feedback/error-pages'

// Parent routes of pages. Each defines who may see the pages below it, and the layout around them.

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

export const signedOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-out',
  component: SignedOutLayout,
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    try {
      const [me] = await Promise.all([
        queryClient.ensureQueryData(meQuery),
        queryClient.ensureQueryData(workspacesQuery),
      ])
      rememberSignedIn(true)
      await setLanguage(languageOf(me.locale))
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      rememberSignedIn(false)
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
})

export const shellRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'shell',
  component: lazyRouteComponent(() => withTexts(import('./shell/Shell'), 'workspace'), 'Shell'),
})

export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/w/$workspace',
  beforeLoad: async ({ params }) => {
    if (!findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)) throw notFound()
  },
  // Banners need these numbers. A banner that is shown after its page moves what somebody already reads.
  loader: async ({ params, cause }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (cause !== 'enter' || !found) return
    await Promise.all([
      startFollowing(found.slug).catch(() => undefined),
      queryClient.prefetchQuery({ ...usageQuery(found.slug), retry: false, staleTime: 60_000 }),
    ])
  },
})

/** The pages for instance admins. */
export const instanceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin',
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(meQuery)).is_instance_admin) throw notFound()
  },
})
