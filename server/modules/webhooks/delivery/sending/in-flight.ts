import { MAX_IN_FLIGHT } from '../concurrency.ts'
import type { Claimed } from '../queue.ts'

/** No further batch is claimed while the payloads in flight hold this many characters. */
const MAX_PAYLOAD_CHARS = 32_000_000

/** A delivery from its claim until its result is saved. */
export type Flight = { delivery: Claimed; team_id: string; isProbe: boolean }

export type InFlight = ReturnType<typeof createInFlight>

/** Counts the deliveries in flight in this process, and the size of their payloads. */
export function createInFlight() {
  let count = 0
  let payloadChars = 0
  let drain: PromiseWithResolvers<void> | undefined

  return {
    count: () => count,
    /** Returns how many more may be claimed now. */
    freeSlots: () => (payloadChars < MAX_PAYLOAD_CHARS ? MAX_IN_FLIGHT - count : 0),
    add: (claimed: readonly Claimed[]) => {
      count += claimed.length
      for (const { payload } of claimed) payloadChars += payload.length
    },
    remove: (ended: readonly { delivery: Claimed }[]) => {
      count -= ended.length
      for (const { delivery } of ended) payloadChars -= delivery.payload.length
      if (count === 0) drain?.resolve()
    },
    /** Resolves as soon as nothing is in flight. */
    drained: () => {
      if (count === 0) return Promise.resolve()
      drain ??= Promise.withResolvers<void>()
      return drain.promise
    },
  }
}
