import { queryOptions } from '@tanstack/react-query'
import { allPages, answered, tagged, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type Webhook = components['schemas']['Webhook']
export type CreatedWebhook = components['schemas']['CreatedWebhook']
export type EventType = components['schemas']['EventType']
export type Attempt = components['schemas']['Attempt']
export type WebhookStats = components['schemas']['WebhookStats']
export type Period = WebhookStats['period']

export const webhooksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhooks', workspace],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/webhooks', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** One of them, with the version that a change of it is meant for. */
export const webhookQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['webhook', workspace, id],
    queryFn: () => tagged(workspaceApi(workspace).GET('/api/v1/webhooks/{id}', { params: { path: { id } } })),
  })

export const statsQuery = (workspace: string, id: string, period: Period) =>
  queryOptions({
    queryKey: ['webhook-stats', workspace, id, period],
    queryFn: () =>
      answered(
        workspaceApi(workspace).GET('/api/v1/webhooks/{id}/stats', { params: { path: { id }, query: { period } } }),
      ),
  })

/** What types there are changes with the version of Meydan only. */
export const eventTypesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['event-types', workspace],
    queryFn: async () => (await answered(workspaceApi(workspace).GET('/api/v1/webhooks/event-types'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What it is called: in its owner's words, else by where it leads. */
export const nameOf = ({ description, url }: Webhook) => description || (URL.parse(url)?.host ?? url)

/** How an endpoint stands: `resting` while its circuit is open, `untried` until something was delivered or failed. */
export function stateOf({ active, circuit, failure_count, last_dispatched_at }: Webhook) {
  if (!active) return 'disabled'
  if (circuit !== 'closed') return 'resting'
  if (failure_count > 0) return 'failing'
  return last_dispatched_at ? 'fine' : 'untried'
}
