import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { agentsChunk, catalogAdminChunk, catalogChunk } from '../../chunks/load'
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
  component: lazyRouteComponent(catalogChunk, 'CatalogPage'),
})

const recipe = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/catalog/$recipe',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(recipeQuery(params.recipe))
    void prefetchAccounts(params.workspace)
  },
  component: lazyRouteComponent(catalogChunk, 'RecipePage'),
})

const update = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/$agent/recipe-update',
  loader: ({ params }) => void queryClient.prefetchQuery(recipeDiffQuery(params.workspace, params.agent)),
  component: lazyRouteComponent(agentsChunk, 'RecipeUpdatePage'),
})

const moderation = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/agent-recipes',
  validateSearch: (search: Search): { view?: RecipeView | undefined } => ({
    view: recipeViews.find((view) => view === search.view),
  }),
  component: lazyRouteComponent(catalogAdminChunk, 'AdminRecipesPage'),
})

export const catalogRoutes = { workspace: [catalog, recipe, update], instance: [moderation] } as const
