import { sql } from 'kysely'
import { HOUR } from '../../../../shared/time.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import { storableJson } from '../../../lib/text.ts'
import {
  type Failure,
  NetworkFault,
  type Preparation,
  type Prepare,
  type RunStep,
  type Step,
} from '../../networks/network.ts'

/** Step of publishing a target. `begun`: it runs, or its outcome is unknown. */
export type StepEntry = {
  name: string
  state: 'begun' | 'done'
  begun_at: string
  /** Time at which a step began that a person confirmed later. */
  sent_at?: string
  part?: number
  intent?: unknown
  /** Hash of what a preparation was made from. */
  from?: string
  /** A run ended without an outcome, so a later one may find that the first has arrived. */
  is_lost?: boolean
  /** The network still works on what this step sent. */
  is_processing?: boolean
  /** The response was a rate limit. A gateway can give it to a call that arrived, so it is looked up before the next. */
  is_limited?: boolean
  /** Time at which the network reported that it has nothing of this step. */
  absent_at?: string
  result?: unknown
}

/** Another worker has taken over this attempt, so nothing more is sent. */
export class Superseded extends Error {}

/** Time that a network gets to process what it received. */
const PROCESSING_MS = 2 * HOUR

type StoredSteps = { id: string; attempt_id: string; steps: string; published_parts: number }

/** Steps that begin in one transaction. */
const MAX_BATCH = 30

