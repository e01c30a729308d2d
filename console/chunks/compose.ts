// Forms that write posts.

export { EditPostPage } from '../features/posts/form/EditPostPage'
export { NewPostPage } from '../features/posts/form/NewPostPage'
export { EditRecurringPostPage, NewRecurringPostPage } from '../features/posts/recurring/RecurringFormPages'
