import { withTexts } from '../i18n'
import { loadCode } from './load-code'

// A few bundles instead of one for each page: pages are small, and each further request costs a round trip.
export const signedOutChunk = () => loadCode(import('./signed-out/signed-out'))
export const setUpChunk = () => withTexts(import('./signed-out/set-up'), 'workspace')
export const pricingChunk = () => withTexts(import('./signed-out/pricing'), 'workspace')
export const clientReviewChunk = () => loadCode(import('./signed-out/client-review'))
export const shellChunk = () => withTexts(import('./shell'), 'workspace')
export const workspaceChunk = () => withTexts(import('./workspace'), 'workspace')
export const mediaChunk = () => withTexts(import('./media'), 'workspace')
export const marketplaceChunk = () => withTexts(import('./marketplace'), 'workspace')
export const agentsChunk = () => withTexts(import('./agents'), 'workspace')
export const catalogChunk = () => withTexts(import('./catalog'), 'workspace')
export const composeChunk = () => withTexts(import('./compose'), 'workspace')
export const profileChunk = () => withTexts(import('./profile'), 'workspace')
export const webhooksChunk = () => withTexts(import('./webhooks'), 'workspace')
export const workspaceAdminChunk = () => withTexts(import('./workspace-admin'), 'workspace')
export const instanceAdminChunk = () =>
  withTexts(import('./instance-admin/instance-admin'), 'workspace', 'instance-admin')
export const plansChunk = () => withTexts(import('./instance-admin/plans'), 'workspace', 'instance-admin')
export const billingChunk = () => withTexts(import('./billing'), 'workspace')
export const marketplaceAdminChunk = () =>
  withTexts(import('./instance-admin/marketplace-admin'), 'workspace', 'instance-admin')
export const catalogAdminChunk = () =>
  withTexts(import('./instance-admin/catalog-admin'), 'workspace', 'instance-admin')
export const billingAdminChunk = () =>
  withTexts(import('./instance-admin/billing-admin'), 'workspace', 'instance-admin')
