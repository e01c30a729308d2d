// One bundle: the rooms that are opened now and then: who may do what, who did what, which other systems are told.
export { AuditLogPage } from './features/audit/AuditLogPage'
export { InstanceAuditLogPage } from './features/audit/InstanceAuditLogPage'
export { TokensPage } from './features/tokens/TokensPage'
export { EditWebhookPage, NewWebhookPage } from './features/webhooks/WebhookForm'
export { WebhookPage } from './features/webhooks/WebhookPage'
export { WebhooksPage } from './features/webhooks/WebhooksPage'
export { MembersPage } from './features/workspaces/MembersPage'
export { SettingsPage } from './features/workspaces/SettingsPage'
