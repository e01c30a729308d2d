import type { Workspace } from './api'
import { accountNavigation } from './features/accounts/navigation'
import { agentNavigation } from './features/agents/navigation'
import { aiNavigation } from './features/ai/navigation'
import { auditNavigation } from './features/audit/navigation'
import { authNavigation } from './features/auth/navigation'
import { billingNavigation } from './features/billing/navigation'
import { catalogAdminNavigation, catalogNavigation } from './features/catalog/navigation'
import { installationNavigation } from './features/installation/navigation'
import { mailNavigation } from './features/mail/navigation'
import { marketplaceNavigation } from './features/marketplace/navigation'
import { mediaNavigation } from './features/media/navigation'
import { networkNavigation } from './features/networks/navigation'
import { optionNavigation } from './features/options/navigation'
import { planNavigation } from './features/plans/navigation'
import { postNavigation } from './features/posts/navigation'
import { tokenNavigation } from './features/tokens/navigation'
import { webhookNavigation } from './features/webhooks/navigation'
import { workspaceNavigation } from './features/workspaces/navigation'
import { isAtLeast } from './features/workspaces/queries'
import type { InstanceGroup, Navigation, NavigationGroup, WorkspaceEntry, WorkspaceGroup } from './ui/navigation/entry'

/** The groups of each sidebar in their order. In a workspace, those after the daily one are behind "More". */
export const dailyGroup: NavigationGroup<WorkspaceGroup> = { name: 'daily' }
export const moreGroups: NavigationGroup<WorkspaceGroup>[] = [
  { name: 'planning' },
  { name: 'marketplace', heading: 'navigation.marketplace' },
  { name: 'workspace', heading: 'pages.workspace' },
]
const workspaceGroups = [dailyGroup, ...moreGroups]
export const instanceGroups: NavigationGroup<InstanceGroup>[] = [
  { name: 'configuration', heading: 'navigation.configuration' },
  { name: 'billing', heading: 'navigation.billing' },
  { name: 'marketplace', heading: 'navigation.marketplace' },
  { name: 'mail', heading: 'navigation.mail' },
  { name: 'users', heading: 'navigation.users' },
]

/** Within a group, entries stand in this order. */
const features: Navigation[] = [
  workspaceNavigation,
  postNavigation,
  agentNavigation,
  catalogNavigation,
  mediaNavigation,
  accountNavigation,
  networkNavigation,
  marketplaceNavigation,
  catalogAdminNavigation,
  tokenNavigation,
  webhookNavigation,
  billingNavigation,
  optionNavigation,
  aiNavigation,
  planNavigation,
  installationNavigation,
  mailNavigation,
  authNavigation,
  auditNavigation,
]

const allWorkspaceEntries = features.flatMap((feature) => feature.workspace ?? [])

/** The pages that the user's role in the workspace may open. `hasBilling`: whether plans apply. */
export const workspaceEntries = (workspace: Workspace, hasBilling: boolean) =>
  [...workspaceGroups, { name: undefined }]
    .flatMap(({ name }) => allWorkspaceEntries.filter(({ group }) => group === name))
    .filter(({ role, isBilling }) => (role === undefined || isAtLeast(workspace, role)) && (!isBilling || hasBilling))

export const instanceEntries = instanceGroups.flatMap(({ name }) =>
  features.flatMap((feature) => feature.instance ?? []).filter(({ group }) => group === name),
)

/** The pages of the bar at the bottom of a phone. */
const barAddresses: readonly WorkspaceEntry['to'][] = ['/w/$workspace/calendar', '/w/$workspace/posts']

export const isBehindMore = ({ group }: WorkspaceEntry) => moreGroups.some(({ name }) => name === group)

/** Adds up the numbers of pages in one hook. The pages are fixed, so it calls the same hooks every time. */
const sumOf = (entries: WorkspaceEntry[]) =>
  entries.reduce<() => number>(
    (useSum, { badge }) => (badge ? () => useSum() + badge.useCount() : useSum),
    () => 0,
  )

/** The numbers of the pages behind "More": in the sidebar, and in the bar at the bottom of a phone. */
export const useWaitingBehindMore = sumOf(allWorkspaceEntries.filter(isBehindMore))
export const useWaitingOutsideBar = sumOf(allWorkspaceEntries.filter(({ to }) => !barAddresses.includes(to)))
