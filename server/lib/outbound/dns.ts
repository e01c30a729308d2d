import dns, { type LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

export type Lookup = (hostname: string, options: dns.LookupAllOptions, callback: Callback) => void

export class LookupTimedOut extends Error {
  readonly code = 'lookup_timed_out'
  /** Whether the name itself was at fault, and not the queue of other lookups. */
  readonly silent: boolean
  constructor(hostname: string, silent: boolean) {
    super(`The lookup of ${hostname} timed out`)
    this.silent = silent
  }
}

/** State of a name: its last lookup timed out, it was not looked up recently, or its last lookup ended in time. */
const SILENT = 0
const UNKNOWN = 1
const RESPONDING = 2
type Kind = typeof SILENT | typeof UNKNOWN | typeof RESPONDING

/**
 * Maximum simultaneous lookups: of silent names, of silent and unknown ones, and of all. libuv uses half of its threads
 * for lookups (`widenThreads`); the rest of that half is for the database and the mail server.
 */
const AT_ONCE: Record<Kind, number> = [3, 8, 12]
const TIMEOUT_MS = 4000
const NAMES = 10_000

type Flight = { hostname: string; kind: Kind; running: boolean; waiters: Set<Callback> }

/**
 * Looks names up so that slow ones do not hold up others. A system lookup cannot be cancelled and may take half a
 * minute, so it occupies its slot until it has really ended, even when no caller waits for it any more. A name uses one
 * slot for all its callers. Silent or unknown names cannot occupy all slots.
 */
export function createLookup({ lookup = dns.lookup as Lookup, timeoutMs = TIMEOUT_MS, atOnce = AT_ONCE } = {}): Lookup {
  const flights = new Map<string, Flight>()
  const queues: Record<Kind, Flight[]> = [[], [], []]
  const running: Record<Kind, number> = [0, 0, 0]
  const known = new LRUCache<string, Kind>({ max: NAMES })

  const hasPlace = (kind: Kind) =>
    (kind > SILENT || running[SILENT] < atOnce[SILENT]) &&
    (kind > UNKNOWN || running[SILENT] + running[UNKNOWN] < atOnce[UNKNOWN]) &&
    running[SILENT] + running[UNKNOWN] + running[RESPONDING] < atOnce[RESPONDING]

  function startNext() {
    for (const kind of [RESPONDING, UNKNOWN, SILENT] as const) {
      const queue = queues[kind]
      while (queue.length > 0 && hasPlace(kind)) {
        const flight = queue.shift()
        if (flight?.waiters.size) start(flight)
        else if (flight) flights.delete(flight.hostname)
      }
    }
  }

  function start(flight: Flight) {
    const { hostname, kind, waiters } = flight
    const since = performance.now()
    flight.running = true
    running[kind]++
    lookup(hostname, { all: true }, (error, addresses) => {
      running[kind]--
      flights.delete(hostname)
      known.set(hostname, performance.now() - since < timeoutMs ? RESPONDING : SILENT)
      for (const callback of waiters) callback(error, addresses)
      startNext()
    })
  }

  return (hostname, _options, callback) => {
    let flight = flights.get(hostname)
    if (!flight) {
      flight = { hostname, kind: known.get(hostname) ?? UNKNOWN, running: false, waiters: new Set() }
      flights.set(hostname, flight)
      queues[flight.kind].push(flight)
    }
    const { waiters } = flight
    const { kind } = flight
    const whole: Callback = (error, addresses) => {
      clearTimeout(timer)
      callback(error, addresses)
    }
    const timer = setTimeout(() => {
      waiters.delete(whole)
      const ran = flights.get(hostname)?.running ?? false
      if (ran) known.set(hostname, SILENT)
      callback(new LookupTimedOut(hostname, ran || kind === SILENT), [])
    }, timeoutMs)
    waiters.add(whole)
    startNext()
  }
}
