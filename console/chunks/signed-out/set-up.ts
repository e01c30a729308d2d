import '../components'

export { SetUpPage } from '../../features/workspaces/SetUpPage'
