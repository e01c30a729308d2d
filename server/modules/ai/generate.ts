import { type GenerateImageResult, generateImage, generateText as textOf, streamText as textStreamOf } from 'ai'
import type { Static } from 'typebox'
import { type ErrorCode, invalid, invalidTransition, Problem, problem } from '../../errors.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { GenerationKind } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { StreamEvent } from '../../lib/http/event-stream.ts'
import type { Complete } from '../../lib/http/idempotency.ts'
import { idPattern } from '../../lib/http/schema.ts'
import { ResponseTooLarge } from '../../lib/outbound/safe-http.ts'
import { wholeCharacters } from '../../lib/text.ts'
import { keepFiles, sniff } from './files.ts'
import { finishReasons, type GeneratedText, type ImagePrompt, MAX_TEXT, type TextPrompt } from './generate.schema.ts'
import {
  CANCELED,
  completeGeneration,
  failGeneration,
  filesPath,
  markStreamed,
  running,
  startGeneration,
} from './generations.ts'
import { callableModels } from './models.ts'
import { loggable, providerProblem } from './provider-problem.ts'
import { modelFor, type ReadyModel } from './providers.ts'

/** Credits per generation. */
export const CREDITS = { text: 1, image: 5, video: 20 }
/** Time limits of a provider: for a text, for each part of a streamed text, and for the whole stream. */
export const TEXT_MS = 55_000
const SILENCE_MS = 55_000
const STREAM_MS = 300_000
/** Images take longer. The route sets this limit for their calls. */
export const IMAGE_MS = 120_000
/** Time for a node to store the outcome after the provider's time is over. */
const SETTLE_MS = 30_000
const IMAGE_BYTES = 25_000_000

export const LEFT = new Error('The client disconnected')
export const STOPPED = new Error('Meydan is stopping')
const TIMEOUT = new Error('The AI provider took too long')

