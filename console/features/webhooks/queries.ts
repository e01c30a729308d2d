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
export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>) {
  if (description) return description
  const parsed = URL.parse(url)
  return parsed ? parsed.host + (parsed.pathname === '/' ? '' : parsed.pathname) : url
}

const order = ['disabled', 'resting', 'failing', 'unproven', 'fine', 'untried'] as const

/** What wants looking at comes first; what was disabled by hand is known. */
export const troubleFirst = (webhooks: Webhook[]) => {
  const rank = (webhook: Webhook) =>
    webhook.disabled_reason === 'manual' ? order.length : order.indexOf(stateOf(webhook))
  return webhooks.toSorted((a, b) => rank(a) - rank(b))
}

/** What is to be sent is counted up to so many. */
export const counted = (format: { number: (value: number) => string }, count: number) =>
  format.number(count) + (count >= 10_000 ? '+' : '')

/**
 * How an endpoint stands: `resting` while its circuit is open, `untried` until there was something to send, `unproven`
 * until something was delivered.
 */
export function stateOf(webhook: Webhook, stats?: WebhookStats) {
  const { active, circuit, failure_count, last_dispatched_at, last_failure_at } = webhook
  if (!active) return 'disabled'
  if (circuit !== 'closed') return 'resting'
  if (failure_count > 0) return 'failing'
  if (last_dispatched_at) return 'fine'
  const { waiting = 0, held = 0, exhausted = 0 } = stats ?? {}
  return last_failure_at || waiting + held + exhausted > 0 ? 'unproven' : 'untried'
}

/** Whether somebody has to look at it. Who disabled one by hand knows. */
export function needsCare(webhook: Webhook) {
  const state = stateOf(webhook)
  return state === 'failing' || state === 'resting' || (state === 'disabled' && webhook.disabled_reason !== 'manual')
}
