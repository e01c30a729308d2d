import type { Deps } from '../../deps.ts'
import type { Db } from '../../lib/database.ts'
import type { Due } from '../../lib/wake.ts'
import { dueLanes, type Lane } from './lanes.ts'

/** Lanes are looked up this often, and this soon after a ring that does not say for whom. */
export const IDLE_POLL_MS = 250
const RUNG_POLL_MS = 20
/** Looking them up takes no more than one part in so many of the time. */
const LOOK_SHARE = 5
/** A look does not go on from the one before this often, so that what was committed late is found as well. */
const WHOLE_LOOK_MS = 5000

/**
 * The lanes that have something due, as far as this process knows. All of them are looked up now and then, because that
 * costs more than a claim; what somebody tells of meanwhile is put on the list. `onSoon` is called when a look that is
 * wanted has to wait.
 */
export function laneList({ db, clock, onSoon }: { db: Db; clock: Deps['clock']; onSoon: (ms: number) => void }) {
  let lanes = new Map<string, Lane>()
  const dry = new Set<string>()
  /** What was told since the last look began, and when: counted. */
  const told = new Map<string, { lane: Lane; count: number }>()
  let count = 0
  /** Until when nothing is sent. */
  const resting = new Map<string, number>()
  let found: Lane[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  let lookedWholeAt = Number.NEGATIVE_INFINITY
  let lookTook = 0
  let isRung = false

  async function look() {
    const start = performance.now()
    const age = start - lookedAt
    const soonest = Math.max(RUNG_POLL_MS, lookTook * LOOK_SHARE)
    if (age < IDLE_POLL_MS && !(isRung && age >= soonest)) {
      if (isRung) onSoon(soonest - age)
      return
    }
    isRung = false
    told.clear()
    const now = clock.now()
    const isWhole = start - lookedWholeAt >= WHOLE_LOOK_MS
    found = await dueLanes(db, now, isWhole ? [] : found)
    if (isWhole) lookedWholeAt = start
    lanes = new Map(found.map((lane) => [lane.webhook_id, lane]))
    dry.clear()
    for (const [webhook_id, until] of resting) if (until <= now.getTime()) resting.delete(webhook_id)
    // It may have been committed after the look.
    for (const { lane } of told.values()) add(lane)
    lookedAt = performance.now()
    lookTook = lookedAt - start
  }

  function add(lane: Lane) {
    const known = lanes.get(lane.webhook_id)
    // Whether a circuit may be probed is for the next look to say; what is due already stays first.
    if (known?.rested || (known && !dry.has(lane.webhook_id))) return
    lanes.set(lane.webhook_id, lane)
    dry.delete(lane.webhook_id)
  }

  return {
    /** Looks up the lanes when they may have changed. */
    look,
    /** undefined: something is due, nobody knows for whom. */
    hear: (due: Due | undefined) => {
      count++
      if (!due) isRung = true
      else
        for (const webhook_id of due.webhook_ids) {
          const lane = { webhook_id, team_id: due.workspace_id, first: due.at, rested: false }
          told.set(webhook_id, { lane: told.get(webhook_id)?.lane ?? lane, count })
          add(lane)
        }
    },
    /** How much was heard so far. */
    heard: () => count,
    /** Nothing more was due in this lane when so much had been heard. */
    ranDry: ({ webhook_id }: Lane, asOf: number) => {
      if ((told.get(webhook_id)?.count ?? 0) <= asOf) dry.add(webhook_id)
    },
    /** Something between here and the endpoint fails, so that many attempts would only say the same. */
    rest: (webhook_id: string, ms: number) => resting.set(webhook_id, clock.now().getTime() + ms),
    /** Begins anywhere, so that no lane is always the last. */
    due: () => {
      const list = [...lanes.values()].filter(({ webhook_id }) => !dry.has(webhook_id) && !resting.has(webhook_id))
      const start = Math.floor(Math.random() * list.length)
      return [...list.slice(start), ...list.slice(0, start)]
    },
  }
}
