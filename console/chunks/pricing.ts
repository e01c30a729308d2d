import './components.css'

export { PricingPage } from '../features/plans/PricingPage'
