import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import { nextPage } from '../queries'

export type AdminRecipe = components['schemas']['AdminRecipe']

/** Selections of the list; the first is the default. */
export const recipeViews = ['reported', 'taken_down', 'all'] as const
export type RecipeView = (typeof recipeViews)[number]

const filters = { reported: { reported: true }, taken_down: { taken_down: true }, all: {} }

const page = (cursor: string) => ({ limit: 25, ...(cursor && { cursor }) })

export const adminRecipesQuery = (view: RecipeView) =>
  infiniteQueryOptions({
    queryKey: ['admin-recipes', 'list', view],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET('/api/v1/admin/agent-recipes', { params: { query: { ...filters[view], ...page(pageParam) } } })),
    ...nextPage,
  })

export const recipeReportsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['admin-recipes', 'reports', id],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/agent-recipes/{id}/reports', {
          params: { path: { id }, query: page(pageParam) },
        }),
      ),
    ...nextPage,
  })

export const invalidateAdminRecipes = () =>
  Promise.all(['admin-recipes', 'recipes'].map((subject) => queryClient.invalidateQueries({ queryKey: [subject] })))
