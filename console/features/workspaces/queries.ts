import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import {
  allPages,
  api,
  type Me,
  queryClient,
  unwrap,
  unwrapWithEtag,
  type Workspace,
  workspaceApi,
  workspaceBySlug,
} from '../../api'

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ client, queryKey }) => {
    const workspaces = await allPages((cursor) =>
      unwrap(api.GET('/api/v1/workspaces', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    )
    for (const before of client.getQueryData<Workspace[]>(queryKey) ?? []) {
      const now = workspaces.find(({ id }) => id === before.id)
      if (now) copyCachedWorkspace(before, now)
    }
    return workspaces
  },
  staleTime: 60_000,
})

/** What needs attention in all workspaces of the user. */
export const workspaceCountsQuery = queryOptions({
  queryKey: ['workspace-counts'],
  queryFn: ({ signal }) =>
    allPages((cursor) =>
      unwrap(
        api.GET('/api/v1/workspaces/counts', { params: { query: { limit: 100, ...(cursor && { cursor }) } }, signal }),
      ),
    ),
  refetchInterval: 60_000,
})

/** Copies the cached data of a workspace to its new slug, so that the open page keeps it. */
export function copyCachedWorkspace({ slug: before }: Workspace, { slug }: Workspace) {
  if (slug === before) return
  const known = queryClient.getQueriesData({ predicate: ({ queryKey }) => queryKey[1] === before })
  for (const [[subject, , ...rest], data] of known) queryClient.setQueryData([subject, slug, ...rest], data)
}

export const checklistQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['checklist', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/workspace/checklist')),
    // Only long enough for the page that loaded it.
    staleTime: 1000,
  })

/** The settings, with the ETag that a change sends. */
export const settingsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['settings', workspace],
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/workspace')),
  })

/** The brand, with the ETag that a change sends. */
export const brandQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['brand', workspace],
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/workspace/brand')),
  })

/** Deleted workspaces that the user can still restore. */
export const deletedWorkspacesQuery = queryOptions({
  queryKey: ['deleted-workspaces'],
  queryFn: () =>
    allPages((cursor) =>
      unwrap(api.GET('/api/v1/workspaces/deleted', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    ),
})

/** Finds by slug, by id (for links that must survive a new slug), or by a former slug of this session. */
export function findWorkspace(workspaces: readonly Workspace[], key: string) {
  const found =
    workspaces.find(({ id, slug }) => slug === key || id === key) ??
    workspaces.find(({ id }) => id === workspaceBySlug.get(key)?.id)
  if (found) for (const name of [key, found.slug]) workspaceBySlug.set(name, found)
  return found
}

/** The workspace that the user was in last; undefined without any. */
export const lastWorkspace = (workspaces: readonly Workspace[], { workspace_id }: Pick<Me, 'workspace_id'>) =>
  workspaces.find(({ id }) => id === workspace_id) ?? workspaces[0]

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

/** The workspace of the current page; elsewhere the last used one; undefined if there is none. */
export const useCurrentWorkspace = () => useContext(WorkspaceContext)

/** The workspace of the current page. */
export function useWorkspace(): Workspace {
  const workspace = useCurrentWorkspace()
  if (!workspace) throw new Error('This screen belongs into a workspace')
  return workspace
}

const ranks: Record<Workspace['role'], number> = { viewer: 0, author: 1, editor: 2, admin: 3, owner: 4 }

export const isAtLeast = ({ role }: Workspace, wanted: Workspace['role']) => ranks[role] >= ranks[wanted]
