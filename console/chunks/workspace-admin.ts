// Pages that are opened rarely: members, tokens, webhooks, settings, audit log.
export { AuditLogPage } from '../features/audit/AuditLogPage'
export { InstanceAuditLogPage } from '../features/audit/InstanceAuditLogPage'
export { TokensPage } from '../features/tokens/TokensPage'
export { EditWebhookPage, NewWebhookPage } from '../features/webhooks/form/WebhookFormPages'
export { WebhookPage } from '../features/webhooks/WebhookPage'
export { WebhooksPage } from '../features/webhooks/WebhooksPage'
export { MembersPage } from '../features/workspaces/members/MembersPage'
export { SettingsPage } from '../features/workspaces/settings/SettingsPage'
