import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { dateTimeParam, type Search, textParam, uuidParam } from '../../../ui/navigation/search-params'
import type { Period } from '../queries'

export type Delivery = components['schemas']['Delivery']
export type DeliveryDetail = components['schemas']['DeliveryDetail']
export type AttemptEntry = DeliveryDetail['attempt_log'][number]

/** `retrying`: waiting after an attempt; `undelivered`: attempted but not delivered, in any state. */
export const deliveryStatuses = ['waiting', 'retrying', 'held', 'failed', 'undelivered', 'delivered'] as const
type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The status shown: a delivery waiting after an attempt is `retrying`. */
export const deliveryStatus = ({ state, attempts }: Delivery) =>
  state === 'waiting' && attempts > 0 ? 'retrying' : state

export const statsPeriods = ['24h', '7d', '30d'] as const satisfies Period[]

/** `since`, `until`: UTC times; `event`: an event id; `delivery`: the open delivery. */
export type WebhookSearch = {
  period?: Period
  state?: DeliveryStatus
  type?: string
  since?: string
  until?: string
  event?: string
  delivery?: string
}
export type DeliveryFilters = Pick<WebhookSearch, 'state' | 'type' | 'since' | 'until' | 'event'>

export const noFilters = { state: undefined, type: undefined, since: undefined, until: undefined, event: undefined }

/** Formats a time for addresses. */
export const timeParam = (time: Date) => `${time.toISOString().slice(0, 19)}Z`

function parseTimeParam(value: unknown) {
  if (typeof value !== 'string' || !value.endsWith('Z')) return undefined
  return dateTimeParam(value.slice(0, -1), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) && value
}

export const validateWebhookSearch = (search: Search): WebhookSearch => ({
  period: statsPeriods.find((name) => name === search.period),
  state: deliveryStatuses.find((name) => name === search.state),
  ...textParam(search, 'type'),
  since: parseTimeParam(search.since),
  until: parseTimeParam(search.until),
  event: uuidParam(search.event),
  delivery: uuidParam(search.delivery),
})

const statusQuery = (standing: DeliveryStatus) =>
  standing === 'retrying' ? ({ state: 'waiting', attempted: true } as const) : { state: standing }

type Page = { data: Delivery[]; next_cursor: string | null }

const PAGE_SIZE = 25
/** The largest first page. Beyond that, the log restarts at the newest delivery. */
const MAX_DELIVERIES = 300

/**
 * Newest first. A refetched first page reaches as far back as before, however many deliveries are new. So no row
 * disappears from the end of the log while a user reads there.
 */
export const deliveriesQuery = (workspace: string, id: string, filters: DeliveryFilters) => {
  const { state, type, since, until, event } = filters
  const queryKey = ['deliveries', workspace, id, { state, type, since, until, event }] as const
  const read = (cursor: string | null, limit: number, signal: AbortSignal): Promise<Page> =>
    unwrap(
      workspaceApi(workspace).GET('/api/v1/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: {
            limit,
            ...(cursor && { cursor }),
            ...(state && statusQuery(state)),
            ...(since && { since }),
            ...(until && { until }),
            ...(type && { type }),
            ...(event && { event_id: event }),
          },
        },
        signal,
      }),
    )
  /** Reads from the newest to `last`. Older pages continue at `next_cursor`. */
  const readTo = async (last: Delivery, next_cursor: string, signal: AbortSignal): Promise<Page | undefined> => {
    const found: Delivery[] = []
    for (let cursor: string | null = null; found.length < MAX_DELIVERIES; ) {
      const page = await read(cursor, 100, signal)
      found.push(...page.data.filter((delivery) => delivery.id >= last.id))
      cursor = page.next_cursor
      if (!cursor || page.data.some((delivery) => delivery.id < last.id)) return { data: found, next_cursor }
    }
  }
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const first = pageParam ? undefined : queryClient.getQueryData<{ pages: Page[] }>(queryKey)?.pages[0]
      const last = first?.data.at(-1)
      const known = last && first?.next_cursor ? await readTo(last, first.next_cursor, signal) : undefined
      return known ?? read(pageParam, PAGE_SIZE, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export const deliveryQuery = (workspace: string, id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['delivery', workspace, id, delivery_id],
    queryFn: ({ signal }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/webhooks/{id}/deliveries/{delivery_id}', {
          params: { path: { id, delivery_id } },
          signal,
        }),
      ),
  })
