// Pages of the daily work. The forms that write posts are in compose.ts.
export { AccountsPage } from '../features/accounts/AccountsPage'
export { PlaygroundPage } from '../features/networks/playground/PlaygroundPage'
export { CalendarPage } from '../features/posts/calendar/CalendarPage'
export { PostPage } from '../features/posts/details/PostPage'
export { DeletedPostsPage } from '../features/posts/list/DeletedPostsPage'
export { PostsPage } from '../features/posts/list/PostsPage'
export { NewWorkspacePage } from '../features/workspaces/NewWorkspacePage'
export { OverviewPage } from '../features/workspaces/OverviewPage'
