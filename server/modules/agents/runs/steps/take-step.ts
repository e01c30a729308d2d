import { Problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { type Finding, usedBy, verdictOf } from '../../drafts/checks.ts'
import { type CheckedDraft, writeDraft } from '../../drafts/write-draft.ts'
import { chargeTo, refusedBy } from '../../record/budget.ts'
import { hasEnded, lockRun } from '../../record/lock-run.ts'
import { isFailReason, type RunReason } from '../../record/run-status.ts'
import { markUsed, noteRefusal } from '../../sources/material.ts'
import { refreshSourcesOfRun } from '../../sources/reading/refresh-sources.ts'
import { finishRun } from '../finishing/finish-run.ts'
import { claimNextStep, enqueueStep } from '../run-queue.ts'
import { addPicture, isForPicture, leaveOut, nextPicture, pictureReasonOf } from './add-picture.ts'
import { beginStep, type Step } from './begin-step.ts'
import { holdClaim, SUPERSEDED } from './claim.ts'
import { placePost } from './place-post.ts'
import { settleItem } from './settle-item.ts'

/** Times that a run waits for a provider that cannot respond now. */
const MAX_WAITS = 3
const WAIT_S = 60
/** Seconds until a step is tried again because its workspace had no generation free. */
const FREE_S = 10
const PASSING = ['ai_rate_limited', 'ai_unavailable', 'unavailable', 'invalid_transition']
const MAX_WAIT_S = 3600

/** The last search of this process. Each begins after the one before: all would wait for one lock, with a connection each. */
let lastClaim: Promise<unknown> = Promise.resolve()

/** Takes the step whose turn it is, if any waits. `job`: the id of the job that does. */
export async function takeNextStep(deps: Deps, job: string) {
  const claim = lastClaim.then(() => claimNextStep(deps, job))
  lastClaim = claim.catch(() => undefined)
  const run_id = await claim
  if (run_id !== undefined) await takeStep(deps, { run_id })
}

/** Takes the next step of a run: one call of a model, and what follows from its text or picture. */
export async function takeStep(deps: Deps, { run_id }: { run_id: string }) {
  await refreshSourcesOfRun(deps, run_id)
  const step = await beginStep(deps, run_id)
  if (!step) return
  try {
    await (isForPicture(step) ? addPicture(deps, step) : write(deps, step))
  } catch (error) {
    if (error !== SUPERSEDED) await settleFailedCall(deps, step, error)
  }
}

function write(deps: Deps, step: Step) {
  const { item, correction } = step
  const charge = chargeTo(step.agent_id, deps.clock.now())
  const options = { correction, signals: [], complete: async () => undefined, charge }
  return writeDraft(deps, step.member, step, options, async (tx, checked, generation_id) => {
    await holdClaim(tx, step)
    const findings = withTrust(item.checks, checked.findings)
    await settle(deps, tx, step, { ...checked, findings }, generation_id)
  })
}

/** Findings with those about sources of the attempts before: their texts led to this one. */
function withTrust(before: readonly Finding[], findings: readonly Finding[]) {
  const isNoted = findings.some(({ code }) => code === 'untrusted_source')
  return isNoted ? [...findings] : [...findings, ...before.filter(({ code }) => code === 'untrusted_source')]
}

/** Decides what becomes of a draft, in the transaction that ends its generation. */
async function settle(deps: Deps, tx: Tx, step: Step, { draft, findings }: CheckedDraft, generation_id: string) {
  const { item } = step
  const generation_ids = [...item.generation_ids, generation_id]
  const outcome = await outcomeOf(deps, tx, step, { draft, findings, attempts: generation_ids.length })
  const written = { generation_ids, draft: JSON.stringify(draft), checks: JSON.stringify(findings) }
  await settleItem(deps, tx, step, { ...outcome, ...written }, generation_id)
}

async function outcomeOf(
  deps: Deps,
  tx: Tx,
  step: Step,
  { draft, findings, attempts }: CheckedDraft & { attempts: number },
) {
  if (draft?.skip_reason) return { status: 'blocked' as const, reason: 'nothing_new' }
  const verdict = verdictOf(findings, attempts)
  if (verdict === 'retry') return { status: 'writing' as const }
  if (verdict === 'block' || !draft) {
    await noteRefusal(tx, step.run_id, step.checks.material)
    return { status: 'blocked' as const, reason: findings[0]?.code ?? 'unreadable' }
  }
  await markUsed(tx, step.run_id, usedBy(draft, step.checks.material))
  const next = nextPicture(step, draft)
  if (next && next.picture !== 'left_out') return { status: 'writing' as const, ...next }
  return { ...(await placePost(deps, tx, step, { draft, isDoubtful: verdict === 'review' })), ...next }
}

/** Returns the reason with which a problem ends the run. undefined: the call can succeed later. */
function reasonOf(error: unknown, waits: number): RunReason | undefined {
  // A lost connection to the database, for example. Credits are returned, so trying again costs nothing.
  if (!(error instanceof Problem)) return waits < MAX_WAITS ? undefined : 'error'
  if (error.code === 'limit_exceeded') return refusedBy(error) ? 'agent_budget' : 'budget'
  if (error.code === 'no_model') return 'no_model'
  // A generation that a member canceled, or that was ended as interrupted because its worker seemed dead.
  if (error.code === 'invalid_transition' && error.options.extra?.state !== 'failed') return 'canceled'
  // The workspace makes as many texts as it may at a time, or others reserve what is left of the budget: the run waits for
  // its turn, however long that takes.
  if (error.code === 'too_many_requests') return undefined
  const isPassing = PASSING.includes(error.code)
  if (isPassing && waits < MAX_WAITS) return undefined
  return isFailReason(error.code) ?? (isPassing ? 'ai_unavailable' : 'error')
}

const isBusy = (error: unknown) => error instanceof Problem && error.code === 'too_many_requests'

/** Seconds until the next attempt. */
function waitOf(error: unknown) {
  if (isBusy(error)) return FREE_S
  if (!(error instanceof Problem)) return WAIT_S
  return Math.min(error.options.retryAfter ?? WAIT_S, MAX_WAIT_S)
}

/** Ends the run, keeps a text without its picture, or waits for the provider. The credits are back. */
async function settleFailedCall(deps: Deps, step: Step, error: unknown) {
  if (!(error instanceof Problem)) deps.log.error({ err: error, run_id: step.run_id }, 'a run of an agent failed')
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRun(tx, step.run_id)
    if (!locked || hasEnded(locked.run) || locked.run.claim_id !== step.claim_id) return
    const reason = reasonOf(error, locked.run.attempts)
    if (reason !== undefined && isForPicture(step))
      return leaveOut(deps, tx, step, pictureReasonOf(step, error, reason))
    if (reason !== undefined) return finishRun(deps, tx, locked, reason, refusedBy(error))
    const now = deps.clock.now()
    await tx
      .updateTable('agent_run')
      .set({ attempts: locked.run.attempts + (isBusy(error) ? 0 : 1) })
      .where('id', '=', step.run_id)
      .execute()
    await enqueueStep(tx, locked.run, { now, at: new Date(now.getTime() + waitOf(error) * 1000) })
  })
}
