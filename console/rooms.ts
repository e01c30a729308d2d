// One bundle: everything that is opened from the shell but the forms that write posts.
export { AccountsPage } from './features/accounts/AccountsPage'
export { PlaygroundPage } from './features/accounts/PlaygroundPage'
export { CalendarPage } from './features/posts/CalendarPage'
export { PostPage } from './features/posts/PostPage'
export { PostsPage } from './features/posts/PostsPage'
export { NewWorkspace } from './features/workspaces/NewWorkspace'
export { Overview } from './features/workspaces/Overview'
export { Shell } from './features/workspaces/Shell'
