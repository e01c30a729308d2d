// What a workspace sells on the marketplace.

export { EditGigPage, NewGigPage } from '../features/marketplace/gigs/GigFormPages'
export { GigsPage } from '../features/marketplace/gigs/GigsPage'
