import { LRUCache } from 'lru-cache'

/** Deliveries to one endpoint at a time; a slow one fills its own lane and no other. */
const LANE = 8
/** Deliveries of one workspace at a time, whatever the number of its endpoints. */
const WORKSPACE = 64
/** Deliveries at a time in this process, from the claim to the end of its completion. */
export const IN_FLIGHT = 1024
/** What endpoints may take of the two above that are slow, or that nobody knows yet. */
const SLOW_SHARE = 0.5
/** How far the first delivery of such a lane may go beyond that. */
const FIRST_SHARE = 0.75
const SLOW_MS = 1000
const KNOWN = 10_000

type Lane = { webhook_id: string; team_id: string; rested: boolean }

/**
 * How many deliveries are under way, and how many more may be: slow endpoints together never take all of the places,
 * and no lane is without one because others of its workspace are full.
 */
export function createPace() {
  const lanes = new Map<string, { count: number; movedAt: number }>()
  const workspaces = new Map<string, number>()
  /** Endpoints whose last attempt was over within a second. */
  const quick = new LRUCache<string, boolean>({ max: KNOWN })

  const isQuick = (webhook_id: string) => {
    const lane = lanes.get(webhook_id)
    return quick.get(webhook_id) === true && (!lane || performance.now() - lane.movedAt < SLOW_MS)
  }

  return {
    /** `planned` are on their way to be claimed: of all, and of this workspace. */
    roomIn: ({ webhook_id, team_id, rested }: Lane, inFlight: number, planned: number) => {
      if (rested) return 1
      const here = lanes.get(webhook_id)?.count ?? 0
      const share = isQuick(webhook_id) ? 1 : SLOW_SHARE
      const room = Math.min(
        LANE - here,
        WORKSPACE * share - planned - (workspaces.get(team_id) ?? 0),
        IN_FLIGHT * share - inFlight,
      )
      if (room > 0) return room
      return here === 0 && inFlight < IN_FLIGHT * (share === 1 ? 1 : FIRST_SHARE) ? 1 : 0
    },
    began: (webhook_id: string, team_id: string) => {
      const lane = lanes.get(webhook_id)
      if (lane) lane.count++
      else lanes.set(webhook_id, { count: 1, movedAt: performance.now() })
      workspaces.set(team_id, (workspaces.get(team_id) ?? 0) + 1)
    },
    took: (webhook_id: string, duration_ms: number) => {
      quick.set(webhook_id, duration_ms < SLOW_MS)
      const lane = lanes.get(webhook_id)
      if (lane) lane.movedAt = performance.now()
    },
    left: (webhook_id: string, team_id: string) => {
      const lane = lanes.get(webhook_id)
      if (lane && --lane.count === 0) lanes.delete(webhook_id)
      const count = (workspaces.get(team_id) ?? 0) - 1
      if (count > 0) workspaces.set(team_id, count)
      else workspaces.delete(team_id)
    },
  }
}
