import type { SealedColumn } from './lib/crypto/re-encrypt.ts'
import type { ImportStep, Lifecycle } from './lib/lifecycle.ts'
import { meters } from './meters.ts'
import { revokeGrantsOfWorkspace } from './modules/accounts/grants/revocation.ts'
import { giveAwayGrants, takeBackGrants } from './modules/accounts/grants/workspace-move.ts'
import { accountGroups } from './modules/accounts/groups/groups.export.ts'
import { pauseImported, resumeWithinLimit } from './modules/accounts/pauses.ts'
import { disableAgentsOfMember, disableImported as disableImportedAgents } from './modules/agents/activation.ts'
import { agents } from './modules/agents/agents.export.ts'
import { agentRules } from './modules/agents/rules/rules.export.ts'
import { noteReview } from './modules/agents/runs/finishing/note-review.ts'
import { heldAgents } from './modules/agents/runs/start-due-runs.ts'
import { agentSources } from './modules/agents/sources/sources.export.ts'
import { auditLog } from './modules/audit/audit.export.ts'
import { emailChange, sessions } from './modules/auth/auth.export.ts'
import { invoices, payments, subscriptions } from './modules/billing/billing.export.ts'
import { heldSubscriptions } from './modules/billing/processes/run-timers.ts'
import { enqueueDeletionBilling, enqueueErasureBilling } from './modules/billing/processes/workspace-deletion.ts'
import { recipeReports } from './modules/catalog/moderation/reports.export.ts'
import { recipes } from './modules/catalog/recipes.export.ts'
import { mails } from './modules/mail/mail.export.ts'
import { heldMails } from './modules/mail/outbox/held-mails.ts'
import { eraseMailsTo } from './modules/mail/outbox/outbox.ts'
import { gigs } from './modules/marketplace/gigs/gigs.export.ts'
import { pauseGigsOfMember } from './modules/marketplace/gigs/gigs.ts'
import { findSampleUses } from './modules/marketplace/gigs/samples.ts'
import { gigReports } from './modules/marketplace/moderation/reports.export.ts'
import { expireOrder, payOrder } from './modules/marketplace/orders/money/order-payments.ts'
import { lockOrder, noteFailedReturn, takeReturned } from './modules/marketplace/orders/money/returned-money.ts'
import { orderMessages, orderReviews, orders } from './modules/marketplace/orders/orders.export.ts'
import { findOrderUses } from './modules/marketplace/orders/record/order-files.ts'
import { enqueueOrderWithdrawal } from './modules/marketplace/orders/workspace-deletion.ts'
import { keepUserWithMoney, keepWorkspaceWithMoney } from './modules/marketplace/payouts/balances.ts'
import { payoutAccounts, payouts } from './modules/marketplace/payouts/payouts.export.ts'
import { signature } from './modules/marketplace/sellers/signatures.export.ts'
import { eraseMediaOfWorkspace } from './modules/media/deletion.ts'
import { media } from './modules/media/media.export.ts'
import { erasePlaygroundPosts } from './modules/networks/playground/timeline.ts'
import { eraseFeedItems } from './modules/networks/rss/items.ts'
import { notificationSettings, notifications, pushSubscriptions } from './modules/notifications/notifications.export.ts'
import { deleteNotificationsOfMember } from './modules/notifications/notifications.ts'
import { findApprovers } from './modules/posts/approval/approval.ts'
import { erasePosts, unschedulePosts } from './modules/posts/authoring/deletion.ts'
import { calendarFeeds } from './modules/posts/calendar-feeds/calendar-feeds.export.ts'
import { deleteFeedsOfMember } from './modules/posts/calendar-feeds/calendar-feeds.ts'
import { calendarNotes } from './modules/posts/calendar-notes/calendar-notes.export.ts'
import { revokeLinksBelowEditor, revokeLinksOfMember } from './modules/posts/client-links/client-links.ts'
import { postComments } from './modules/posts/comments/comments.export.ts'
import { posts } from './modules/posts/posts.export.ts'
import { heldPosts } from './modules/posts/publishing/due-posts.ts'
import { holdImportedPosts } from './modules/posts/publishing/held/hold-imported-posts.ts'
import { endPauseOfRemoved } from './modules/posts/queue/pause.ts'
import { findMediaUses } from './modules/posts/record/post-media.ts'
import { recurringPosts } from './modules/posts/recurrence/recurrence.export.ts'
import { findRecurringMediaUses } from './modules/posts/recurrence/recurring-post.ts'
import { endApprovals } from './modules/posts/review/ask-for-approval.ts'
import { snippets } from './modules/posts/snippets/snippets.export.ts'
import { postVersions } from './modules/posts/versions/versions.export.ts'
import { revokeMemberTokens } from './modules/tokens/revocation.ts'
import { apiTokens } from './modules/tokens/tokens.export.ts'
import { updateExcess } from './modules/usage/excess.ts'
import { heldDeliveries } from './modules/webhooks/delivery/delivery-backlog.ts'
import { webhooks } from './modules/webhooks/webhooks.export.ts'
import { disableImported as disableImportedWebhooks } from './modules/webhooks/webhooks.ts'
import { eraseInvitationsTo, revokeInvitationsOfUser } from './modules/workspaces/members/invitation-revocation.ts'
import { invitations, memberships } from './modules/workspaces/workspaces.export.ts'

