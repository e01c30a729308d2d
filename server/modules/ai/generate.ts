import { type ErrorCode, invalid, invalidTransition, Problem, problem } from '../../errors.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { GenerationKind } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Complete } from '../../lib/http/idempotency.ts'
import { isId } from '../../lib/http/schema/schema.ts'
import { CANCELED, type Charge, failGeneration, running, startGeneration, type Used } from './generations.ts'
import { activeModels, callableModels } from './models/models.ts'
import { imageCost, maxOutputTokens, maxTextCost } from './models/prices.ts'
import { loggable, mayBeBilled, providerProblem } from './providers/provider-problem.ts'
import { modelFor, type ReadyModel } from './providers/providers.ts'

/** Credits per generation. */
export const CREDITS = { text: 1, image: 5, video: 20 }
/** Time of a call before and after the provider is called. */
export const MARGIN_MS = 30_000
/** Time for a node to store the outcome after the provider's time is over. */
const SETTLE_MS = 30_000

export const LEFT = new Error('The client disconnected')
export const STOPPED = new Error('Meydan is stopping')
const TIMEOUT = new Error('The AI provider took too long')

/** Chooses the model: the one named in the call, or else the one that this installation prefers. */
export async function chooseModel({ db, options }: Deps, category: GenerationKind, wanted?: number | string) {
  const models = callableModels(db)
  if (wanted === undefined) {
    const active = activeModels(db, category).limit(1)
    const model =
      (await active.where('provider', '=', await options.get('ai.default_provider', db)).executeTakeFirst()) ??
      (await active.executeTakeFirst())
    if (model) return model
    throw problem('no_model', { detail: `An instance admin must set up a model for ${category} first.` })
  }
  const text = String(wanted)
  const model = isId(text)
    ? await models.where('id_secure', '=', text).executeTakeFirst()
    : /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
      ? await models.where('ai_model.id', '=', Number(text)).executeTakeFirst()
      : undefined
  if (!model?.is_active) throw invalid('/model', 'There is no active model with this id.')
  if (model.category !== category || model.api_type === 'embedding')
    throw invalid('/model', `This model does not generate ${category}.`)
  return model
}

type Chosen = Awaited<ReturnType<typeof chooseModel>>
export const shownModel = ({ id, id_secure, name }: Chosen) => ({ id, id_secure, name })

const codes: Record<ReturnType<typeof providerProblem>['code'], ErrorCode> = {
  unauthorized: 'model_key_refused',
  forbidden: 'model_key_refused',
  not_found: 'model_unusable',
  refused_url: 'model_unusable',
  bad_request: 'ai_refused',
  rate_limited: 'ai_rate_limited',
  vendor_error: 'ai_unavailable',
  timeout: 'ai_unavailable',
  unreachable: 'ai_unavailable',
  garbage: 'ai_unavailable',
}

/** Maps a failed provider call to a problem. Never includes keys, headers or bodies. */
export function generationProblem(error: unknown, now: Date): Problem {
  if (error instanceof Problem) return error
  if (error === STOPPED)
    return problem('unavailable', { detail: 'Meydan was stopped before a response arrived. Try again in a moment.' })
  if (error === CANCELED || error === LEFT) return invalidTransition('canceled', 'finish a generation')
  if (error === TIMEOUT) return problem('ai_unavailable', { detail: 'The AI provider took too long.', retryAfter: 5 })
  const { code, detail, retry_after_s } = providerProblem(error, now)
  return problem(codes[code], {
    ...(detail && { detail }),
    ...(codes[code] === 'ai_rate_limited' && { retryAfter: Math.min(retry_after_s ?? 10, 86_400) }),
    cause: loggable(error),
  })
}

type Progress = {
  /** Whether the provider was not called yet. */
  isUncalled?: boolean
  /** Whether the provider certainly worked: it responded, or it started a video. */
  isMade?: boolean
  /** Tokens and cost that it reported before the failure. */
  used?: Used | undefined
}

/** Records that a generation failed or was canceled. */
export async function settleFailure(
  deps: Deps,
  id: string,
  error: unknown,
  { isUncalled = false, isMade = false, used }: Progress = {},
): Promise<Problem> {
  const thrown = generationProblem(error, deps.clock.now())
  const gone = error === LEFT || error === CANCELED
  // A provider bills a call also when nobody waits for its response.
  const isBilled = isMade || (!isUncalled && (error === TIMEOUT || error === STOPPED || mayBeBilled(error)))
  await inTransaction(deps.db, (tx) =>
    failGeneration(deps, tx, id, {
      used,
      ...(gone
        ? { state: 'canceled' as const, isUncalled }
        : { state: 'failed' as const, error_code: thrown.code, isBilled }),
    }),
  )
  return thrown
}

