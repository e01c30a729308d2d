// The library of files.

export { DeletedMediaPage } from '../features/media/library/DeletedMediaPage'
export { MediaPage } from '../features/media/library/MediaPage'
