// Forms that write posts, with the date picker that only they need.

export { EditPostPage } from '../features/posts/form/EditPostPage'
export { NewPostPage } from '../features/posts/form/NewPostPage'
