import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, unwrap, type Workspace, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { usageQuery } from '../plans/queries'

export type Subscription = components['schemas']['Subscription']
export type PlanChangePreview = components['schemas']['PlanChangePreview']
export type Checkout = components['schemas']['Checkout']
export type CheckoutTerms = components['schemas']['CheckoutTerms']
export type Invoice = components['schemas']['Invoice']

/** The subscription in force, or the last one. 404 if there never was one. */
export const subscriptionQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['subscription', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/subscription')),
    // Only long enough for the page that loaded it.
    staleTime: 1000,
  })

/** The terms of a new subscription: its provider, its trial and the fields that it requires. */
export const termsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['checkout-terms', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/checkout')),
  })

/** The payment method, as the payment provider reports it; that may be slow. 404 if it keeps none. */
export const paymentMethodQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['payment-method', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/payment-method')),
    staleTime: 60_000,
  })

export const checkoutQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['checkout', workspace, id],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/checkouts/{id}', { params: { path: { id } } })),
  })

/** The amounts of a change of the plan. Each dialog fetches them again, because they fall with the unused time. */
export const planChangeQuery = (workspace: string, query: { plan_code: string; period: 'monthly' | 'yearly' }) =>
  queryOptions({
    queryKey: ['plan-change', workspace, query],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/change-plan', { params: { query } })),
    staleTime: 0,
    gcTime: 0,
    // Below the 15 minutes for which an amount can be confirmed.
    refetchInterval: 10 * 60_000,
  })

export const invoicesQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['invoices', workspace],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/billing/invoices', {
          params: { query: { limit: 10, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const invoiceQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['invoices', workspace, id],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/billing/invoices/{id}', { params: { path: { id } } })),
  })

/** The credit notes of an invoice. There are rarely more than one. */
export const creditNotesQuery = (workspace: string, corrects: string) =>
  queryOptions({
    queryKey: ['invoices', workspace, corrects, 'credit-notes'],
    queryFn: () =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/billing/invoices', { params: { query: { corrects, limit: 100 } } }),
      ).then(({ data }) => data),
  })

export const isLive = (status: Subscription['status'] | null | undefined) =>
  status === 'trialing' || status === 'active' || status === 'past_due'

/** Whether plans apply to the workspace, so that it has pages about billing. */
export const useHasBilling = (workspace: Workspace | undefined) =>
  useQuery({ ...usageQuery(workspace?.slug ?? ''), enabled: workspace !== undefined }).data?.billing_enabled === true

/** Fetches again what a payment or a change of the subscription may change. */
export const invalidateBilling = (workspace: string) =>
  Promise.all(
    ['usage', 'subscription', 'invoices', 'payment-method', 'checkout-terms', 'orders'].map((subject) =>
      queryClient.invalidateQueries({ queryKey: [subject, workspace] }),
    ),
  )
