import type { Deps } from '../../../../lib/deps.ts'
import { createBatchWriter } from '../../../../lib/runtime/concurrency/batch-writer.ts'
import type { RunLoop } from '../../../../lib/runtime/concurrency/run-loop.ts'
import type { Limiter } from '../concurrency.ts'
import type { DueEndpoints } from '../due-endpoints.ts'
import { releaseClaims } from '../queue.ts'
import type { Flight, InFlight } from '../sending/in-flight.ts'

import { type Completed, saveFailures, saveSuccesses } from './results.ts'

/** The largest batches. They are only reached when more deliveries end than are saved at the same time. */
const MAX_SUCCESS_BATCH = 500
const MAX_FAILURE_BATCH = 200

type Ended = Completed & { flight: Flight }

type Parts = {
  deps: Deps
  dueEndpoints: DueEndpoints
  limiter: Limiter
  inFlight: InFlight
  loop: RunLoop
}

export type ResultWriters = ReturnType<typeof createResultWriters>

/** Saves in batches how deliveries ended, frees their slots, and has the loop claim others. */
export function createResultWriters({ deps, dueEndpoints, limiter, inFlight, loop }: Parts) {
  /** Ends a flight without a result. The delivery stays as it is in the database. */
  const finish = (flight: Flight) => {
    limiter.release(flight.delivery.webhook_id, flight.team_id)
    inFlight.remove([flight])
  }
  // Deliveries whose results could not be saved stay claimed, and are sent again when the lease ends.
  const failed = (err: unknown) => deps.outageLog.report(err, 'the results of webhook deliveries could not be saved')

  const writeSuccess = createBatchWriter<Ended>({
    max: MAX_SUCCESS_BATCH,
    write: (batch) => saveSuccesses(deps, batch),
    settled: (batch) => {
      inFlight.remove(batch)
      loop.gather(batch.length)
    },
    failed,
  })
  const saveFailure = createBatchWriter<Ended>({
    max: MAX_FAILURE_BATCH,
    write: async (batch) => {
      await saveFailures(deps, batch)
      // A success may have closed a circuit, so that more is due.
      if (batch.some(({ sent }) => sent.ok)) dueEndpoints.markDue(undefined)
    },
    settled: (batch) => {
      for (const { flight } of batch) finish(flight)
      loop.run()
    },
    failed,
  })
  const release = createBatchWriter<Flight>({
    max: MAX_FAILURE_BATCH,
    write: (batch) =>
      releaseClaims(
        deps.workerDatabase.db,
        batch.map(({ delivery }) => delivery),
        batch.filter(({ isProbe }) => isProbe).map(({ delivery }) => delivery.webhook_id),
        deps.clock.now(),
      ),
    settled: (batch) => {
      for (const flight of batch) finish(flight)
    },
    failed,
  })

  return {
    finish,
    /** Saves a success of a healthy endpoint. Its slot is free at once: nothing in the result can open a circuit. */
    saveSuccess: (ended: Ended) => {
      limiter.release(ended.delivery.webhook_id, ended.flight.team_id)
      loop.gather(1)
      writeSuccess(ended)
    },
    /** Saves a failure, or a success after one. Its slot stays taken until then, because a circuit may open by it. */
    saveFailure,
    /** Gives a delivery that was claimed back unchanged, for another node to send. */
    release,
  }
}
