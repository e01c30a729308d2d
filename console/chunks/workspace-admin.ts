// Pages that are opened rarely: members, tokens, settings, audit log.
export { AuditLogPage } from '../features/audit/AuditLogPage'
export { InstanceAuditLogPage } from '../features/audit/InstanceAuditLogPage'
export { TokensPage } from '../features/tokens/TokensPage'
export { MembersPage } from '../features/workspaces/members/MembersPage'
export { SettingsPage } from '../features/workspaces/settings/SettingsPage'
