import '../components'

export { ClientReviewPage } from '../../features/posts/client/ClientReviewPage'
