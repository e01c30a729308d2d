// One bundle: the forms that write posts, with the date picker that only they need.
export { ComposePage } from './features/posts/ComposePage'
export { EditPage } from './features/posts/EditPage'
