import { queryOptions, useQuery } from '@tanstack/react-query'
import { allPages, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { useWorkspace } from '../workspaces/queries'

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
        unwrap(
          workspaceApi(workspace).GET('/api/v1/webhooks', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** One webhook, with the ETag that a change sends back. */
export const webhookQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['webhook', workspace, id],
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/webhooks/{id}', { params: { path: { id } } })),
  })

export const statsQuery = (workspace: string, id: string, period: Period) =>
  queryOptions({
    queryKey: ['webhook-stats', workspace, id, period],
    queryFn: () =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/webhooks/{id}/stats', { params: { path: { id }, query: { period } } }),
      ),
  })

/** The types change only with the version of Meydan. */
export const eventTypesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['event-types', workspace],
    queryFn: async () => (await unwrap(workspaceApi(workspace).GET('/api/v1/webhooks/event-types'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The webhook's description, else its host and path. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>) {
  if (description) return description
  const parsed = URL.parse(url)
  return parsed ? parsed.host + (parsed.pathname === '/' ? '' : parsed.pathname) : url
}

const healthOrder = ['disabled', 'resting', 'failing', 'unproven', 'fine', 'untried'] as const

/** Sorts by urgency. Users know of manual disables, so these are last. */
export const failingFirst = (webhooks: Webhook[]) => {
  const rank = (webhook: Webhook) =>
    webhook.disabled_reason === 'manual' ? healthOrder.length : healthOrder.indexOf(webhookHealth(webhook))
  return webhooks.toSorted((a, b) => rank(a) - rank(b))
}

/** Meydan counts to 10,000: adds a + from there. */
export const formatCount = (format: { number: (value: number) => string }, count: number) =>
  format.number(count) + (count >= 10_000 ? '+' : '')

/**
 * The health of an endpoint: `resting` while its circuit is open, `untried` until there is something to send,
 * `unproven` until the first success.
 */
export function webhookHealth(webhook: Webhook, stats?: WebhookStats) {
  const { active, circuit, failure_count, last_dispatched_at, last_failure_at } = webhook
  if (!active) return 'disabled'
  if (circuit !== 'closed') return 'resting'
  if (failure_count > 0) return 'failing'
  if (last_dispatched_at) return 'fine'
  const { waiting = 0, held = 0, exhausted = 0 } = stats ?? {}
  return last_failure_at || waiting + held + exhausted > 0 ? 'unproven' : 'untried'
}

/** Whether a user has to act. Users know of a manual disable. */
export function needsAttention(webhook: Webhook) {
  const state = webhookHealth(webhook)
  return state === 'failing' || state === 'resting' || (state === 'disabled' && webhook.disabled_reason !== 'manual')
}

/** The webhooks that fail. It sends no request, so it is 0 until a page has loaded the webhooks. */
export const useFailingWebhookCount = () =>
  (useQuery({ ...webhooksQuery(useWorkspace().slug), enabled: false }).data ?? []).filter(needsAttention).length
