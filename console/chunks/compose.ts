// Forms that write posts.

export { ComposePanel } from '../features/posts/compose/ComposePanel'
export { EditPostPage } from '../features/posts/compose/EditPostPage'
export { NewPostPage } from '../features/posts/compose/NewPostPage'
export { EditRecurringPostPage, NewRecurringPostPage } from '../features/posts/recurring/RecurringFormPages'
