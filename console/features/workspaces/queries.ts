import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { allPages, answered, api, queryClient, shownAs, tagged, type Workspace, workspaceApi } from '../../api'

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ client, queryKey }) => {
    const workspaces = await allPages((cursor) =>
      answered(api.GET('/api/v1/workspaces', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    )
    for (const before of client.getQueryData<Workspace[]>(queryKey) ?? []) {
      const now = workspaces.find(({ id }) => id === before.id)
      if (now) carryOver(before, now)
    }
    return workspaces
  },
  staleTime: 60_000,
})

/** What is known of a workspace is known under its new short name as well: a room that is open goes on with it. */
export function carryOver({ slug: before }: Workspace, { slug }: Workspace) {
  if (slug === before) return
  const known = queryClient.getQueriesData({ predicate: ({ queryKey }) => queryKey[1] === before })
  for (const [[subject, , ...rest], data] of known) queryClient.setQueryData([subject, slug, ...rest], data)
}

export const checklistQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['checklist', workspace],
    queryFn: () => answered(workspaceApi(workspace).GET('/api/v1/workspace/checklist')),
    staleTime: 0,
  })

/** The settings, with the version that a change of them is meant for. */
export const settingsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['settings', workspace],
    queryFn: () => tagged(workspaceApi(workspace).GET('/api/v1/workspace')),
  })

/** Deleted ones that can still be restored by who is signed in. */
export const deletedQuery = queryOptions({
  queryKey: ['deleted-workspaces'],
  queryFn: () =>
    allPages((cursor) =>
      answered(api.GET('/api/v1/workspaces/deleted', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    ),
})

/** By slug, by id for links that must outlive a change of the slug, or by a slug that it had when it was shown. */
export function findWorkspace(workspaces: readonly Workspace[], key: string) {
  const found =
    workspaces.find(({ id, slug }) => slug === key || id === key) ??
    workspaces.find(({ id }) => id === shownAs.get(key)?.id)
  if (found) for (const name of [key, found.slug]) shownAs.set(name, found)
  return found
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

/** The workspace whose rooms are shown; outside of them, the one that was used last. undefined: there is none. */
export const useCurrentWorkspace = () => useContext(WorkspaceContext)

/** The workspace of the room that is shown. */
export function useWorkspace(): Workspace {
  const workspace = useCurrentWorkspace()
  if (!workspace) throw new Error('This screen belongs into a workspace')
  return workspace
}

const ranks: Record<Workspace['role'], number> = { viewer: 0, author: 1, editor: 2, admin: 3, owner: 4 }

export const isAtLeast = ({ role }: Workspace, wanted: Workspace['role']) => ranks[role] >= ranks[wanted]
