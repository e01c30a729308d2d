import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { isStatus, queryClient } from './api'
import { findPlaygroundPost, playgroundQuery } from './features/accounts/playground'
import { accountsQuery, networksQuery } from './features/accounts/queries'
import { modelSearch } from './features/ai/search'
import { auditQuery, instanceAuditQuery } from './features/audit/queries'
import { auditSearch } from './features/audit/search'
import { Doors } from './features/auth/Doors'
import { rememberIn, wasIn } from './features/auth/enter'
import { ForgotPassword } from './features/auth/ForgotPassword'
import { Invitation } from './features/auth/Invitation'
import { instanceQuery, invitationQuery, meQuery, readMe, sessionsQuery, usersQuery } from './features/auth/queries'
import { ResetPassword } from './features/auth/ResetPassword'
import type { Step } from './features/auth/SecondFactor'
import { SignIn } from './features/auth/SignIn'
import { SignUp } from './features/auth/SignUp'
import { newTemplateSearch, outboxSearch, templateSearch } from './features/mail/search'
import { calendarQuery, postQuery, postsQuery } from './features/posts/queries'
import { calendarSearch, composeSearch, postsSearch } from './features/posts/search'
import { scopesQuery, tokensQuery } from './features/tokens/queries'
import { deliveriesQuery, webhookSearch } from './features/webhooks/log'
import { eventTypesQuery, statsQuery, webhookQuery, webhooksQuery } from './features/webhooks/queries'
import { membersQuery } from './features/workspaces/people'
import { checklistQuery, findWorkspace, isAtLeast, settingsQuery, workspacesQuery } from './features/workspaces/queries'
import { languageOf, setLanguage, withTexts } from './i18n'
import { ErrorScreen, NotFoundScreen } from './ui/screens'
import { inside as insideAddress, type Search, text } from './ui/search'
import { Waiting } from './ui/Waiting'

// Few bundles instead of one a page: what each page needs is small, and every further request costs a round trip.
const rooms = () => withTexts(import('./rooms'), 'rooms')
const forms = () => withTexts(import('./forms'), 'rooms')
const person = () => withTexts(import('./person'), 'rooms')
const office = () => withTexts(import('./office'), 'rooms')
const desk = () => withTexts(import('./desk'), 'rooms', 'desk')

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen })

/** Where to go on to after signing in. */
const nextSearch = ({ next }: Search): { next?: string } => ({ next: insideAddress(next) })

// Signed out

const doors = createRoute({
  getParentRoute: () => root,
  id: 'doors',
  component: Doors,
})
const signIn = createRoute({
  getParentRoute: () => doors,
  path: '/sign-in',
  // `step`: after the password; `told`: what somebody who was sent here is to know.
  validateSearch: (search: Search): { next?: string; email?: string; step?: Step; told?: 'deleted' } => ({
    ...nextSearch(search),
    ...text(search, 'email'),
    step: search.step === 'code' || search.step === 'backup' ? search.step : undefined,
    told: search.told === 'deleted' ? 'deleted' : undefined,
  }),
  beforeLoad: async ({ search: { next, step } }) => {
    if (step !== undefined || !wasIn()) return
    const me = await readMe().catch((error: unknown) => {
      if (isStatus(error, 401)) rememberIn(false)
    })
    if (!me) return
    queryClient.setQueryData(meQuery.queryKey, me)
    throw redirect({ href: next ?? '/' })
  },
  loader: () => void queryClient.prefetchQuery(instanceQuery),
  component: SignIn,
})
const signUp = createRoute({
  getParentRoute: () => doors,
  path: '/sign-up',
  validateSearch: (search: Search): { next?: string; email?: string; invitation?: string } => ({
    ...nextSearch(search),
    ...text(search, 'email'),
    ...text(search, 'invitation'),
  }),
  // Whether somebody may sign up is known before a form is shown.
  loader: () => queryClient.prefetchQuery(instanceQuery),
  component: SignUp,
})
const forgot = createRoute({
  getParentRoute: () => doors,
  path: '/forgot-password',
  loader: () => void queryClient.prefetchQuery(instanceQuery),
  component: ForgotPassword,
})
const reset = createRoute({
  getParentRoute: () => doors,
  path: '/reset-password',
  validateSearch: (search: Search) => text(search, 'token'),
  component: ResetPassword,
})
const invitation = createRoute({
  getParentRoute: () => doors,
  path: '/invitation',
  validateSearch: (search: Search) => text(search, 'token'),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { token } }) => {
    if (token) void queryClient.prefetchQuery(invitationQuery(token))
    void queryClient.prefetchQuery(instanceQuery)
  },
  component: Invitation,
})
const setUp = createRoute({
  getParentRoute: () => doors,
  path: '/setup',
  validateSearch: (search: Search) => text(search, 'code'),
  loader: () => queryClient.ensureQueryData(instanceQuery),
  component: lazyRouteComponent(() => withTexts(import('./features/workspaces/SetUp'), 'rooms'), 'SetUp'),
})

