import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { instanceRoute, workspaceRoute } from '../../layout-routes'
import type { Search } from '../../ui/navigation/search-params'
import { prefetchAccounts } from '../accounts/queries'
import { type RecipeView, recipeViews } from './admin/admin-queries'
import { recipeDiffQuery, recipeQuery } from './queries'
import { catalogSearch } from './search-params'

const catalog = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/catalog',
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => withTexts(import('./CatalogPage'), 'workspace', 'further'), 'CatalogPage'),
})

const recipe = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/catalog/$recipe',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(recipeQuery(params.recipe))
    void prefetchAccounts(params.workspace)
  },
  component: lazyRouteComponent(() => withTexts(import('./recipe/RecipePage'), 'workspace', 'further'), 'RecipePage'),
})

const update = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/$agent/recipe-update',
  loader: ({ params }) => void queryClient.prefetchQuery(recipeDiffQuery(params.workspace, params.agent)),
  component: lazyRouteComponent(
    () => withTexts(import('./updates/RecipeUpdatePage'), 'workspace', 'further'),
    'RecipeUpdatePage',
  ),
})

const moderation = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/agent-recipes',
  validateSearch: (search: Search): { view?: RecipeView | undefined } => ({
    view: recipeViews.find((view) => view === search.view),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/AdminRecipesPage'), 'workspace', 'further', 'instance-admin'),
    'AdminRecipesPage',
  ),
})

export const catalogRoutes = { workspace: [catalog, recipe, update], instance: [moderation] } as const
