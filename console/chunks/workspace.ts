// Pages of the daily work. The forms that write posts are in compose.ts.
export { AccountsPage } from '../features/accounts/AccountsPage'
export { PlaygroundPage } from '../features/networks/playground/PlaygroundPage'
export { CalendarPage } from '../features/posts/CalendarPage'
export { DeletedPostsPage } from '../features/posts/DeletedPostsPage'
export { PostPage } from '../features/posts/PostPage'
export { PostsPage } from '../features/posts/PostsPage'
export { NewWorkspacePage } from '../features/workspaces/NewWorkspacePage'
export { OverviewPage } from '../features/workspaces/OverviewPage'
