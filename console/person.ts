// One bundle: the rooms about persons, oneself and, for instance admins, everybody.
export { ProfilePage } from './features/auth/ProfilePage'
export { SessionsPage } from './features/auth/SessionsPage'
export { UsersPage } from './features/auth/UsersPage'
