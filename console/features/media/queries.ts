import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import type { MediaSearch } from './search-params'

export type Media = components['schemas']['Media']
export type DeletedMedia = components['schemas']['DeletedMedia']

const keys = {
  list: (workspace: string) => ['media', workspace, 'list'] as const,
  one: (workspace: string, id: string) => ['media', workspace, 'one', id] as const,
}

export const mediaQuery = (workspace: string, { kind, label, search }: MediaSearch) =>
  infiniteQueryOptions({
    queryKey: [...keys.list(workspace), { kind, label, search }],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: 60,
        ...(pageParam && { cursor: pageParam }),
        ...(kind && { kind }),
        ...(label && { label }),
        ...(search && { search }),
      }
      const page = await unwrap(workspaceApi(workspace).GET('/api/v1/media', { params: { query }, signal }))
      // A list has the whole records: a file that is opened or chosen from it needs no call of its own.
      for (const media of page.data) queryClient.setQueryData(keys.one(workspace, media.id), media)
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const oneMediaQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: keys.one(workspace, id),
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/media/{id}', { params: { path: { id } } })),
    staleTime: 60_000,
  })

export const mediaUsesQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['media', workspace, 'uses', id],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/media/{id}/uses', { params: { path: { id } } })),
  })

export const deletedMediaQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['media', workspace, 'deleted'],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/media/deleted', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** Shows a file that was uploaded or changed. */
export function showMedia(workspace: string, media: Media) {
  queryClient.setQueryData(keys.one(workspace, media.id), media)
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
}

/** Loads every list again, also the one of deleted files, and the storage used. */
export function refreshMedia(workspace: string) {
  void queryClient.invalidateQueries({ queryKey: ['usage', workspace] })
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
  return queryClient.invalidateQueries({ queryKey: deletedMediaQuery(workspace).queryKey })
}
