import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Due } from '../../../lib/events/due-signal.ts'
import { type EndpointQueue, findDueEndpoints } from './queue.ts'
import { createRefreshSchedule } from './refresh-schedule.ts'

export type DueEndpoints = ReturnType<typeof createDueEndpoints>

type Parts = Pick<Deps, 'clock' | 'timings'> & { db: Db; scheduleRefresh: (ms: number) => void }

/**
 * The queues that have something due, as far as this process knows. Reading all of them costs more than a claim, so
 * they are read only now and then. Until then, queues that a signal reports are added. `scheduleRefresh` is called when
 * a refresh has been requested that has to wait.
 */
export function createDueEndpoints({ db, clock, timings, scheduleRefresh }: Parts) {
  const schedule = createRefreshSchedule(timings, scheduleRefresh)
  let found: EndpointQueue[] = []
  let queues = new Map<string, EndpointQueue>()
  const drained = new Set<string>()
  /** The queues reported since the last refresh began, each with the number of its last report. */
  const reported = new Map<string, { queue: EndpointQueue; report: number }>()
  let reportCount = 0
  const pauses = createPauses(clock)

  async function refresh() {
    const refreshing = schedule.begin()
    if (!refreshing) return
    reported.clear()
    const now = clock.now()
    found = await findDueEndpoints(db, now, refreshing.isFull ? [] : found)
    queues = new Map(found.map((queue) => [queue.webhook_id, queue]))
    drained.clear()
    pauses.endBefore(now)
    // These may have been committed after the query began.
    for (const { queue } of reported.values()) add(queue)
    refreshing.end()
  }

  function add(queue: EndpointQueue) {
    const known = queues.get(queue.webhook_id)
    // Only a refresh finds out whether a circuit may be probed. A queue that is not drained keeps its earlier start.
    if (known?.rested || (known && !drained.has(queue.webhook_id))) return
    queues.set(queue.webhook_id, queue)
    drained.delete(queue.webhook_id)
  }

  return {
    /** Reads the queues again when they may have changed. */
    refresh,
    /** Reports that something is due: for these webhooks, or without `due` for any. */
    markDue: (due: Due | undefined) => {
      reportCount++
      if (!due) return schedule.request()
      for (const webhook_id of due.webhook_ids) {
        const queue = { webhook_id, team_id: due.workspace_id, first_due_at: due.at, rested: false }
        reported.set(webhook_id, { queue: reported.get(webhook_id)?.queue ?? queue, report: reportCount })
        add(queue)
      }
    },
    /** Returns the number of reports so far. */
    reportCount: () => reportCount,
    /**
     * Marks that a queue had nothing more due when there had been `asOf` reports. A later report keeps it on the list.
     */
    markDrained: ({ webhook_id }: EndpointQueue, asOf: number) => {
      if ((reported.get(webhook_id)?.report ?? 0) <= asOf) drained.add(webhook_id)
    },
    /** Stops sending to an endpoint for a while: something on the way to it fails, and would fail every attempt. */
    pause: pauses.begin,
    /** Lists the queues from a random one on, so that none is always the last. */
    list: () =>
      fromRandomStart(
        [...queues.values()].filter(({ webhook_id }) => !drained.has(webhook_id) && !pauses.has(webhook_id)),
      ),
  }
}

function fromRandomStart<Item>(list: Item[]) {
  const start = Math.floor(Math.random() * list.length)
  return [...list.slice(start), ...list.slice(0, start)]
}

/** The endpoints that nothing is sent to for a while. */
function createPauses(clock: Deps['clock']) {
  const pauses = new Map<string, { from: number; end: number }>()
  return {
    begin: (webhook_id: string, ms: number) => {
      const from = clock.now().getTime()
      pauses.set(webhook_id, { from, end: from + ms })
    },
    has: (webhook_id: string) => pauses.has(webhook_id),
    /** Ends the pauses that are over, and those that the clock was set back behind. */
    endBefore: (now: Date) => {
      for (const [webhook_id, { from, end }] of pauses)
        if (now.getTime() < from || now.getTime() >= end) pauses.delete(webhook_id)
    },
  }
}