/** Rejects when the signal aborts before `promise` settles. Some packages ignore it. */
export const unlessAborted = <T>(promise: PromiseLike<T>, signal: AbortSignal) =>
  new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).then(
      () => signal.removeEventListener('abort', abort),
      () => undefined,
    )
  })

/** Signal that ends a provider call: cancellation, disconnected client, stop of this node, or time limit. */
export function callEnd(id: string, signals: AbortSignal[], ms: number) {
  const canceled = new AbortController()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(TIMEOUT), ms)
  running.set(id, canceled)
  return {
    signal: AbortSignal.any([canceled.signal, late.signal, ...signals]),
    late: () => late.abort(TIMEOUT),
    done: () => {
      clearTimeout(timer)
      running.delete(id)
    },
  }
}

type GenerationSpec = {
  kind: 'text' | 'image'
  prompt: string
  credits: number
  ms: number
  /** Size of everything that the model reads, if it is more than the prompt. */
  bytes?: number
  /** Maximum of output tokens, if it is another than that of the model. */
  max_tokens?: number | undefined
  images?: number
  /** Whether the model gets an image too, which only chats take. */
  withImage?: boolean
  charge?: Charge | undefined
}
export type PreparedGeneration = { row: Chosen; model: ReadyModel; id: string }

/** Chooses a usable model and starts a generation, for which its credits and the most that it may cost are reserved. */
export async function prepareGeneration(
  deps: Deps,
  caller: Member,
  wanted: number | string | undefined,
  { ms, withImage, charge, bytes, max_tokens, images, ...spec }: GenerationSpec,
): Promise<PreparedGeneration> {
  const row = await chooseModel(deps, spec.kind, wanted)
  if (withImage && row.api_type !== 'chat') throw invalid('/model', 'This model does not accept images.')
  const model = await modelFor(deps, row)
  if (!(spec.kind === 'text' ? model.language : model.image))
    throw problem('model_unusable', { detail: `Meydan cannot generate ${spec.kind}s with this provider.` })
  const leased_until = new Date(deps.clock.now().getTime() + ms + SETTLE_MS)
  const sent = {
    bytes: bytes ?? Buffer.byteLength(spec.prompt),
    images: withImage ? 1 : 0,
    max_tokens: maxOutputTokens(row, max_tokens),
  }
  const cost = spec.kind === 'text' ? maxTextCost(row, sent) : imageCost(row, images ?? 1)
  const id = await inTransaction(deps.db, (tx) =>
    startGeneration(deps, tx, caller, { ...spec, cost, ...(charge && { charge }), model_id: row.id, leased_until }),
  )
  return { row, model, id }
}

export type RunOptions = { complete: Complete; signals: AbortSignal[]; charge?: Charge }

/**
 * Calls a provider and settles the generation. No transaction is open while the call waits for the provider. `call` hands
 * over what the provider reported as soon as it has responded, so that this is kept whatever fails afterwards.
 */
export async function callAndSettle<Made, Settled>(
  deps: Deps,
  id: string,
  { signals, ms, complete }: RunOptions & { ms: number },
  call: (signal: AbortSignal, responded: (used: Used) => void) => PromiseLike<Made>,
  settle: (tx: Tx, made: Made) => Promise<Settled>,
): Promise<Settled> {
  const { signal, done } = callEnd(id, signals, ms)
  let isUncalled = true
  let used: Used | undefined
  try {
    signal.throwIfAborted()
    isUncalled = false
    const responded = (reported: Used) => {
      used = reported
    }
    const result = await unlessAborted(call(signal, responded), signal)
    return await inTransaction(deps.db, async (tx) => {
      const settled = await settle(tx, result)
      await complete(tx, settled)
      return settled
    })
  } catch (error) {
    // Shown to the caller like a failure of the provider, which it is not.
    const isMade = used !== undefined
    if (isMade && !signal.aborted && error instanceof Error && !(error instanceof Problem))
      deps.log.error({ err: error, generation_id: id }, 'a generation could not be stored')
    throw await settleFailure(deps, id, signal.aborted ? signal.reason : error, { isUncalled, isMade, used })
  } finally {
    done()
  }
}
