import '../components'

export { PricingPage } from '../../features/plans/pricing/PricingPage'
