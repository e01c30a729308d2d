import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, answered, api, queryClient, tagged } from '../../api'
import type { components } from '../../api.gen'
import { optionsQuery } from '../options/queries'
import type { ModelFilters } from './search'

export type AiModel = components['schemas']['AiModel']
export type AiModelTest = components['schemas']['AiModelTest']

export const modelsQuery = ({ search, provider, category, active }: ModelFilters) =>
  infiniteQueryOptions({
    queryKey: ['ai-models', { search, provider, category, active }],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        ...(pageParam && { cursor: pageParam }),
        ...(search && { search }),
        ...(provider && { provider }),
        ...(category && { category }),
        ...(active !== undefined && { is_active: active }),
      }
      return answered(api.GET('/api/v1/ai-models', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** All of them, to choose one from. */
export const allModelsQuery = queryOptions({
  queryKey: ['ai-models', 'all'],
  queryFn: () =>
    allPages((cursor) =>
      answered(api.GET('/api/v1/ai-models', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    ),
})

/** One of them, with the version that a change of it is meant for. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ['ai-model', id],
    queryFn: () => tagged(api.GET('/api/v1/ai-models/{id}', { params: { path: { id } } })),
  })

export const pathOf = ({ id_secure }: Pick<AiModel, 'id_secure'>) => ({ params: { path: { id: id_secure } } })

/** A model's key is an option, too. */
export const readModelsAnew = () =>
  Promise.all(
    [['ai-models'], ['ai-model'], optionsQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