/** Chooses the model: the one named in the call, or else the one that this installation prefers. */
export async function chooseModel({ db, options }: Deps, category: GenerationKind, wanted?: number | string) {
  const models = callableModels(db)
  if (wanted === undefined) {
    const active = models
      .where('category', '=', category)
      .where('is_active', '=', true)
      .where('api_type', '<>', 'embedding')
    const found =
      (await active
        .where('provider', '=', await options.get('ai.default_provider', db))
        .orderBy('ai_model.id')
        .limit(1)
        .executeTakeFirst()) ?? (await active.orderBy('ai_model.id').limit(1).executeTakeFirst())
    if (found) return found
    throw problem('no_model', { detail: `An instance admin must set up a model for ${category} first.` })
  }
  const text = String(wanted)
  const found = new RegExp(idPattern).test(text)
    ? await models.where('id_secure', '=', text).executeTakeFirst()
    : /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
      ? await models.where('ai_model.id', '=', Number(text)).executeTakeFirst()
      : undefined
  if (!found?.is_active) throw invalid('/model', 'There is no active model with this id.')
  if (found.category !== category || found.api_type === 'embedding')
    throw invalid('/model', `This model does not generate ${category}.`)
  return found
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

/** Records that a generation failed or was canceled. */
export async function settleFailure(deps: Deps, id: string, error: unknown): Promise<Problem> {
  const thrown = generationProblem(error, deps.clock.now())
  const gone = error === LEFT || error === CANCELED
  await inTransaction(deps.db, (tx) =>
    failGeneration(deps, tx, id, gone ? { state: 'canceled' } : { state: 'failed', error_code: thrown.code }),
  )
  return thrown
}

/** Rejects when the signal aborts before `promise` settles. Some packages ignore it. */
const unlessAborted = <T>(promise: PromiseLike<T>, signal: AbortSignal) =>
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
function callEnd(id: string, signals: AbortSignal[], ms: number) {
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

type GenerationSpec = { kind: 'text' | 'image'; prompt: string; credits: number; ms: number }
type Ready = { row: Chosen; model: ReadyModel; id: string }

/** Chooses a usable model and starts a generation with reserved credits. */
async function prepare(
  deps: Deps,
  caller: Member,
  wanted: number | string | undefined,
  { ms, ...spec }: GenerationSpec,
): Promise<Ready> {
  const row = await chooseModel(deps, spec.kind, wanted)
  const model = await modelFor(deps, row)
  if (!(spec.kind === 'text' ? model.language : model.image))
    throw problem('model_unusable', { detail: `Meydan cannot generate ${spec.kind}s with this provider.` })
  const leased_until = new Date(deps.clock.now().getTime() + ms + SETTLE_MS)
  const id = await inTransaction(deps.db, (tx) =>
    startGeneration(deps, tx, caller, { ...spec, model_id: row.id, leased_until }),
  )
  return { row, model, id }
}

/** Calls a provider and settles the generation. No transaction is open while the call waits for the provider. */
async function generate<Made, Answer>(
  deps: Deps,
  id: string,
  { signals, ms, complete }: { signals: AbortSignal[]; ms: number; complete: Complete },
  call: (signal: AbortSignal) => PromiseLike<Made>,
  settle: (tx: Tx, made: Made) => Promise<Answer>,
): Promise<Answer> {
  const { signal, done } = callEnd(id, signals, ms)
  try {
    const made = await unlessAborted(call(signal), signal)
    return await inTransaction(deps.db, async (tx) => {
      const answer = await settle(tx, made)
      await complete(tx, answer)
      return answer
    })
  } catch (error) {
    throw await settleFailure(deps, id, signal.aborted ? signal.reason : error)
  } finally {
    done()
  }
}

type TextInput = Static<typeof TextPrompt>
type Text = Static<typeof GeneratedText>

/** Settings of a call that generates text. */
const textCall = (model: ReadyModel, { prompt, system, max_output_tokens, temperature }: TextInput) => ({
  model: model.language ?? 'none',
  ...model.settings,
  prompt,
  ...(system && { instructions: system }),
  ...(max_output_tokens !== undefined && { maxOutputTokens: max_output_tokens }),
  ...(temperature !== undefined && { temperature }),
})

const counted = (number: number | undefined) =>
  number === undefined || !Number.isFinite(number) || number < 0 ? null : Math.min(Math.round(number), 2_147_483_647)

type Ended = {
  finishReason: string
  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined }
}

const isReason = (reason: string | undefined) =>
  ['stop', 'length', 'content-filter', 'tool-calls'].includes(reason ?? '')

/** Fields of the response beside the text. */
const textParts = ({ row, id }: Ready, { finishReason, usage }: Ended): Omit<Text, 'text'> => ({
  id,
  finish_reason: finishReasons.find((reason) => reason === finishReason) ?? 'other',
  model: shownModel(row),
  usage: { input_tokens: counted(usage.inputTokens), output_tokens: counted(usage.outputTokens) },
  credits: CREDITS.text,
})

type Run = { complete: Complete; signals: AbortSignal[] }

export async function generateText(deps: Deps, caller: Member, input: TextInput, run: Run): Promise<Text> {
  const spec = { kind: 'text' as const, prompt: input.prompt, credits: CREDITS.text, ms: TEXT_MS }
  const ready = await prepare(deps, caller, input.model, spec)
  return generate(
    deps,
    ready.id,
    { ...run, ms: TEXT_MS },
    (abortSignal) => textOf({ ...textCall(ready.model, input), abortSignal }),
    async (tx, made) => {
      if (made.text.length > MAX_TEXT) throw new ResponseTooLarge('The text is longer than requested')
      const parts = textParts(ready, { finishReason: made.finishReason, usage: made.usage })
      await completeGeneration(deps, tx, ready.id, parts.usage)
      return { ...parts, text: made.text.toWellFormed() }
    },
  )
}

/**
 * Like `generateText`, but streams. Throws errors before the first event; later errors are events. A signal ends it
 * when the reader leaves.
 */
export async function streamText(deps: Deps, caller: Member, input: TextInput, signals: AbortSignal[]) {
  const spec = { kind: 'text' as const, prompt: input.prompt, credits: CREDITS.text, ms: STREAM_MS }
  return streamedText(deps, await prepare(deps, caller, input.model, spec), input, signals)
}

async function* streamedText(
  deps: Deps,
  ready: Ready,
  input: TextInput,
  signals: AbortSignal[],
): AsyncGenerator<StreamEvent> {
  const { signal, late, done } = callEnd(ready.id, signals, STREAM_MS)
  let failure: { error: unknown } | undefined
  const characters = wholeCharacters()
  let isStreamed = false
  let hasEnded = false
  const silence = setTimeout(late, SILENCE_MS)
  try {
    const result = textStreamOf({
      ...textCall(ready.model, input),
      abortSignal: signal,
      onError: ({ error }) => {
        failure ??= { error }
      },
    })
    const iterator = result.stream[Symbol.asyncIterator]()
    let ended: Ended | undefined
    for (;;) {
      const { value: part, done } = await unlessAborted(iterator.next(), signal)
      if (done) break
      silence.refresh()
      if (part.type === 'text-delta' && part.text) {
        if (!isStreamed && !(await inTransaction(deps.db, (tx) => markStreamed(tx, ready.id)))) throw CANCELED
        isStreamed = true
        const text = characters(part.text)
        if (text) yield { event: 'delta', data: { text } }
      }
      if (part.type === 'error') throw part.error
      // A response that breaks off or is empty has no finish reason.
      if (part.type === 'finish' && (isReason(part.finishReason) || part.rawFinishReason !== undefined))
        ended = { finishReason: part.finishReason, usage: part.totalUsage }
    }
    if (failure) throw failure.error
    if (!ended) throw problem('ai_unavailable', { detail: 'The AI provider ended the response early.' })
    const parts = textParts(ready, ended)
    await inTransaction(deps.db, (tx) => completeGeneration(deps, tx, ready.id, parts.usage))
    hasEnded = true
    yield { event: 'done', data: parts }
  } catch (error) {
    if (hasEnded) return
    hasEnded = true
    const thrown = await settleFailure(deps, ready.id, signal.aborted ? signal.reason : error)
    const { code, message: detail, options } = thrown
    yield {
      event: 'error',
      data: { code, detail, ...(options.retryAfter !== undefined && { retry_after_s: options.retryAfter }) },
    }
  } finally {
    clearTimeout(silence)
    done()
    // The reader has left. The text so far is not kept.
    if (!hasEnded) await settleFailure(deps, ready.id, LEFT)
  }
}

export async function generateImages(deps: Deps, caller: Member, input: Static<typeof ImagePrompt>, run: Run) {
  const { prompt, size, n = 1 } = input
  const spec = { kind: 'image' as const, prompt, credits: CREDITS.image * n, ms: IMAGE_MS }
  const { row, model, id } = await prepare(deps, caller, input.model, spec)
  return generate(
    deps,
    id,
    { ...run, ms: IMAGE_MS },
    (abortSignal) =>
      generateImage({
        model: model.image ?? 'none',
        ...model.mediaSettings,
        prompt,
        n,
        ...(size && { size: size as `${number}x${number}` }),
        abortSignal,
      }),
    async (tx, made) => {
      const images = imagesOf(made).slice(0, n)
      const credits = CREDITS.image * images.length
      const files = await keepFiles(deps, tx, { workspace_id: caller.workspace_id, generation_id: id }, images)
      await completeGeneration(deps, tx, id, { credits })
      return {
        id,
        files: files.map((file) => ({ ...file, url: filesPath(caller) + file.id })),
        model: shownModel(row),
        credits,
      }
    },
  )
}

function imagesOf({ images }: GenerateImageResult) {
  const made = images.map(({ uint8Array: bytes }) => ({ bytes, mime: sniff(bytes) }))
  return made.map(({ bytes, mime }) => {
    if (!mime?.startsWith('image/') || bytes.length > IMAGE_BYTES)
      throw problem('ai_unavailable', { detail: 'The AI provider did not return an image.' })
    return { bytes, mime }
  })
}
