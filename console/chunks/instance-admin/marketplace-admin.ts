// Pages on which instance admins decide about orders, payouts and gigs of all workspaces.

export { DisputePage } from '../../features/marketplace/admin/DisputePage'
export { DisputesPage } from '../../features/marketplace/admin/DisputesPage'
export { ModerationPage } from '../../features/marketplace/admin/moderation/ModerationPage'
export { PayoutsPage } from '../../features/marketplace/admin/PayoutsPage'
export { RefundsPage } from '../../features/marketplace/admin/RefundsPage'
