import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { rootRoute, workspaceRoute } from '../../layout-routes'
import { loadCode } from '../../load-code'
import { prefetchAccounts } from '../accounts/queries'
import { findWorkspace, workspacesQuery } from '../workspaces/queries'
import { rememberedChoices } from './calendar/choices'
import { calendarQuery, deletedPostsQuery, postQuery, postsQuery, reviewQuery } from './queries'
import { FIRST_DAYS, postingTimesQuery, queueQuery } from './queue/queries'
import { recurringPostsQuery } from './recurring/queries'
import {
  validateCalendarSearch,
  validateImportSearch,
  validateNewPostSearch,
  validatePostsSearch,
  validateQueueSearch,
  validateRecurringEditSearch,
} from './search-params'

const calendar = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/calendar',
  validateSearch: validateCalendarSearch,
  beforeLoad: ({ search, params, cause }) => {
    const { compose, at, ...shown } = search
    // The bare address, as in the menu, shows what was chosen last.
    if (cause === 'stay' || Object.values(shown).some((value) => value !== undefined)) return
    const remembered = rememberedChoices(params.workspace)
    if (remembered) throw redirect({ to: '/w/$workspace/calendar', params, search: { ...search, ...remembered } })
  },
  loaderDeps: ({ search: { view, date, account, label } }) => ({ view, date, account, label }),
  loader: async ({ params, deps, cause }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (!found) return
    // The grid is that of an account, which the page finds.
    const posts = deps.view === 'grid' && !deps.account ? [] : [queryClient.prefetchQuery(calendarQuery(found, deps))]
    const loading = Promise.all([...posts, prefetchAccounts(found.slug)])
    // Another month appears at once, under the skeleton of its posts.
    if (cause !== 'stay') await loading
  },
  component: lazyRouteComponent(() => withTexts(import('./calendar/CalendarPage'), 'workspace'), 'CalendarPage'),
})

const posts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/posts',
  validateSearch: validatePostsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => void queryClient.prefetchInfiniteQuery(postsQuery(params.workspace, deps)),
  component: lazyRouteComponent(() => withTexts(import('./list/PostsPage'), 'workspace'), 'PostsPage'),
})

const newPost = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/posts/new',
  validateSearch: validateNewPostSearch,
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(
    () => withTexts(import('./compose/NewPostPage'), 'workspace', 'further'),
    'NewPostPage',
  ),
})

const deletedPosts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/posts/deleted',
  loader: ({ params }) => void queryClient.prefetchQuery(deletedPostsQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./list/DeletedPostsPage'), 'workspace'), 'DeletedPostsPage'),
})

const review = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/review',
  loader: ({ params }) => void queryClient.prefetchQuery(reviewQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./review/ReviewPage'), 'workspace', 'further'), 'ReviewPage'),
})

/** The page for clients, who have no account. */
const clientReview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/review/$id',
  component: lazyRouteComponent(() => loadCode(import('./client/ClientReviewPage')), 'ClientReviewPage'),
})

const queue = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts/$account/queue',
  validateSearch: validateQueueSearch,
  loader: ({ params }) => {
    void prefetchAccounts(params.workspace)
    void queryClient.prefetchQuery(queueQuery(params.workspace, params.account, FIRST_DAYS))
    void queryClient.prefetchQuery(postingTimesQuery(params.workspace, params.account))
  },
  component: lazyRouteComponent(() => withTexts(import('./queue/QueuePage'), 'workspace', 'further'), 'QueuePage'),
})

const importPosts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/import',
  validateSearch: validateImportSearch,
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(() => withTexts(import('./import/ImportPage'), 'workspace', 'further'), 'ImportPage'),
})

const recurringPosts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/recurring-posts',
  loader: ({ params }) => void queryClient.prefetchQuery(recurringPostsQuery(params.workspace)),
  component: lazyRouteComponent(
    () => withTexts(import('./recurring/RecurringPostsPage'), 'workspace', 'further'),
    'RecurringPostsPage',
  ),
})

const newRecurringPost = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/recurring-posts/new',
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(
    () => withTexts(import('./recurring/RecurringFormPages'), 'workspace', 'further'),
    'NewRecurringPostPage',
  ),
})

const editRecurringPost = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/recurring-posts/$recurring/edit',
  validateSearch: validateRecurringEditSearch,
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(
    () => withTexts(import('./recurring/RecurringFormPages'), 'workspace', 'further'),
    'EditRecurringPostPage',
  ),
})

const post = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/posts/$post',
  loader: ({ params }) => {
    void prefetchAccounts(params.workspace)
    void queryClient.prefetchQuery(postQuery(params.workspace, params.post))
  },
  component: lazyRouteComponent(() => withTexts(import('./details/PostPage'), 'workspace', 'further'), 'PostPage'),
})

const editPost = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/posts/$post/edit',
  loader: ({ params }) => {
    void prefetchAccounts(params.workspace)
    void queryClient.prefetchQuery(postQuery(params.workspace, params.post))
  },
  component: lazyRouteComponent(
    () => withTexts(import('./compose/EditPostPage'), 'workspace', 'further'),
    'EditPostPage',
  ),
})

export const postRoutes = {
  root: [clientReview],
  workspace: [
    calendar,
    posts,
    newPost,
    deletedPosts,
    review,
    queue,
    importPosts,
    recurringPosts,
    newRecurringPost,
    editRecurringPost,
    post,
    editPost,
  ],
} as const
