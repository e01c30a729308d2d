import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isStatus, queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { instanceRoute, shellRoute, signedOutRoute } from '../../layout-routes'
import { loadCode } from '../../load-code'
import { internalPath, type Search, textParam } from '../../ui/navigation/search-params'
import { instanceQuery, invitationQuery, meQuery, readMe, sessionsQuery, usersQuery } from './queries'
import { rememberSignedIn, wasSignedIn } from './sign-in'
import type { Step } from './signed-out/SecondFactor'
import { SignInPage } from './signed-out/SignInPage'

/** `next`: the address to open after signing in. */
const nextSearch = ({ next }: Search): { next?: string } => ({ next: internalPath(next) })

const signIn = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/sign-in',
  // `step`: after the password; `told`: the message for a user who was redirected here.
  validateSearch: (search: Search): { next?: string; email?: string; step?: Step; told?: 'deleted' } => ({
    ...nextSearch(search),
    ...textParam(search, 'email'),
    step: search.step === 'code' || search.step === 'backup' ? search.step : undefined,
    told: search.told === 'deleted' ? 'deleted' : undefined,
  }),
  beforeLoad: async ({ search: { next, step } }) => {
    if (step !== undefined || !wasSignedIn()) return
    const me = await readMe().catch((error: unknown) => {
      if (isStatus(error, 401)) rememberSignedIn(false)
    })
    if (!me) return
    queryClient.setQueryData(meQuery.queryKey, me)
    throw redirect({ href: next ?? '/' })
  },
  loader: () => void queryClient.prefetchQuery(instanceQuery),
  component: SignInPage,
})

const signUp = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/sign-up',
  validateSearch: (search: Search): { next?: string; email?: string; invitation?: string } => ({
    ...nextSearch(search),
    ...textParam(search, 'email'),
    ...textParam(search, 'invitation'),
  }),
  // Awaited: the page shows a form only where sign-up is open.
  loader: () => queryClient.prefetchQuery(instanceQuery),
  component: lazyRouteComponent(() => loadCode(import('./signed-out/SignUpPage')), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/forgot-password',
  loader: () => void queryClient.prefetchQuery(instanceQuery),
  component: lazyRouteComponent(() => loadCode(import('./signed-out/ForgotPasswordPage')), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/reset-password',
  validateSearch: (search: Search) => textParam(search, 'token'),
  component: lazyRouteComponent(() => loadCode(import('./signed-out/ResetPasswordPage')), 'ResetPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/invitation',
  validateSearch: (search: Search) => textParam(search, 'token'),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { token } }) => {
    if (token) void queryClient.prefetchQuery(invitationQuery(token))
    void queryClient.prefetchQuery(instanceQuery)
  },
  component: lazyRouteComponent(() => loadCode(import('./signed-out/InvitationPage')), 'InvitationPage'),
})

const profile = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(
    () => withTexts(import('./profile/ProfilePage'), 'workspace', 'further'),
    'ProfilePage',
  ),
})

const sessions = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile/sessions',
  loader: () => void queryClient.prefetchInfiniteQuery(sessionsQuery),
  component: lazyRouteComponent(() => withTexts(import('./SessionsPage'), 'workspace', 'further'), 'SessionsPage'),
})

const users = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/users',
  validateSearch: (search: Search) => textParam(search, 'search'),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { search } }) => void queryClient.prefetchInfiniteQuery(usersQuery(search)),
  component: lazyRouteComponent(() => withTexts(import('./UsersPage'), 'workspace', 'further'), 'UsersPage'),
})

export const authRoutes = {
  signedOut: [signIn, signUp, forgotPassword, resetPassword, invitation],
  shell: [profile, sessions],
  instance: [users],
} as const
