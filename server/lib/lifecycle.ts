import type { Db, Tx } from './db/database.ts'
import type { Deps } from './deps.ts'
import type { ExportPart } from './export.ts'
import type { Member, User } from './http/access.ts'

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

type MediaUse = { media_id: string; post_id?: string; gig_id?: string }

/** Steps of modules in a change of another module, which comes before them in the order of modules. */
export interface Lifecycle {
  /** Run after a workspace moved to another plan. */
  onPlanChanged: ((tx: Tx, workspace_id: string, now: Date) => Promise<unknown>)[]
  onWorkspaceDeleted: WorkspaceStep[]
  onWorkspaceRestored: WorkspaceStep[]
  /** Run before the row of the workspace is deleted, in this order. */
  onWorkspaceErased: ((tx: Tx, workspace_id: string) => Promise<unknown>)[]
  /** Run after the member with `user_id` was removed from the workspace of `caller`. */
  onMemberRemoved: ((deps: Deps, tx: Tx, caller: Member, user_id: string) => Promise<unknown>)[]
  /** Run before personal data is removed from the audit entries of the user, so also from those of these steps. */
  onUserDeleted: ((tx: Tx, user: User, now: Date) => Promise<unknown>)[]
  /** Run before the row of the user is deleted, in this order. */
  onUserErased: ((tx: Tx, email: string) => Promise<unknown>)[]
  /**
   * Run when an order was paid. Returns whether the order takes the payment: one that has ended does not, and it is
   * returned.
   */
  onOrderPaid: (deps: Deps, tx: Tx, order_id: string, paid_at: Date) => Promise<boolean>
  /** Run when the payment of an order failed, or was not made in time. */
  onOrderUnpaid: (deps: Pick<Deps, 'clock'>, tx: Tx, order_id: string) => Promise<unknown>
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
