import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answered, queryClient, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { idOf, moment, type Search, text } from '../../ui/search'
import type { Period } from './queries'

export type Delivery = components['schemas']['Delivery']
export type DeliveryDetail = components['schemas']['DeliveryDetail']
export type AttemptEntry = DeliveryDetail['attempt_log'][number]

/** `retrying`: waits and was tried; `undelivered`: was tried, whatever is to come, and did not get through. */
export const standings = ['waiting', 'retrying', 'held', 'failed', 'undelivered', 'delivered'] as const
export type Standing = (typeof standings)[number]

/** How one stands: what was tried and waits is more than what waits for its turn. */
export const standingOf = ({ state, attempts }: Delivery) => (state === 'waiting' && attempts > 0 ? 'retrying' : state)

export const periods = ['24h', '7d', '30d'] as const satisfies Period[]

/** `since` and `until`: times in UTC; `event`: the id of one; `delivery`: the one that is open. */
export type WebhookSearch = {
  period?: Period
  state?: Standing
  type?: string
  since?: string
  until?: string
  event?: string
  delivery?: string
}
export type DeliveryFilters = Pick<WebhookSearch, 'state' | 'type' | 'since' | 'until' | 'event'>

export const noFilters = { state: undefined, type: undefined, since: undefined, until: undefined, event: undefined }

/** A time as addresses have it. */
export const timeOf = (time: Date) => `${time.toISOString().slice(0, 19)}Z`

function timeIn(value: unknown) {
  if (typeof value !== 'string' || !value.endsWith('Z')) return undefined
  return moment(value.slice(0, -1), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) && value
}

export const webhookSearch = (search: Search): WebhookSearch => ({
  period: periods.find((name) => name === search.period),
  state: standings.find((name) => name === search.state),
  ...text(search, 'type'),
  since: timeIn(search.since),
  until: timeIn(search.until),
  event: idOf(search.event),
  delivery: idOf(search.delivery),
})

const standingQuery = (standing: Standing) =>
  standing === 'retrying' ? ({ state: 'waiting', attempted: true } as const) : { state: standing }

type Page = { data: Delivery[]; next_cursor: string | null }

const PAGE = 25
/** How far the first page grows with what arrives before the log begins anew at the newest. */
const LONGEST = 300

/**
 * Newest first. Looked at again, the first page reaches as far back as before, however much has arrived since: nothing
 * leaves the end of the log while somebody reads there.
 */
export const deliveriesQuery = (workspace: string, id: string, filters: DeliveryFilters) => {
  const { state, type, since, until, event } = filters
  const queryKey = ['deliveries', workspace, id, { state, type, since, until, event }] as const
  const read = (cursor: string | null, limit: number, signal: AbortSignal): Promise<Page> =>
    answered(
      workspaceApi(workspace).GET('/api/v1/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: {
            limit,
            ...(cursor && { cursor }),
            ...(state && standingQuery(state)),
            ...(since && { since }),
            ...(until && { until }),
            ...(type && { type }),
            ...(event && { event_id: event }),
          },
        },
        signal,
      }),
    )
  /** The newest down to `last`, which pages further back go on from at `next_cursor`. */
  const readTo = async (last: Delivery, next_cursor: string, signal: AbortSignal): Promise<Page | undefined> => {
    const found: Delivery[] = []
    for (let cursor: string | null = null; found.length < LONGEST; ) {
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
      return known ?? read(pageParam, PAGE, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export const deliveryQuery = (workspace: string, id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['delivery', workspace, id, delivery_id],
    queryFn: ({ signal }) =>
      answered(
        workspaceApi(workspace).GET('/api/v1/webhooks/{id}/deliveries/{delivery_id}', {
          params: { path: { id, delivery_id } },
          signal,
        }),
      ),
  })
