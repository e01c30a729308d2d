import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'

export type Order = components['schemas']['OrderView']
export type OrderMessage = components['schemas']['OrderMessage']
type OrderCounts = components['schemas']['OrderCounts']
export type OrderRole = 'buyer' | 'seller'

export const roleOf = ({ buyer }: Order, workspace_id: string): OrderRole =>
  buyer.workspace_id === workspace_id ? 'buyer' : 'seller'

/** The side whose orders are shown first: that with orders that wait, otherwise the only one with orders. */
export const firstSide = ({ buyer, seller }: OrderCounts): OrderRole =>
  seller.waiting > buyer.waiting || (buyer.total === 0 && seller.total > 0) ? 'seller' : 'buyer'

/** Time until which somebody acts, if there is one. */
export const dueTime = ({ status, accept_by, due_at, auto_complete_at, checkout }: Order) =>
  ({
    pending_payment: checkout?.expires_at ?? null,
    pending: accept_by,
    in_progress: due_at,
    delivered: auto_complete_at,
    completed: null,
    canceled: null,
    disputed: null,
    expired: null,
  })[status]

export const ordersQuery = (workspace: string, role: OrderRole) =>
  infiniteQueryOptions({
    queryKey: ['orders', workspace, 'list', role],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/marketplace/orders', {
          params: { query: { role, limit: 25, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** The number of orders on each side, and of those that wait for it. */
export const orderCountsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['orders', workspace, 'counts'],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/marketplace/orders/counts')),
    staleTime: 60_000,
  })

/** The orders that wait for the user, on both sides. Only admins act on orders. */
export function useWaitingOrderCount() {
  const workspace = useWorkspace()
  const counts = useQuery({ ...orderCountsQuery(workspace.slug), enabled: isAtLeast(workspace, 'admin') }).data
  return counts ? counts.buyer.waiting + counts.seller.waiting : 0
}

export const orderQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['orders', workspace, 'one', id],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/marketplace/orders/{id}', { params: { path: { id } } })),
  })

/** The newest messages first. */
export const messagesQuery = (workspace: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['orders', workspace, 'messages', id],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/marketplace/orders/{id}/messages', {
          params: { path: { id }, query: { limit: 50, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const invalidateOrders = (workspace: string) =>
  queryClient.invalidateQueries({ queryKey: ['orders', workspace] })
