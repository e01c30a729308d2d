// The library of files.

export { DeletedMediaPage } from '../features/media/DeletedMediaPage'
export { MediaPage } from '../features/media/MediaPage'
