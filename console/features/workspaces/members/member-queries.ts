import { queryOptions } from '@tanstack/react-query'
import { allPages, unwrap, type Workspace, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { isAtLeast } from '../queries'

export type WorkspaceMember = components['schemas']['WorkspaceMember']
export type Invitation = components['schemas']['Invitation']
export type Role = Workspace['role']

/** From the fewest permissions to the most. */
export const roles = ['viewer', 'author', 'editor', 'admin', 'owner'] as const satisfies Role[]

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/workspace/members', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
    staleTime: 30_000,
  })

/** Pending and expired invitations. */
export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['invitations', workspace],
    queryFn: async () => {
      const states = ['pending', 'expired'] as const
      const read = (state: (typeof states)[number]) =>
        allPages((cursor) =>
          unwrap(
            workspaceApi(workspace).GET('/api/v1/workspace/invitations', {
              params: { query: { state, limit: 100, ...(cursor && { cursor }) } },
            }),
          ),
        )
      return (await Promise.all(states.map(read))).flat()
    },
  })

/** The roles a user with this role may assign: only owners assign owner. */
export const assignableRoles = (own: Role) => roles.filter((role) => role !== 'owner' || own === 'owner')

/** Whether the user may change this member's role or remove them: for owners it takes an owner. */
export const canChangeMember = (workspace: Workspace, { role }: WorkspaceMember) =>
  isAtLeast(workspace, 'admin') && (role !== 'owner' || workspace.role === 'owner')