/** Whether the attempt of these steps is still the current one. It may send something only once this has committed. */
const storeSteps = batched({
  max: MAX_BATCH,
  keyOf: ({ id }: StoredSteps) => id,
  // Targets that others have locked are left out: waiting for one would delay all.
  together: async ({ db }: Deps, stored) => {
    const columns = { id: 'uuid', attempt_id: 'uuid', steps: 'text', published_parts: 'int' } as const
    const rows = await db
      .with(
        'stored',
        () => sql<StoredSteps>`(
          select listed.* from ${rowsOf(stored, columns, 'listed')}
          cross join lateral (
            select from post_target as target
            where target.id = listed.id and target.attempt_id = listed.attempt_id
              and status in ('publishing', 'unconfirmed')
            for update skip locked
          ) as free)`,
      )
      .updateTable('post_target')
      .from('stored')
      .set({ steps: sql`stored.steps::jsonb`, published_parts: sql`stored.published_parts` })
      .whereRef('post_target.id', '=', 'stored.id')
      .returning('post_target.id')
      .execute()
    return new Map(rows.map(({ id }) => [id, true]))
  },
  alone: async ({ db }, { id, attempt_id, ...values }) => {
    const { numUpdatedRows } = await db
      .updateTable('post_target')
      .set(values)
      .where('id', '=', id)
      .where('attempt_id', '=', attempt_id)
      .where(sql<boolean>`status in ('publishing', 'unconfirmed')`)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
})

export type StepJournal = {
  entries: StepEntry[]
  /** Whether a step was done in this attempt. */
  hasProgress: () => boolean
  step: RunStep
  prepare: Prepare
}

/**
 * Runs the steps of one target. Before each run one statement commits that it begins, with the results of those before.
 * Only the first of a target is not committed if it can be repeated: its attempt is committed already. Posts of agents and
 * of queues commit it too, because stopping the agent or pausing the queue overtakes an attempt that has sent nothing.
 * `refusal`: the reason why nothing more may be sent.
 */
export function createStepJournal(
  deps: Deps,
  { target, id }: { target: { id: string; steps: StepEntry[]; is_recallable: boolean }; id: string },
  refusal: Failure | undefined,
): StepJournal {
  const entries: StepEntry[] = structuredClone(target.steps)
  let hasProgress = false

  const commit = async () => {
    const steps = JSON.stringify(entries)
    const published_parts = publishedParts(entries)
    const isStored = await storeSteps(deps, { id: target.id, attempt_id: id, steps, published_parts })
    if (!isStored) throw new Superseded('Another attempt has begun.')
  }
  /** Commits that a step begins. It has not run yet, so an error here means that nothing was sent. */
  const begin = async (entry: StepEntry, isNew: boolean) => {
    try {
      await commit()
    } catch (cause) {
      if (isNew) remove(entry)
      if (cause instanceof Superseded) throw cause
      deps.log.error({ err: cause }, 'a step of publishing could not be stored')
      throw new NetworkFault({ kind: 'unavailable', message: UNEXPECTED }, { cause })
    }
  }
  const remove = (entry: StepEntry) => {
    entries.splice(entries.indexOf(entry), 1)
  }
  const find = (name: string) => entries.find((entry) => entry.name === name)
  const discard = (names: readonly string[]) => {
    for (const name of names.flatMap((each) => [each, processedName(each)])) {
      const entry = find(name)
      if (entry) remove(entry)
    }
  }
  const complete = <Result>(entry: StepEntry, made: Result) => {
    hasProgress = true
    const result = storableJson(made)
    const { name, begun_at, part, from } = entry
    const kept = { ...(part !== undefined && { part }), ...(from !== undefined && { from }) }
    const done: StepEntry = { name, state: 'done', begun_at, ...kept, result }
    entries.splice(entries.indexOf(entry), 1, done)
    return result
  }

  const step = async <Result, Intent>(
    name: string,
    declared: Step<Intent, Result> & { from?: string },
  ): Promise<Result> => {
    const { intent, run, ifLost, part, from, discards = [] } = declared
    const known = find(name)
    // The journal returns what this step has stored in it.
    if (known?.state === 'done' && !isUnknown(known, declared)) return known.result as Result
    const lookUp = async (entry: StepEntry) =>
      typeof ifLost === 'object'
        ? lookedUp(() => ifLost.find(entry.intent as Intent, new Date(entry.sent_at ?? entry.begun_at)))
        : 'absent'
    if (known?.state === 'done') {
      const found = await lookUp(known)
      if (found !== 'absent') return complete(known, found)
      throw new NetworkFault({ kind: 'unavailable', message: CONFIRMED_BUT_ABSENT })
    }
    if (known?.is_limited && refusal) {
      remove(known)
      throw new NetworkFault(refusal)
    }
    if (known && !known.is_processing) {
      if (!known.is_limited) known.is_lost = true
      // An earlier version committed none for this step.
      if (intent && known.intent === undefined) known.intent = await intentOf(intent)
      const found = await lookUp(known)
      if (found !== 'absent') return complete(known, found)
      requireRepeatable(deps, known, ifLost)
    }
    if (refusal) throw new NetworkFault(refusal)
    // A repetition sends what the post has become since.
    const made = intent && { intent: await intentOf(() => intent(known?.intent as Intent | undefined)) }
    const entry: StepEntry = known ?? {
      name,
      state: 'begun',
      begun_at: deps.clock.now().toISOString(),
      ...(part !== undefined && { part }),
      ...(from !== undefined && { from }),
    }
    Object.assign(entry, made)
    if (!known) entries.push(entry)
    const isRepeatable = entries.length === 1 && ifLost === 'repeat' && intent === undefined
    const isCommitted = isRepeatable && !target.is_recallable
    if (!isCommitted) await begin(entry, !known)
    try {
      return complete(entry, await run(entry.intent as Intent))
    } catch (thrown) {
      const failure = failureOf(deps, thrown, 'unconfirmed')
      if (failure.kind === 'failed' && ifLost !== 'repeat') {
        // An earlier run may have arrived since it was looked up, and be the reason.
        const found = await lookUp(entry)
        if (found !== 'absent') return complete(entry, found)
      }
      const settledFailure = settled(failure, entry, declared)
      if (failure.kind === 'failed') discard(discards)
      throw new NetworkFault(settledFailure, { cause: thrown })
    }
  }

  const prepare = async <Made, Ready>(
    name: string,
    { from, make, ready, keptMs = Number.POSITIVE_INFINITY, discards = [] }: Preparation<Made, Ready>,
  ): Promise<Made | Ready> => {
    const hash = sha256(JSON.stringify(from))
    const known = find(name)
    const isUsable = known?.from === hash && deps.clock.now().getTime() - Date.parse(known.begun_at) <= keptMs
    if (!isUsable) discard([name])
    const made = await step(name, { run: make, ifLost: 'repeat', from: hash, discards })
    if (!ready) return made
    try {
      return await step(processedName(name), { run: () => ready(made), ifLost: 'repeat' })
    } catch (thrown) {
      // The network has given it up.
      if (thrown instanceof NetworkFault && thrown.failure.kind === 'failed') discard([name, ...discards])
      throw thrown
    }
  }

  /** Decides what stays of a step that failed. Returns the failure that counts for the target. */
  function settled(
    failure: Failure,
    entry: StepEntry,
    { ifLost, part }: Pick<Step<never, unknown>, 'ifLost' | 'part'>,
  ): Failure {
    const { kind, message } = failure
    if (kind === 'processing') {
      entry.is_processing = true
      if (deps.clock.now().getTime() - Date.parse(entry.begun_at) < PROCESSING_MS) return failure
      remove(entry)
      return { kind: 'failed', code: 'processing_timeout', message: `${message} The network took more than two hours.` }
    }
    if (kind === 'unconfirmed') {
      entry.is_lost = true
      delete entry.is_limited
      if (ifLost === 'ask') return { ...failure, needs_resolution: true }
      // Nothing that readers see can have come of it.
      return ifLost === 'repeat' && part === undefined ? { ...failure, kind: 'unavailable' } : failure
    }
    // The key of the run is kept, so that what arrived is found.
    if (kind === 'unavailable' && failure.is_limited && typeof ifLost === 'object' && ifLost.ifAbsent === 'repeat') {
      entry.is_limited = true
      return failure
    }
    // A run that was lost may still arrive, so the step keeps its intent.
    if (kind === 'failed' || !entry.is_lost) remove(entry)
    return failure
  }

  return { entries, hasProgress: () => hasProgress, step, prepare }
}

const processedName = (name: string) => `processed ${name}`

const intentOf = (make: () => unknown) => certain(async () => storableJson(await make()))

/** Nothing was sent yet, so a lost response has had no effect. */
async function certain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NetworkFault && thrown.failure.kind === 'unconfirmed')
      throw new NetworkFault({ ...thrown.failure, kind: 'unavailable' }, { cause: thrown })
    throw thrown
  }
}

