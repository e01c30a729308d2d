import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, api, queryClient, unwrap, unwrapWithEtag } from '../../api'
import type { components } from '../../api.gen'
import { optionsQuery } from '../options/queries'
import type { ModelFilters } from './search-params'

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
      return unwrap(api.GET('/api/v1/ai-models', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** All models, for selection. */
export const allModelsQuery = queryOptions({
  queryKey: ['ai-models', 'all'],
  queryFn: () =>
    allPages((cursor) =>
      unwrap(api.GET('/api/v1/ai-models', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    ),
})

/** One model, with the ETag that a change sends. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ['ai-model', id],
    queryFn: () => unwrapWithEtag(api.GET('/api/v1/ai-models/{id}', { params: { path: { id } } })),
  })

export const pathParams = ({ id_secure }: Pick<AiModel, 'id_secure'>) => ({ params: { path: { id: id_secure } } })

/** A model's key is also an option. */
export const invalidateModels = () =>
  Promise.all(
    [['ai-models'], ['ai-model'], optionsQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
