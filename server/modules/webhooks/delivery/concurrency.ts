import { LRUCache } from 'lru-cache'
import type { EndpointQueue } from './queue.ts'

const MAX_PER_ENDPOINT = 8
const MAX_PER_WORKSPACE = 64
/** Deliveries in flight in this process, from the claim until the result is saved. */
export const MAX_IN_FLIGHT = 1024
/** Share of the two limits above that slow and unknown endpoints can use. */
const SLOW_SHARE = 0.5
/** Share that the first delivery to such an endpoint can use. */
const FIRST_SHARE = 0.75
const SLOW_MS = 1000
const MAX_KNOWN = 10_000

type Queue = Pick<EndpointQueue, 'webhook_id' | 'team_id' | 'rested'>

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Limits concurrent deliveries per endpoint, per workspace and in all. Slow endpoints together never use all slots, and
 * every endpoint gets one even if others of its workspace use all of theirs.
 */
export function createLimiter() {
  const endpoints = new Map<string, { count: number; movedAt: number }>()
  const workspaces = new Map<string, number>()
  /** Endpoints whose last attempt took less than a second. */
  const quick = new LRUCache<string, boolean>({ max: MAX_KNOWN })

  const isQuick = (webhook_id: string) => {
    const known = endpoints.get(webhook_id)
    return quick.get(webhook_id) === true && (!known || performance.now() - known.movedAt < SLOW_MS)
  }

  return {
    /**
     * Returns how many more deliveries may be claimed from a queue. `inFlight` and `planned` include those about to be
     * claimed: of this process, and of the workspace.
     */
    freeSlots: ({ webhook_id, team_id, rested }: Queue, inFlight: number, planned: number) => {
      if (rested) return 1
      const here = endpoints.get(webhook_id)?.count ?? 0
      const share = isQuick(webhook_id) ? 1 : SLOW_SHARE
      const slots = Math.min(
        MAX_PER_ENDPOINT - here,
        MAX_PER_WORKSPACE * share - planned - (workspaces.get(team_id) ?? 0),
        MAX_IN_FLIGHT * share - inFlight,
      )
      if (slots > 0) return slots
      return here === 0 && inFlight < MAX_IN_FLIGHT * (share === 1 ? 1 : FIRST_SHARE) ? 1 : 0
    },
    acquire: (webhook_id: string, team_id: string) => {
      const known = endpoints.get(webhook_id)
      if (known) known.count++
      else endpoints.set(webhook_id, { count: 1, movedAt: performance.now() })
      workspaces.set(team_id, (workspaces.get(team_id) ?? 0) + 1)
    },
    recordDuration: (webhook_id: string, duration_ms: number) => {
      quick.set(webhook_id, duration_ms < SLOW_MS)
      const known = endpoints.get(webhook_id)
      if (known) known.movedAt = performance.now()
    },
    release: (webhook_id: string, team_id: string) => {
      const known = endpoints.get(webhook_id)
      if (known && --known.count === 0) endpoints.delete(webhook_id)
      const count = (workspaces.get(team_id) ?? 0) - 1
      if (count > 0) workspaces.set(team_id, count)
      else workspaces.delete(team_id)
    },
  }
}
