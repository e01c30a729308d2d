import type { Lifecycle } from './lib/lifecycle.ts'
import { eraseMailsTo } from './modules/mail/outbox/outbox.ts'
import { erasePlaygroundPosts } from './modules/networks/playground/timeline.ts'
import { erasePosts, unschedulePosts } from './modules/posts/workspace-deletion.ts'
import { revokeMemberTokens } from './modules/tokens/revocation.ts'
import { eraseInvitationsTo, revokeInvitationsOfUser } from './modules/workspaces/user-deletion.ts'

/** The steps that modules add to changes of other modules. */
export const lifecycle: Lifecycle = {
  onWorkspaceDeleted: [unschedulePosts],
  // A member who was editing a post during the deletion may have scheduled it afterwards.
  onWorkspaceRestored: [unschedulePosts],
  // Rows that refer to accounts are deleted before them; the rest is deleted with the workspace.
  onWorkspaceErased: [erasePlaygroundPosts, erasePosts],
  onMemberRemoved: [revokeMemberTokens],
  onUserDeleted: [revokeInvitationsOfUser],
  onUserErased: [eraseMailsTo, eraseInvitationsTo],
}
