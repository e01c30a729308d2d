import type { RegisteredRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
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

type WorkspaceGroup = 'work' | 'marketplace' | 'workspace'
type InstanceGroup = 'configuration' | 'billing' | 'marketplace' | 'mail' | 'users'
export type NavigationGroup<Name extends string> = {
  name: Name
  /** Without one, the links have no heading and never fold. */
  heading?: 'pages.workspace' | `navigation.${InstanceGroup}`
}

/** The groups of each sidebar in their order. */
export const workspaceGroups: NavigationGroup<WorkspaceGroup>[] = [
  { name: 'work' },
  { name: 'marketplace', heading: 'navigation.marketplace' },
  { name: 'workspace', heading: 'pages.workspace' },
]
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

type WorkspaceEntry = Entry & {
  group: WorkspaceGroup
  to: '/w/$workspace' | AddressBelow<'/w/$workspace/'>
  /** The lowest role that sees the entry; without one, every member does. */
  role?: Workspace['role']
  /** Whether the page is shown only where plans apply. */
  isBilling?: true
  /** Shown at the end of the link. */
  badge?: ComponentType<{ workspace: Workspace }>
}

/** Only instance admins see these. */
type InstanceEntry = Entry & { group: InstanceGroup; to: AddressBelow<'/admin/'>; badge?: ComponentType }

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

const inGroups = <Entry extends { group: string }>(groups: { name: string }[], entries: Entry[]) =>
  groups.flatMap(({ name }) => entries.filter(({ group }) => group === name))

/** The pages that the user's role in the workspace may open. `hasBilling`: whether plans apply. */
export const workspaceEntries = (workspace: Workspace, hasBilling: boolean) =>
  inGroups(
    workspaceGroups,
    features.flatMap((feature) => feature.workspace ?? []),
  ).filter(({ role, isBilling }) => (role === undefined || isAtLeast(workspace, role)) && (!isBilling || hasBilling))

export const instanceEntries = inGroups(
  instanceGroups,
  features.flatMap((feature) => feature.instance ?? []),
)