/** For everybody, signed in or not. `workspace`: whose plan is marked. */
const pricing = createRoute({
  getParentRoute: () => root,
  path: '/pricing',
  validateSearch: (
    search: Search,
  ): { workspace?: string; currency?: 'try' | 'usd'; period?: 'monthly' | 'yearly' } => ({
    ...text(search, 'workspace'),
    currency: search.currency === 'try' || search.currency === 'usd' ? search.currency : undefined,
    period: search.period === 'monthly' || search.period === 'yearly' ? search.period : undefined,
  }),
  component: lazyRouteComponent(() => withTexts(import('./features/plans/PricingPage'), 'rooms'), 'PricingPage'),
})

// Signed in

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    try {
      const [me] = await Promise.all([
        queryClient.ensureQueryData(meQuery),
        queryClient.ensureQueryData(workspacesQuery),
      ])
      rememberIn(true)
      await setLanguage(languageOf(me.locale))
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      rememberIn(false)
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
})
const home = createRoute({
  getParentRoute: () => inside,
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
  getParentRoute: () => inside,
  path: '/new-workspace',
  component: lazyRouteComponent(rooms, 'NewWorkspace'),
})
/** The address that a post on the Playground carries: it names no workspace, so that is looked for. */
const playgroundPost = createRoute({
  getParentRoute: () => inside,
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

const shell = createRoute({
  getParentRoute: () => inside,
  id: 'shell',
  component: lazyRouteComponent(rooms, 'Shell'),
})
const workspace = createRoute({
  getParentRoute: () => shell,
  path: '/w/$workspace',
  beforeLoad: async ({ params }) => {
    if (!findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)) throw notFound()
  },
})
const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  loader: ({ params }) => void queryClient.prefetchQuery(checklistQuery(params.workspace)),
  component: lazyRouteComponent(rooms, 'Overview'),
})
const calendar = createRoute({
  getParentRoute: () => workspace,
  path: '/calendar',
  validateSearch: calendarSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (found) void queryClient.prefetchQuery(calendarQuery(found, deps))
  },
  component: lazyRouteComponent(rooms, 'CalendarPage'),
})
const posts = createRoute({
  getParentRoute: () => workspace,
  path: '/posts',
  validateSearch: postsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => void queryClient.prefetchInfiniteQuery(postsQuery(params.workspace, deps)),
  component: lazyRouteComponent(rooms, 'PostsPage'),
})
const compose = createRoute({
  getParentRoute: () => workspace,
  path: '/posts/new',
  validateSearch: composeSearch,
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(forms, 'ComposePage'),
})
const post = createRoute({
  getParentRoute: () => workspace,
  path: '/posts/$post',
  loader: ({ params }) => void queryClient.prefetchQuery(postQuery(params.workspace, params.post)),
  component: lazyRouteComponent(rooms, 'PostPage'),
})
const editPost = createRoute({
  getParentRoute: () => workspace,
  path: '/posts/$post/edit',
  loader: ({ params }) => {
    void prefetchAccounts(params.workspace)
    void queryClient.prefetchQuery(postQuery(params.workspace, params.post))
  },
  component: lazyRouteComponent(forms, 'EditPage'),
})
const accounts = createRoute({
  getParentRoute: () => workspace,
  path: '/accounts',
  validateSearch: (search: Search) => ({ ...text(search, 'connect'), ...text(search, 'account') }),
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(rooms, 'AccountsPage'),
})
const playground = createRoute({
  getParentRoute: () => workspace,
  path: '/playground',
  validateSearch: (search: Search) => text(search, 'post'),
  loader: ({ params }) => void queryClient.prefetchInfiniteQuery(playgroundQuery(params.workspace)),
  component: lazyRouteComponent(rooms, 'PlaygroundPage'),
})
const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  loader: ({ params }) => void queryClient.prefetchQuery(webhooksQuery(params.workspace)),
  component: lazyRouteComponent(office, 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhook',
  validateSearch: webhookSearch,
  loaderDeps: ({ search: { delivery: _, ...search } }) => search,
  loader: ({ params, deps: { period = '24h', ...filters } }) => {
    void queryClient.prefetchQuery(webhookQuery(params.workspace, params.webhook))
    void queryClient.prefetchQuery(statsQuery(params.workspace, params.webhook, period))
    void queryClient.prefetchInfiniteQuery(deliveriesQuery(params.workspace, params.webhook, filters))
  },
  component: lazyRouteComponent(office, 'WebhookPage'),
})
const newWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/new',
  loader: ({ params }) => void queryClient.prefetchQuery(eventTypesQuery(params.workspace)),
  component: lazyRouteComponent(office, 'NewWebhookPage'),
})
const editWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhook/edit',
  loader: ({ params }) => void queryClient.prefetchQuery(eventTypesQuery(params.workspace)),
  component: lazyRouteComponent(office, 'EditWebhookPage'),
})
const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  loader: ({ params }) => void queryClient.prefetchQuery(membersQuery(params.workspace)),
  component: lazyRouteComponent(office, 'MembersPage'),
})
const tokens = createRoute({
  getParentRoute: () => workspace,
  path: '/tokens',
  // Those that work no longer are shown on demand.
  validateSearch: ({ past }: Search): { past?: boolean } => ({ past: past === true || undefined }),
  loader: ({ params }) => {
    void queryClient.prefetchQuery(tokensQuery(params.workspace))
    void queryClient.prefetchQuery(scopesQuery(params.workspace))
  },
  component: lazyRouteComponent(office, 'TokensPage'),
})
const auditLog = createRoute({
  getParentRoute: () => workspace,
  path: '/audit-log',
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (found && isAtLeast(found, 'admin')) void queryClient.prefetchInfiniteQuery(auditQuery(found, deps))
  },
  component: lazyRouteComponent(office, 'AuditLogPage'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  loader: ({ params }) => void queryClient.prefetchQuery(settingsQuery(params.workspace)),
  component: lazyRouteComponent(office, 'SettingsPage'),
})