/** Without a clear response to a lookup, nothing is known. */
async function lookedUp<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault)) throw thrown
    const is_unauthorized = thrown.failure.kind === 'unauthorized'
    throw new NetworkFault({ ...thrown.failure, kind: 'unconfirmed', is_unauthorized }, { cause: thrown })
  }
}

/** Throws unless a step that the network does not show can be run again now. */
function requireRepeatable(
  { clock, timings: { postAbsence } }: Deps,
  entry: StepEntry,
  ifLost: 'repeat' | 'ask' | { ifAbsent: 'repeat' | 'wait' | 'ask' },
) {
  const ifAbsent = typeof ifLost === 'object' ? ifLost.ifAbsent : ifLost
  if (ifAbsent === 'repeat') return
  const message = 'The response was lost, and the network does not show the post.'
  if (ifAbsent === 'ask') throw new NetworkFault({ kind: 'unconfirmed', message, needs_resolution: true })
  const now = clock.now()
  entry.absent_at ??= now.toISOString()
  const waited = now.getTime() - Date.parse(entry.absent_at)
  if (waited < postAbsence)
    throw new NetworkFault({ kind: 'unconfirmed', message, retry_after_s: (postAbsence - waited) / 1000 })
  delete entry.absent_at
}

/** Whether a person confirmed a step, and the network can be asked for its result. */
const isUnknown = ({ result, intent }: StepEntry, { ifLost }: { ifLost: unknown }) =>
  result === null && intent !== undefined && typeof ifLost === 'object'

const CONFIRMED_BUT_ABSENT = 'A member found the post on the network, which does not show it to Meydan.'

/** Names no detail: the text of an internal error can quote what nobody else may see. */
const UNEXPECTED = 'An unexpected error stopped publishing. The log of Meydan has its details.'

/** Whether nobody knows what became of a step. */
export const isUnsettled = ({ state, is_processing, is_limited }: StepEntry) =>
  state === 'begun' && !is_processing && !is_limited
/** Whether `isUnsettled` holds for any step of a column, in a statement. */
export const hasUnsettled = (steps: `${string}.steps`) =>
  sql<boolean>`jsonb_path_exists(${sql.ref(steps)}, '$[*] ? (@.state == "begun" && !(@.is_processing == true) && !(@.is_limited == true))')`

/** Failures are thrown as faults. Any other error is unexpected; `kind`: what it leaves open. */
export function failureOf(deps: Deps, thrown: unknown, kind: 'unconfirmed' | 'unavailable'): Failure {
  if (thrown instanceof Superseded) throw thrown
  if (thrown instanceof NetworkFault) return thrown.failure
  deps.log.error({ err: thrown }, 'a network failed unexpectedly')
  return { kind, message: UNEXPECTED }
}

/** Parts that readers see: those up to the last one that is done. */
export const publishedParts = (entries: readonly StepEntry[]) =>
  Math.max(0, ...entries.map(({ state, part }) => (state === 'done' && part !== undefined ? part + 1 : 0)))
