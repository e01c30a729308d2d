import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'

type Schemas = components['schemas']
export type DisputeSummary = Schemas['DisputeSummary']
export type Dispute = Schemas['DisputeDetail']
export type OrderRefund = Schemas['OrderRefund']
export type AdminPayout = Schemas['AdminPayout']
export type GigReport = Schemas['GigReport']
export type AdminGig = Schemas['AdminGig']

export const disputeStatuses = ['open', 'resolved', 'withdrawn'] as const
export const refundStatuses = ['pending', 'failed', 'succeeded'] as const
export const payoutStatuses = ['pending', 'processing', 'paid', 'failed', 'canceled'] as const
export const reportStatuses = ['open', 'upheld', 'dismissed'] as const

const paging = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
}
const page = (cursor: string) => ({ limit: 25, ...(cursor && { cursor }) })

export const disputesQuery = (status: DisputeSummary['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['marketplace-admin', 'disputes', status],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/marketplace/disputes', {
          params: { query: { ...page(pageParam), ...(status && { status }) } },
        }),
      ),
    ...paging,
  })

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['marketplace-admin', 'dispute', id],
    queryFn: () => unwrap(api.GET('/api/v1/admin/marketplace/disputes/{id}', { params: { path: { id } } })),
  })

export const refundsQuery = (status: OrderRefund['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['marketplace-admin', 'refunds', status],
    queryFn: async ({ pageParam }) => {
      const { data, next_cursor } = await unwrap(
        api.GET('/api/v1/admin/marketplace/refunds', {
          params: { query: { ...page(pageParam), ...(status && { status }) } },
        }),
      )
      return { data: data.map((refund) => ({ ...refund, id: refund.order_id })), next_cursor }
    },
    ...paging,
  })

type PayoutFilters = { status: AdminPayout['status'] | undefined; batch_id: string | undefined }

export const allPayoutsQuery = ({ status, batch_id }: PayoutFilters) =>
  infiniteQueryOptions({
    queryKey: ['marketplace-admin', 'payouts', { status, batch_id }],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/marketplace/payouts', {
          params: { query: { ...page(pageParam), ...(status && { status }), ...(batch_id && { batch_id }) } },
        }),
      ),
    ...paging,
    // The audit log notes each read of full IBANs: only those that somebody asked for.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const reportsQuery = (status: GigReport['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['marketplace-admin', 'reports', status],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/marketplace/reports', {
          params: { query: { ...page(pageParam), ...(status && { status }) } },
        }),
      ),
    ...paging,
  })

type GigFilters = { search: string | undefined; taken_down: boolean | undefined }

export const allGigsQuery = ({ search, taken_down }: GigFilters) =>
  infiniteQueryOptions({
    queryKey: ['marketplace-admin', 'gigs', { search, taken_down }],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/marketplace/gigs', {
          params: {
            query: {
              ...page(pageParam),
              ...(search && { search }),
              ...(taken_down !== undefined && { taken_down }),
            },
          },
        }),
      ),
    ...paging,
  })

/** Fetches every list again: a decision concerns several, such as a dispute and a refund. */
export const invalidateMarketplaceAdmin = () => queryClient.invalidateQueries({ queryKey: ['marketplace-admin'] })