// About who is signed in, whatever the workspace
const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  component: lazyRouteComponent(person, 'ProfilePage'),
})
const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/profile/sessions',
  loader: () => void queryClient.prefetchInfiniteQuery(sessionsQuery),
  component: lazyRouteComponent(person, 'SessionsPage'),
})

const instance = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(meQuery)).is_instance_admin) throw notFound()
  },
})
const options = createRoute({
  getParentRoute: () => instance,
  path: '/options',
  component: lazyRouteComponent(desk, 'OptionsPage'),
})
const aiModels = createRoute({
  getParentRoute: () => instance,
  path: '/ai-models',
  validateSearch: modelSearch,
  component: lazyRouteComponent(desk, 'ModelsPage'),
})
const newAiModel = createRoute({
  getParentRoute: () => instance,
  path: '/ai-models/new',
  component: lazyRouteComponent(desk, 'NewModelPage'),
})
const aiModel = createRoute({
  getParentRoute: () => instance,
  path: '/ai-models/$model',
  component: lazyRouteComponent(desk, 'ModelPage'),
})
const plans = createRoute({
  getParentRoute: () => instance,
  path: '/plans',
  component: lazyRouteComponent(desk, 'PlansPage'),
})
const newPlan = createRoute({
  getParentRoute: () => instance,
  path: '/plans/new',
  // `from`: the plan that it begins as a copy of.
  validateSearch: (search: Search) => text(search, 'from'),
  component: lazyRouteComponent(desk, 'NewPlanPage'),
})
const plan = createRoute({
  getParentRoute: () => instance,
  path: '/plans/$plan',
  component: lazyRouteComponent(desk, 'EditPlanPage'),
})
const outbox = createRoute({
  getParentRoute: () => instance,
  path: '/outbox',
  validateSearch: outboxSearch,
  component: lazyRouteComponent(desk, 'OutboxPage'),
})
const emailTemplates = createRoute({
  getParentRoute: () => instance,
  path: '/email-templates',
  validateSearch: templateSearch,
  component: lazyRouteComponent(desk, 'TemplatesPage'),
})
const newEmailTemplate = createRoute({
  getParentRoute: () => instance,
  path: '/email-templates/new',
  validateSearch: newTemplateSearch,
  component: lazyRouteComponent(desk, 'NewTemplatePage'),
})
const emailTemplate = createRoute({
  getParentRoute: () => instance,
  path: '/email-templates/$template',
  component: lazyRouteComponent(desk, 'TemplatePage'),
})

const users = createRoute({
  getParentRoute: () => instance,
  path: '/users',
  validateSearch: (search: Search) => text(search, 'search'),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { search } }) => void queryClient.prefetchInfiniteQuery(usersQuery(search)),
  component: lazyRouteComponent(person, 'UsersPage'),
})

const instanceAuditLog = createRoute({
  getParentRoute: () => instance,
  path: '/audit-log',
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { timezone } = await queryClient.ensureQueryData(meQuery)
    void queryClient.prefetchInfiniteQuery(instanceAuditQuery(timezone, deps))
  },
  component: lazyRouteComponent(office, 'InstanceAuditLogPage'),
})

const prefetchAccounts = (workspace: string) =>
  Promise.all([
    queryClient.prefetchQuery(accountsQuery(workspace)),
    queryClient.prefetchQuery(networksQuery(workspace)),
  ])

export const router = createRouter({
  routeTree: root.addChildren([
    doors.addChildren([signIn, signUp, forgot, reset, invitation, setUp]),
    pricing,
    inside.addChildren([
      home,
      newWorkspace,
      playgroundPost,
      shell.addChildren([
        workspace.addChildren([
          overview,
          calendar,
          posts,
          compose,
          post,
          editPost,
          accounts,
          playground,
          webhooks,
          webhook,
          newWebhook,
          editWebhook,
          members,
          tokens,
          auditLog,
          settings,
        ]),
        profile,
        sessions,
        instance.addChildren([
          options,
          aiModels,
          newAiModel,
          aiModel,
          plans,
          newPlan,
          plan,
          emailTemplates,
          newEmailTemplate,
          emailTemplate,
          outbox,
          users,
          instanceAuditLog,
        ]),
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
