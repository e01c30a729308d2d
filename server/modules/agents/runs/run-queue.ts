import type { Tx } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'

/**
 * Steps of runs at the same time, on all nodes. Fewer than a worker has jobs, so that publishing and mails go on. All
 * runs of a workspace are in one lane, and each step goes to the end of its lane, so that no run holds up others.
 */
const LANES = 8

const laneOf = (workspace_id: string) => `agents:${Number.parseInt(workspace_id.slice(-4), 16) % LANES}`

type Options = {
  runAt?: Date
  /** Leaves a waiting step at its place. */
  keepsRunAt?: boolean
}

/** Adds the next step of a run, in the transaction of the one before. */
export const enqueueStep = (tx: Tx, run: { id: string; workspace_id: string }, options: Options = {}) =>
  addJob(
    tx,
    'take-agent-step',
    { run_id: run.id },
    { key: `agent-run:${run.id}`, queue: laneOf(run.workspace_id), ...options },
  )
