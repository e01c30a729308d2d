import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'

export type Overview = components['schemas']['BillingOverview']
export type PaymentRequest = Omit<components['schemas']['PaymentRequest'], 'order_id'>
export type AdminSubscription = components['schemas']['AdminSubscription']
export type LedgerReport = components['schemas']['LedgerReport']
export type AdminInvoice = components['schemas']['AdminInvoice']

export const requestStatuses = ['pending', 'approved', 'rejected', 'expired', 'withdrawn'] as const
export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled', 'expired'] as const
export const invoiceStatuses = ['open', 'paid', 'void'] as const
export const providers = ['manual', 'stripe', 'iyzico', 'paytr'] as const

/** The value if it is one of those; an address may hold anything. */
export const oneOf = <Value extends string>(known: readonly Value[], value: string | undefined) =>
  known.find((one) => one === value)

const paging = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
}
const page = (cursor: string) => ({ limit: 25, ...(cursor && { cursor }) })

export const overviewQuery = queryOptions({
  queryKey: ['billing-admin', 'overview'],
  queryFn: () => unwrap(api.GET('/api/v1/admin/billing/overview')),
})

export const requestsQuery = (status: PaymentRequest['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['billing-admin', 'requests', status],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/payment-requests', {
          params: { query: { ...page(pageParam), ...(status && { status }) } },
        }),
      ),
    ...paging,
  })

/** The number of requests that wait for a decision, up to a hundred. */
const pendingRequestsQuery = queryOptions({
  queryKey: ['billing-admin', 'pending-requests'],
  queryFn: async () => {
    const query = { status: 'pending', limit: 100 } as const
    return (await unwrap(api.GET('/api/v1/admin/payment-requests', { params: { query } }))).data.length
  },
  staleTime: 60_000,
  refetchInterval: 60_000,
})

export const usePendingRequestCount = () => useQuery(pendingRequestsQuery).data ?? 0

type SubscriptionFilters = {
  status: AdminSubscription['status'] | undefined
  plan_code: string | undefined
  provider: AdminSubscription['provider'] | undefined
}

export const subscriptionsQuery = ({ status, plan_code, provider }: SubscriptionFilters) =>
  infiniteQueryOptions({
    queryKey: ['billing-admin', 'subscriptions', { status, plan_code, provider }],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/subscriptions', {
          params: {
            query: {
              ...page(pageParam),
              ...(status && { status }),
              ...(plan_code && { plan_code }),
              ...(provider && { provider }),
            },
          },
        }),
      ),
    ...paging,
  })

type InvoiceFilters = {
  search: string | undefined
  month: string | undefined
  status: AdminInvoice['status'] | undefined
}

export const allInvoicesQuery = ({ search, month, status }: InvoiceFilters) =>
  infiniteQueryOptions({
    queryKey: ['billing-admin', 'invoices', { search, month, status }],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/invoices', {
          params: {
            query: {
              ...page(pageParam),
              ...(search && { search }),
              ...(month && { month }),
              ...(status && { status }),
            },
          },
        }),
      ),
    ...paging,
  })

/** Reads the whole ledger, so it runs only when somebody asks. */
export const ledgerQuery = queryOptions({
  queryKey: ['billing-admin', 'ledger'],
  queryFn: () => unwrap(api.GET('/api/v1/admin/ledger/check')),
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Fetches every list and figure again: one change concerns several. */
export const invalidateBillingAdmin = () => queryClient.invalidateQueries({ queryKey: ['billing-admin'] })
