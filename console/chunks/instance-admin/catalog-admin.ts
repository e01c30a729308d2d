// The page on which instance admins decide about recipes of all workspaces.

export { AdminRecipesPage } from '../../features/catalog/admin/AdminRecipesPage'
