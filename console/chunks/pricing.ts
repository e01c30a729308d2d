import './components'

export { PricingPage } from '../features/plans/PricingPage'
