import type { RegisteredRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
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
import type { Texts } from './texts'

type WorkspaceGroup = 'daily' | 'planning' | 'marketplace' | 'workspace'
type InstanceGroup = 'configuration' | 'billing' | 'marketplace' | 'mail' | 'users'
export type NavigationGroup<Name extends string> = {
  name: Name
  /** Without one, the links have no heading and never fold. */
  heading?: 'pages.workspace' | `navigation.${InstanceGroup}`
}

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

type Address = keyof RegisteredRouter['routesByPath']
/** Addresses below `Prefix` that need no further parameter. */
type AddressBelow<Prefix extends string> = Exclude<
  Extract<Address, `${Prefix}${string}`>,
  Prefix | `${Prefix}${string}$${string}`
>

type Entry = { label: `pages.${keyof Texts['pages']}`; icon: LucideIcon }

/** A number at the end of a link: what waits or went wrong behind it. */
export type EntryBadge = {
  /** A hook. It is called wherever the number is shown, or is part of a sum. */
  useCount: () => number
  /** Says what is counted. */
  label:
    | 'posts.failed_lately'
    | 'review.waiting'
    | 'orders.waiting'
    | 'webhooks.failing'
    | 'subscription.requests_waiting'
    | 'status.errors'
  isProblem?: true
}

export type WorkspaceEntry = Entry & {
  /** Without one, the entry is not in the sidebar: another page links to it, and the command palette finds it. */
  group?: WorkspaceGroup
  to: '/w/$workspace' | AddressBelow<'/w/$workspace/'>
  /** The lowest role that sees the entry; without one, every member does. */
  role?: Workspace['role']
  /** Whether the page is shown only where plans apply. */
  isBilling?: true
  badge?: EntryBadge
}

/** Only instance admins see these. */
type InstanceEntry = Entry & { group: InstanceGroup; to: AddressBelow<'/admin/'>; badge?: EntryBadge }

/** The pages of a feature in the sidebar and the command palette, by the place that they belong to. */
export type Navigation = { workspace?: WorkspaceEntry[]; instance?: InstanceEntry[] }

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
