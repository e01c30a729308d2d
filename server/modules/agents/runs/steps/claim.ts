import { problem } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { hasEnded, lockRun } from '../../record/lock-run.ts'
import type { Step } from './begin-step.ts'

/** The claim of a step ended: the run was canceled, or another worker took it. */
export const SUPERSEDED = problem('invalid_transition')

/** Locks the run until the commit. Throws if the claim of this step has ended. */
export async function holdClaim(tx: Tx, { run_id, claim_id }: Pick<Step, 'run_id' | 'claim_id'>) {
  const locked = await lockRun(tx, run_id)
  if (!locked || hasEnded(locked.run) || locked.run.claim_id !== claim_id) throw SUPERSEDED
  return locked
}