/** The plan of an imported workspace is that of this installation. */
const noteExcess: ImportStep = async ({ clock }, tx, workspace_id) => {
  await updateExcess(tx, meters, clock.now(), workspace_id)
  return {}
}

/** The steps that modules add to changes of other modules. */
export const lifecycle: Lifecycle = {
  onPlanChanged: [(tx, workspace_id, now) => updateExcess(tx, meters, now, workspace_id), resumeWithinLimit],
  onWorkspaceDeleted: [keepWorkspaceWithMoney, enqueueDeletionBilling, enqueueOrderWithdrawal, unschedulePosts],
  // A member who was editing a post during the deletion may have scheduled it afterwards.
  onWorkspaceRestored: [enqueueDeletionBilling, unschedulePosts, takeBackGrants],
  onWorkspaceClosed: [giveAwayGrants],
  // Webhooks come first, so that nothing is sent of what the other steps do.
  onWorkspaceImported: [disableImportedWebhooks, disableImportedAgents, pauseImported, holdImportedPosts, noteExcess],
  // Rows that refer to accounts are deleted before them; the rest is deleted with the workspace.
  onWorkspaceErased: [
    erasePlaygroundPosts,
    eraseFeedItems,
    erasePosts,
    eraseMediaOfWorkspace,
    enqueueErasureBilling,
    revokeGrantsOfWorkspace,
  ],
  onMemberRemoved: [
    deleteNotificationsOfMember,
    revokeMemberTokens,
    revokeLinksOfMember,
    deleteFeedsOfMember,
    pauseGigsOfMember,
    disableAgentsOfMember,
  ],
  onRoleChanged: [revokeLinksBelowEditor],
  onUserDeleted: [keepUserWithMoney, revokeInvitationsOfUser],
  onUserErased: [eraseMailsTo, eraseInvitationsTo],
  onAccountRemoved: endPauseOfRemoved,
  onPostReviewed: noteReview,
  findApprovers,
  onMediaChanged: endApprovals,
  onOrderPaid: payOrder,
  onOrderUnpaid: expireOrder,
  lockOrder,
  onOrderReturned: takeReturned,
  onOrderReturnFailed: noteFailedReturn,
  heldWork: {
    posts: heldPosts,
    deliveries: heldDeliveries,
    mails: heldMails,
    agents: heldAgents,
    subscriptions: heldSubscriptions,
  },
  mediaUses: [findMediaUses, findRecurringMediaUses, findSampleUses, findOrderUses],
  exportParts: {
    memberships,
    email_change: emailChange,
    sessions,
    api_tokens: apiTokens,
    audit_log: auditLog,
    posts,
    post_comments: postComments,
    post_versions: postVersions,
    recurring_posts: recurringPosts,
    account_groups: accountGroups,
    snippets,
    calendar_feeds: calendarFeeds,
    calendar_notes: calendarNotes,
    media,
    agents,
    agent_sources: agentSources,
    agent_rules: agentRules,
    recipes,
    recipe_reports: recipeReports,
    gigs,
    signature,
    orders,
    order_messages: orderMessages,
    order_reviews: orderReviews,
    gig_reports: gigReports,
    webhooks,
    invitations,
    mails,
    notifications,
    notification_settings: notificationSettings,
    push_subscriptions: pushSubscriptions,
    subscriptions,
    payments,
    invoices,
    payout_accounts: payoutAccounts,
    payouts,
  },
}

/** All columns whose values are sealed with an encryption key. */
export const sealedColumns: SealedColumn[] = [
  ['account', 'credentials'],
  ['account_connection', 'code_verifier'],
  ['account_connection', 'binding'],
  ['account_connection', 'pending'],
  ['network_app', 'client_id'],
  ['network_app', 'client_secret'],
  ['workspace_network_app', 'client_id'],
  ['workspace_network_app', 'client_secret'],
  ['oauth_grant', 'tokens'],
  ['server_app', 'client_id'],
  ['server_app', 'client_secret'],
  ['client_link', 'sealed_secret'],
  ['webhook', 'secret'],
  ['webhook', 'previous_secret'],
  ['webhook', 'headers'],
  ['option', 'secret'],
  ['push_key', 'private_key'],
  ['payout', 'iban'],
  ['payout', 'note'],
  ['payout_account', 'iban'],
  ['payout_account', 'note'],
]
