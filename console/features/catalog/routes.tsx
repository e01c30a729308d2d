import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { agentsChunk, catalogChunk } from '../../chunks/load'
import { workspaceRoute } from '../../layout-routes'
import { prefetchAccounts } from '../accounts/queries'
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

export const catalogRoutes = { workspace: [catalog, recipe, update] } as const
