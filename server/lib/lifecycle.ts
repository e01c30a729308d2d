import type { Actor } from './db/audit.ts'
import type { Db, Tx } from './db/database.ts'
import type { Deps } from './deps.ts'
import type { ExportPart } from './export.ts'
import type { Member, User } from './http/access.ts'
import type { Role } from './http/roles.ts'

/** A step of deleting or restoring a workspace, in the transaction that does it. */
export type WorkspaceStep = (
  tx: Tx,
  workspace_id: string,
  now: Date,
) => Promise<{
  /** Details for the audit entry of the deletion. */
  details: Record<string, unknown>
  /** The part that must come last before the commit, because other transactions wait for it. */
  finish: () => Promise<void>
}>

/**
 * A step of importing a workspace from another installation, in the transaction that does it: keeps what is a module's
 * from going out before somebody chooses. Returns counts for the audit entry.
 */
export type ImportStep = (deps: Pick<Deps, 'clock'>, tx: Tx, workspace_id: string) => Promise<Record<string, number>>

/** A refund or dispute of the payment of an order. `amount`: minor units. */
export type OrderReturn = { order_id: string; payment_id: string; refund_id: string; provider: string; amount: bigint }

type MediaUse = {
  media_id: string
  post_id?: string
  /** Whether the post is approved, and put in review again when readers would see another file. */
  loses_approval?: boolean
  recurring_post_id?: string
  gig_id?: string
  order_id?: string
}

/** The time of a restore, and the present. */
type Restored = { restored_at: Date; now: Date }

/** Work that waited at a backup: a restored installation cannot know whether it was done since. */
export type HeldWork = {
  count: (db: Db, restored: Restored) => Promise<number>
  /** Takes it back, except for these posts. Returns how much it was. */
  drop: (deps: Deps, restored: Restored & { caller: User; except: string[] }) => Promise<number>
}

/** Steps of modules in a change of another module, which comes before them in the order of modules. */
export interface Lifecycle {
  /** Run after a workspace moved to another plan. */
  onPlanChanged: ((tx: Tx, workspace_id: string, now: Date) => Promise<unknown>)[]
  onWorkspaceDeleted: WorkspaceStep[]
  onWorkspaceRestored: WorkspaceStep[]
  /** Run besides those of a deletion when a workspace was exported to move to another installation. */
  onWorkspaceClosed: WorkspaceStep[]
  onWorkspaceImported: ImportStep[]
  /** Run before the row of the workspace is deleted, in this order. */
  onWorkspaceErased: ((tx: Tx, workspace_id: string, now: Date) => Promise<unknown>)[]
  /** Run after the member with `user_id` was removed from the workspace of `caller`. */
  onMemberRemoved: ((deps: Deps, tx: Tx, caller: Member, user_id: string) => Promise<unknown>)[]
  /** Run after the member with `user_id` got `role` in the workspace of `caller`. */
  onRoleChanged: ((deps: Deps, tx: Tx, caller: Member, user_id: string, role: Role) => Promise<unknown>)[]
  /** Run before personal data is removed from the audit entries of the user, so also from those of these steps. */
  onUserDeleted: ((tx: Tx, user: User, now: Date) => Promise<unknown>)[]
  /** Run before the row of the user is deleted, in this order. */
  onUserErased: ((tx: Tx, email: string) => Promise<unknown>)[]
  /**
   * Run before an account is removed, while it is not locked yet. `caller`: null when the person behind the account had
   * their data deleted.
   */
  onAccountRemoved: (
    tx: Tx,
    removed: { workspace_id: string; account_id: string; caller: Member | null; now: Date },
  ) => Promise<unknown>
  /** Run when a post was approved or rejected, or when nobody will. `by`: the person, if it was rejected. */
  onPostReviewed: (
    tx: Tx,
    reviewed: {
      post_id: string
      review: 'approved' | 'rejected' | 'expired'
      reason: string | null
      by?: { actor: Actor; client_name: string | null }
      now: Date
    },
  ) => Promise<unknown>
  /**
   * Finds the members who can approve a post that waits for review; none when it no longer waits. `orEditors`: the
   * editors in their place while it waits for a client.
   */
  findApprovers: (db: Db, post: { workspace_id: string; post_id: string; orEditors: boolean }) => Promise<string[]>
  /** Run when a member changed what readers see of a file: its alternative text, or the name of a document. */
  onMediaChanged: (tx: Tx, caller: Member, media_id: string, now: Date) => Promise<unknown>
  /**
   * Run when an order was paid. Returns whether the order takes the payment: one that has ended does not, and it is
   * returned.
   */
  onOrderPaid: (deps: Deps, tx: Tx, order_id: string, paid_at: Date) => Promise<boolean>
  /** Run when the payment of an order failed, or was not made in time. */
  onOrderUnpaid: (deps: Pick<Deps, 'clock'>, tx: Tx, order_id: string) => Promise<unknown>
  /** Locks an order until the commit. Called before its payment is locked. */
  lockOrder: (tx: Tx, order_id: string) => Promise<unknown>
  /** Run before money of an order that went back is booked: the ledger must owe its buyer as much. */
  onOrderReturned: (deps: Deps, tx: Tx, returned: OrderReturn) => Promise<unknown>
  /** Run when a refund failed. `wasBooked`: it had succeeded before, and its booking is taken back. */
  onOrderReturnFailed: (deps: Deps, tx: Tx, failed: OrderReturn & { wasBooked: boolean }) => Promise<unknown>
  /** Work that begins when a restored installation is released. */
  heldWork: Record<'posts' | 'deliveries' | 'mails' | 'agents' | 'subscriptions', HeldWork>
  /** Finds what uses these files, which therefore cannot be deleted. */
  mediaUses: ((db: Db, media_ids: string[]) => Promise<MediaUse[]>)[]
  /** Parts of the export of a user, after the profile, by the name of their field. */
  exportParts: Record<string, ExportPart>
}

declare module './deps.ts' {
  interface Deps {
    lifecycle: Lifecycle
  }
}
