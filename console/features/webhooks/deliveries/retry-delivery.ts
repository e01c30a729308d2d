import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { ApiProblem, queryClient, unwrap, workspaceApi } from '../../../api'
import { problemMessage } from '../../../ui/feedback/problem'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateWebhooks } from '../mutations'
import type { Webhook } from '../queries'
import { type Delivery, deliveryQuery } from './delivery-queries'

/** Sends a delivery of this webhook again. `onSuccess` is called even if the button that was used is gone by then. */
export function useRetry({ id }: Webhook, onSuccess?: () => void) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: (delivery_id: string) =>
      once({ delivery_id }, (headers) =>
        unwrap(
          workspaceApi(slug).POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
            params: { path: { id, delivery_id } },
            headers,
          }),
        ),
      ),
    onSuccess,
    onSettled: (_delivery, _error, delivery_id) =>
      Promise.all([
        invalidateWebhooks(slug),
        queryClient.invalidateQueries({ queryKey: deliveryQuery(slug, id, delivery_id).queryKey }),
      ]),
  })
}

/** Tests are not repeated: users send new ones. */
export const canRetry = ({ active }: Webhook, { type }: Delivery) => active && type !== 'webhook.test'

/** Why a delivery cannot be sent again now. */
export function retryProblem(t: TFunction, error: unknown) {
  const state = error instanceof ApiProblem && error.problem.code === 'invalid_transition' && error.problem.state
  if (state === 'in_flight') return t('deliveries.in_flight')
  if (state === 'disabled') return t('deliveries.is_disabled')
  if (state === 'exhausted') return t('deliveries.is_exhausted')
  return problemMessage(t, error)
}
