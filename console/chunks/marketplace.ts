// Selling and buying on the marketplace.

export { EarningsPage } from '../features/marketplace/earnings/EarningsPage'
export { EditGigPage, NewGigPage } from '../features/marketplace/gigs/GigFormPages'
export { GigsPage } from '../features/marketplace/gigs/GigsPage'
export { BuyPage } from '../features/marketplace/orders/BuyPage'
export { OrderPage } from '../features/marketplace/orders/OrderPage'
export { OrdersPage } from '../features/marketplace/orders/OrdersPage'
