// Pages about the user who is signed in and, for instance admins, about all users.

export { ProfilePage } from '../features/auth/profile/ProfilePage'
export { SessionsPage } from '../features/auth/SessionsPage'
export { UsersPage } from '../features/auth/UsersPage'
export { NotificationSettingsPage } from '../features/notifications/NotificationSettingsPage'
export { NotificationsPage } from '../features/notifications/NotificationsPage'
