import type { Deps } from '../../deps.ts'
import { renamePayload } from '../../events.ts'
import { batches } from './batches.ts'
import { type Completed, NOT_CHARGED_WAIT_S, writeDelivered, writeTroubled } from './completion.ts'
import { endpointCache } from './endpoints.ts'
import { IDLE_POLL_MS, laneList } from './lane-list.ts'
import { type Claimed, claim, giveBack, type Room, winProbes } from './lanes.ts'
import { createPace, IN_FLIGHT } from './pace.ts'
import { sendSigned } from './send.ts'
import { startTally } from './tally.ts'

const BATCH = 200
/** What is under way may hold this much of payloads, in characters, before another batch is claimed. */
const HELD = 32_000_000
/** Written at a time at most, when more ended while the ones before were written. */
const COMPLETED = 500
/** Room that opens is gathered for this long, or until there is this much of it. */
const GATHER_MS = 3
const GATHERED = 64

/** A delivery on its way. */
type Flight = { delivery: Claimed; team_id: string; isProbe: boolean }
type Ended = Completed & { flight: Flight }

/**
 * Sends due deliveries until it is stopped. A delivery is claimed under a lease, sent, and completed; each write names
 * the claim, so a worker that comes back late changes nothing.
 */
export function startDispatcher(deps: Deps, { isInTime = () => true }: { isInTime?: () => boolean } = {}) {
  const { clock, log, bell } = deps
  const { db } = deps.workerDatabase
  const pace = createPace()
  const endpoints = endpointCache(deps)
  const tally = startTally(deps)
  /** Webhooks that failed here and whose next success has not been noted yet. */
  const failing = new Set<string>()
  const drained = Promise.withResolvers<void>()
  let inFlight = 0
  let held = 0
  let stopped = false

  const lanes = laneList({ db, clock, onSoon: (ms) => runIn(ms) })

  /** How many may be claimed of which lane. */
  function roomIn(most: number) {
    const planned = new Map<string, number>()
    const rooms: Room[] = []
    let total = 0
    for (const lane of lanes.due()) {
      if (total >= most) break
      const ofWorkspace = planned.get(lane.team_id) ?? 0
      const room = pace.roomIn(lane, inFlight + total, ofWorkspace)
      if (room === 0) continue
      planned.set(lane.team_id, ofWorkspace + room)
      total += room
      rooms.push({ lane, room, isProbe: false })
    }
    return rooms
  }

  /** Of lanes whose circuit has rested, keeps those that this node may probe. */
  async function withProbes(rooms: Room[]) {
    const rested = rooms.filter(({ lane }) => lane.rested)
    if (rested.length === 0) return rooms
    const asOf = lanes.heard()
    for (const { lane } of rested) lanes.ranDry(lane, asOf)
    const won = await winProbes(
      db,
      rested.map(({ lane }) => lane.webhook_id),
      clock.now(),
    )
    return rooms
      .filter(({ lane }) => !lane.rested || won.includes(lane.webhook_id))
      .map((room) => ({ ...room, isProbe: room.lane.rested }))
  }

  /** Claims and sends once. Answers whether there may be more to claim at once. */
  async function pass() {
    // By a wrong clock the leases of others would have ended.
    if (!isInTime()) return false
    await lanes.look()
    const most = Math.min(BATCH, IN_FLIGHT - inFlight)
    if (most <= 0 || held >= HELD || stopped) return false
    const rooms = await withProbes(roomIn(most))
    if (rooms.length === 0) return false
    const asOf = lanes.heard()
    const claimed = await claim(db, rooms, most, clock.now())
    inFlight += claimed.length
    for (const { payload } of claimed) held += payload.length
    const of = new Map<string, number>()
    for (const { webhook_id } of claimed) of.set(webhook_id, (of.get(webhook_id) ?? 0) + 1)
    const laneOf = new Map<string, Room>()
    const unused: string[] = []
    let asked = 0
    for (const room of rooms) {
      const { lane } = room
      const came = of.get(lane.webhook_id) ?? 0
      asked += room.room
      laneOf.set(lane.webhook_id, room)
      if (came < room.room && claimed.length < most) lanes.ranDry(lane, asOf)
      if (room.isProbe && came === 0) unused.push(lane.webhook_id)
    }
    const flights = claimed.flatMap((delivery): Flight[] => {
      const room = laneOf.get(delivery.webhook_id)
      return room ? [{ delivery, team_id: room.lane.team_id, isProbe: room.isProbe }] : []
    })
    for (const { delivery, team_id } of flights) pace.began(delivery.webhook_id, team_id)
    try {
      await endpoints.prepare(claimed)
      if (unused.length > 0) await giveBack(db, [], unused, clock.now())
    } catch (err) {
      for (const flight of flights) land(flight)
      throw err
    }
    for (const flight of flights) stopped ? broken(flight) : void fly(flight)
    return asked >= most
  }

  const leave = ({ delivery, team_id }: Flight) => pace.left(delivery.webhook_id, team_id)
  const arrive = (flights: { delivery: Claimed }[]) => {
    inFlight -= flights.length
    for (const { delivery } of flights) held -= delivery.payload.length
    if (stopped && inFlight === 0 && !isRunning) drained.resolve()
  }
  const land = (flight: Flight) => {
    leave(flight)
    arrive([flight])
  }

  // What could not be written stays leased, and is sent again when the lease runs out.
  const unwritten = (err: unknown) => log.error({ err }, 'webhook deliveries were not completed')
  const delivered = batches<Ended>({
    most: COMPLETED,
    write: (batch) => writeDelivered(deps, batch),
    settled: (batch) => {
      arrive(batch)
      opened(batch.length)
    },
    failed: unwritten,
  })
  const troubled = batches<Ended>({
    most: BATCH,
    write: async (batch) => {
      await writeTroubled(deps, batch)
      // Circuits may have closed.
      if (batch.some(({ sent }) => sent.ok)) lanes.hear(undefined)
    },
    settled: (batch) => {
      for (const { flight } of batch) land(flight)
      opened(GATHERED)
    },
    failed: unwritten,
  })
  const broken = batches<Flight>({
    most: BATCH,
    write: (batch) =>
      giveBack(
        db,
        batch.map(({ delivery }) => delivery),
        batch.filter(({ isProbe }) => isProbe).map(({ delivery }) => delivery.webhook_id),
        clock.now(),
      ),
    settled: (batch) => {
      for (const flight of batch) land(flight)
    },
    failed: unwritten,
  })

  async function fly(flight: Flight) {
    const { delivery, isProbe } = flight
    const { webhook_id } = delivery
    const endpoint = endpoints.of(webhook_id)
    if (!endpoint) return land(flight)
    const at = clock.now()
    const body = renamePayload(delivery.payload, delivery.event_type, delivery.type)
    const sent = await sendSigned(deps, { endpoint, event_id: delivery.event_id, body })
    // Broken off by our own stop: nobody knows how it would have ended, so it does not count.
    if (stopped && sent.error !== null) return broken(flight)
    tally.add(webhook_id, at, sent)
    pace.took(webhook_id, sent.duration_ms)
    if (sent.charged === false) lanes.rest(webhook_id, NOT_CHARGED_WAIT_S * 1000)
    const ended = { delivery, sent, at, isProbe, flight }
    if (sent.ok && !delivery.failing && !failing.has(webhook_id)) {
      leave(flight)
      opened(1)
      return delivered(ended)
    }
    if (sent.ok) failing.delete(webhook_id)
    else failing.add(webhook_id)
    // Its place in the lane stays taken until the failure is written: by then a circuit may be open.
    troubled(ended)
  }

  let room = 0
  let timer: NodeJS.Timeout | undefined
  const runIn = (ms: number) => {
    timer ??= setTimeout(() => void run(), ms)
  }
  /** Room has opened: claims soon, for as much of it as comes together. */
  const opened = (count: number) => {
    if (stopped) return
    room += count
    if (room >= GATHERED) void run()
    else runIn(GATHER_MS)
  }

  let isRunning = false
  let isAsked = false
  /** Claims and sends while there is something due and room for it. */
  async function run() {
    clearTimeout(timer)
    timer = undefined
    isAsked = true
    if (isRunning) return
    isRunning = true
    try {
      while (isAsked && !stopped) {
        isAsked = false
        room = 0
        if (await pass()) isAsked = true
      }
    } catch (err) {
      if (!stopped) log.warn({ err }, 'webhook deliveries could not be claimed')
    } finally {
      isRunning = false
      if (stopped && inFlight === 0) drained.resolve()
    }
  }

  const silence = bell.onRing((due) => {
    lanes.hear(due)
    runIn(due ? GATHER_MS : 0)
  })
  const poll = setInterval(() => void run(), IDLE_POLL_MS)
  void run()

  return {
    /** Stops claiming, and resolves when what is in flight has ended. */
    stop: async () => {
      stopped = true
      silence()
      clearInterval(poll)
      clearTimeout(timer)
      if (inFlight > 0 || isRunning) await drained.promise
      await tally.stop()
    },
  }
}
