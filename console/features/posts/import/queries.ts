import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { keys } from '../queries'

export type PostImport = components['schemas']['PostImport']
export type ImportRow = components['schemas']['ImportRow']
export type ImportField = PostImport['columns'][number]['field']
export type RowFilter = 'all' | 'ok' | 'warning' | 'error'

const importKey = (workspace: string, id: string) => ['import', workspace, id] as const

/** Time between two looks at an import on which Meydan works. */
const POLL_MS = 1000
const works: readonly PostImport['status'][] = ['checking', 'writing', 'undoing']
const isAtWork = ({ status }: PostImport) => works.includes(status)

/** An import, with the ETag that the confirmation sends back. */
export const importQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: importKey(workspace, id),
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/imports/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data && isAtWork(data.record) ? POLL_MS : false),
  })

/** `status`: the status of the import, because each step replaces the rows. */
export const rowsQuery = (workspace: string, id: string, { filter, status }: { filter: RowFilter; status: string }) =>
  infiniteQueryOptions({
    queryKey: [...importKey(workspace, id), 'rows', filter, status],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 25, ...(filter !== 'all' && { state: filter }), ...(pageParam && { cursor: pageParam }) }
      const params = { path: { id }, query }
      return unwrap(workspaceApi(workspace).GET('/api/v1/imports/{id}/rows', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const reloadImport = (workspace: string, id: string) =>
  queryClient.invalidateQueries({ queryKey: importKey(workspace, id) })

/** Shows new posts in lists and the calendar. */
export const reloadPosts = (workspace: string) => queryClient.invalidateQueries({ queryKey: keys.list(workspace) })

export function uploadSpreadsheet(workspace: string, file: File) {
  const form = new FormData()
  form.append('file', file)
  // The form is sent in place of the body, which only its type needs.
  return unwrap(workspaceApi(workspace).POST('/api/v1/imports', { body: { file: '' }, bodySerializer: () => form }))
}
