import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, isStatus, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type Gig = components['schemas']['Gig']
export type Balance = components['schemas']['SellerBalance']['data'][number]
export type PayoutAccount = components['schemas']['PayoutAccount']
export type Payout = components['schemas']['Payout']

/** The user's own gigs in the workspace. */
export const gigsQuery = (workspace: string, archived: boolean) =>
  queryOptions({
    queryKey: ['gigs', workspace, 'mine', archived],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/marketplace/gigs/mine', {
            params: { query: { limit: 100, archived, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** A gig, with the ETag that a change sends back. */
export const gigQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['gigs', workspace, 'one', id],
    queryFn: () =>
      unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/marketplace/gigs/{id}', { params: { path: { id } } })),
  })

export const balancesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['earnings', workspace, 'balance'],
    queryFn: async () => (await unwrap(workspaceApi(workspace).GET('/api/v1/marketplace/balance'))).data,
  })

/** The payout account, with the ETag that a change sends back. Null before it is set. */
export const payoutAccountQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['earnings', workspace, 'account'],
    queryFn: () =>
      unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/marketplace/payout-account')).catch((error: unknown) => {
        if (isStatus(error, 404)) return null
        throw error
      }),
  })

export const payoutsQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['earnings', workspace, 'payouts'],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/marketplace/payouts', {
          params: { query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** Changes of the balance in a currency, newest first. */
export const statementQuery = (workspace: string, currency: Balance['currency']) =>
  infiniteQueryOptions({
    queryKey: ['earnings', workspace, 'statement', currency],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/marketplace/statement', {
          params: { query: { currency, limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
