import type { RegisteredRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { Workspace } from '../../api'
import type { Texts } from '../../texts'

export type WorkspaceGroup = 'daily' | 'planning' | 'marketplace' | 'workspace'
export type InstanceGroup = 'configuration' | 'billing' | 'marketplace' | 'mail' | 'users'
export type NavigationGroup<Name extends string> = {
  name: Name
  /** Without one, the links have no heading and never fold. */
  heading?: 'pages.workspace' | `navigation.${InstanceGroup}`
}

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
