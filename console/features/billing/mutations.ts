import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../workspaces/queries'
import { type Checkout, checkoutQuery, invalidateBilling, type Subscription, subscriptionQuery } from './queries'

type ChangedPlan = components['schemas']['ChangedPlan']
type Change = components['schemas']['PlanChange']

function useShowSubscription() {
  const { slug } = useWorkspace()
  return (subscription: Subscription) => {
    queryClient.setQueryData(subscriptionQuery(slug).queryKey, subscription)
    return invalidateBilling(slug)
  }
}

function useSubscriptionMutation(call: () => Promise<Subscription>, onSuccess: () => void) {
  const show = useShowSubscription()
  return useMutation({
    mutationFn: call,
    onSuccess: (subscription) => {
      onSuccess()
      return show(subscription)
    },
  })
}

export function useCancelSubscription(onSuccess: () => void) {
  const client = workspaceApi(useWorkspace().slug)
  return useSubscriptionMutation(() => unwrap(client.POST('/api/v1/billing/cancel-subscription')), onSuccess)
}

export function useResumeSubscription(onSuccess: () => void) {
  const client = workspaceApi(useWorkspace().slug)
  return useSubscriptionMutation(() => unwrap(client.POST('/api/v1/billing/resume-subscription')), onSuccess)
}

/**
 * Changes the plan, or takes a waiting change back. The checkout is null unless a payment is needed first. `onSuccess`
 * is called even if the new state removes what called it.
 */
export function useChangePlan(onSuccess: (change: ChangedPlan) => unknown) {
  const { slug } = useWorkspace()
  const show = useShowSubscription()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: (body: Change) =>
      once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/billing/change-plan', { body, headers }))),
    onSuccess: (change) => Promise.all([onSuccess(change), show(change.subscription)]),
  })
}

/** Leads to where a checkout is paid: the page of the provider, or that of the console. */
export function useOpenCheckout() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  return async (checkout: Checkout) => {
    if (checkout.status === 'completed') {
      notifications.show({ message: t('subscription.started') })
      await invalidateBilling(slug)
      return navigate({ to: '/w/$workspace/billing', params: { workspace: slug } })
    }
    if (checkout.url && (checkout.kind === 'redirect' || checkout.kind === 'hosted')) {
      location.assign(checkout.url)
      return
    }
    queryClient.setQueryData(checkoutQuery(slug, checkout.id).queryKey, checkout)
    return navigate({
      to: '/w/$workspace/billing/checkouts/$checkout',
      params: { workspace: slug, checkout: checkout.id },
      // Only that address may show a frame of the provider.
      reloadDocument: checkout.kind === 'iframe',
    })
  }
}

type NewCheckout = components['schemas']['NewCheckout']

export function useStartCheckout() {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return (body: NewCheckout) =>
    once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/billing/checkout', { body, headers })))
}
