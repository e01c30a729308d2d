import { queryOptions } from '@tanstack/react-query'
import { allPages, answered, type Workspace, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { isAtLeast } from './queries'

export type WorkspaceMember = components['schemas']['WorkspaceMember']
export type Invitation = components['schemas']['Invitation']
export type Role = Workspace['role']

/** From the one that may least. */
export const roles = ['viewer', 'author', 'editor', 'admin', 'owner'] as const satisfies Role[]

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/workspace/members', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
    staleTime: 30_000,
  })

/** Those that wait for an answer, and those that waited too long. */
export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['invitations', workspace],
    queryFn: async () => {
      const states = ['pending', 'expired'] as const
      const read = (state: (typeof states)[number]) =>
        allPages((cursor) =>
          answered(
            workspaceApi(workspace).GET('/api/v1/workspace/invitations', {
              params: { query: { state, limit: 100, ...(cursor && { cursor }) } },
            }),
          ),
        )
      return (await Promise.all(states.map(read))).flat()
    },
  })

/** The roles that somebody with this one may give: only owners make owners. */
export const rolesToGive = (own: Role) => roles.filter((role) => role !== 'owner' || own === 'owner')

/** Whether the role of this member may be changed, or the member removed: owners are left to owners. */
export const mayChange = (workspace: Workspace, { role }: WorkspaceMember) =>
  isAtLeast(workspace, 'admin') && (role !== 'owner' || workspace.role === 'owner')
