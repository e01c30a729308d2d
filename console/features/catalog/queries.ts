import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { allPages, api, queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { currentLanguage } from '../../i18n'
import { agentsQuery } from '../agents/queries'
import type { CatalogSearch } from './search-params'

export type Recipe = components['schemas']['Recipe']
export type RecipeVersion = components['schemas']['RecipeVersion']
export type RecipeDiff = components['schemas']['RecipeDiff']
export type RecipeDifference = RecipeDiff['fields'][number]

export const nextPage = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
}

export const recipesQuery = ({ search, category, sort, mine, language }: CatalogSearch) => {
  const wanted = language ?? (mine ? 'all' : currentLanguage())
  const filters = {
    ...(search && { search }),
    ...(category && { category }),
    ...(sort && { sort }),
    ...(mine && { mine }),
    ...(wanted !== 'all' && { language: wanted }),
  }
  return infiniteQueryOptions({
    queryKey: ['recipes', 'list', filters],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/catalog/agent-recipes', {
          params: { query: { ...filters, limit: 24, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    ...nextPage,
  })
}

/** A recipe with everything that an install copies, and the ETag that a change sends back. */
export const recipeQuery = (id: string) =>
  queryOptions({
    queryKey: ['recipes', 'one', id],
    queryFn: () => unwrapWithEtag(api.GET('/api/v1/catalog/agent-recipes/{id}', { params: { path: { id } } })),
  })

/** The recipe that an agent was published as; null before. */
export const recipeOfAgentQuery = (agent_id: string) =>
  queryOptions({
    queryKey: ['recipes', 'of-agent', agent_id],
    queryFn: async () => {
      const own = await allPages((cursor) =>
        unwrap(
          api.GET('/api/v1/catalog/agent-recipes', {
            params: { query: { mine: true, limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      )
      return own.find((recipe) => recipe.agent_id === agent_id) ?? null
    },
  })

export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['recipes', 'versions', id],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/catalog/agent-recipes/{id}/versions', {
          params: { path: { id }, query: { limit: 10, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    ...nextPage,
  })

/** Differences of an installed agent from the newest version of its recipe. */
export const recipeDiffQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['recipe-diff', workspace, id],
    queryFn: () =>
      unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/agents/{id}/recipe-diff', { params: { path: { id } } })),
    staleTime: 0,
  })

/** The recipes that the agents of a workspace were installed from. */
export function useInstalledRecipes(workspace: string): ReadonlySet<string> {
  const agents = useQuery(agentsQuery(workspace)).data ?? []
  return new Set(agents.flatMap(({ recipe }) => (recipe ? [recipe.id] : [])))
}

export const invalidateRecipes = () => queryClient.invalidateQueries({ queryKey: ['recipes'] })
