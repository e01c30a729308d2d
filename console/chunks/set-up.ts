import './components.css'

export { SetUpPage } from '../features/workspaces/SetUpPage'
