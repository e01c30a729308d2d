import type { WorkspaceStep } from '../../../lib/lifecycle.ts'

/**
 * Stops using the sign-ins of a workspace that moves to another installation. They are not revoked, also not when the
 * workspace is erased: the other installation uses them. Their accounts stay connected, by which `takeBackGrants` knows
 * them.
 */
export const giveAwayGrants: WorkspaceStep = async (tx, workspace_id, now) => {
  await tx
    .updateTable('oauth_grant')
    .set({ ended_at: now, leased_until: null })
    .where('workspace_id', '=', workspace_id)
    .where('ended_at', 'is', null)
    .execute()
  return nothingMore
}

/** Uses the sign-ins again that `giveAwayGrants` gave away: those that ended otherwise have no connected account. */
export const takeBackGrants: WorkspaceStep = async (tx, workspace_id) => {
  await tx
    .updateTable('oauth_grant')
    .set({ ended_at: null })
    .where('workspace_id', '=', workspace_id)
    .where('ended_at', 'is not', null)
    .where('released_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('account')
          .select('account.id')
          .whereRef('account.grant_id', '=', 'oauth_grant.id')
          .where('account.status', '=', 'connected'),
      ),
    )
    .execute()
  return nothingMore
}

const nothingMore = { details: {}, finish: async () => undefined }
