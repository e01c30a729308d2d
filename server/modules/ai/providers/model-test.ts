import type { Static } from 'typebox'
import { problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import type { AiModelTest } from '../models/models.schema.ts'
import { type CallableModel, readCallableModel } from '../models/models.ts'
import { providerProblem } from './provider-problem.ts'
import { modelFor, type ReadyModel } from './providers.ts'

const PROMPT = 'Reply with one short sentence: which model are you?'
const IMAGE_PROMPT = 'A plain blue circle on white'
const TOKENS = 64
const TEXT_MS = 15_000
/** Even the fastest sometimes take longer than 15 seconds. */
const IMAGE_MS = 45_000
const MAX_TEXT = 20_000

type ModelResponse = { text: string | null; usage: Static<typeof AiModelTest>['usage'] }
/** Some providers report no usage, and some packages turn that into NaN. */
const usageOf = (input: number | undefined, output?: number) =>
  Number.isFinite(input) || Number.isFinite(output) ? { input_tokens: input || 0, output_tokens: output || 0 } : null

/** Some protocols make every field optional, so any JSON passes for a response. */
class NothingSaid extends Error {}

async function callModel(
  { aiFetch }: Pick<Deps, 'aiFetch'>,
  model: CallableModel,
  ready: ReadyModel,
  prompt: string | undefined,
  abortSignal: AbortSignal,
): Promise<ModelResponse> {
  const { embed, generateImage, generateText } = await import('ai')
  if (ready.language) {
    const { text, usage, finishReason } = await generateText({
      ...ready.settings,
      model: ready.language,
      prompt: prompt ?? PROMPT,
      maxOutputTokens: Math.min(ready.settings.maxOutputTokens ?? TOKENS, TOKENS),
      abortSignal,
    })
    if (text === '' && finishReason === 'other')
      throw new NothingSaid('The response has neither a text nor a reason for its absence')
    return { text: text.toWellFormed().slice(0, MAX_TEXT), usage: usageOf(usage.inputTokens, usage.outputTokens) }
  }
  if (ready.embedding) {
    const { maxRetries, providerOptions } = ready.mediaSettings
    const { usage } = await embed({
      model: ready.embedding,
      value: prompt ?? PROMPT,
      maxRetries,
      ...(providerOptions && { providerOptions }),
      abortSignal,
    })
    return { text: null, usage: usageOf(usage.tokens) }
  }
  if (ready.image) {
    await generateImage({
      ...ready.mediaSettings,
      model: ready.image,
      prompt: prompt ?? IMAGE_PROMPT,
      ...(model.model_key === 'dall-e-2' && { size: '256x256' as const }),
      abortSignal,
    })
    return { text: null, usage: null }
  }
  await checkKey(aiFetch, ready, abortSignal)
  return { text: null, usage: null }
}

/** A video costs too much for a test. Listing the models shows whether the key is accepted. */
async function checkKey(fetch: Deps['aiFetch'], { endpoint }: ReadyModel, signal: AbortSignal) {
  const url = `${endpoint.base_url}/models`
  const response = await fetch(url, { headers: endpoint.headers, signal })
  if (!response.ok) {
    const { APICallError } = await import('ai')
    throw new APICallError({
      message: 'The list of models',
      url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: { 'retry-after': response.headers.get('retry-after') ?? '' },
      responseBody: await response.text(),
    })
  }
  await response.json()
}

/**
 * Calls a model once, without retries, and reports the outcome. It is no generation: it costs no credits and works for
 * inactive models.
 */
export async function testModel(
  deps: Deps,
  caller: User,
  id: string,
  prompt: string | undefined,
  gone: AbortSignal,
  complete: Complete,
): Promise<Static<typeof AiModelTest>> {
  const { db, clock } = deps
  const model = await readCallableModel(db, id)
  const ready = await modelFor(deps, model)
  const { key_source, key_last4 } = ready
  const late = AbortSignal.timeout(model.category === 'image' ? IMAGE_MS : TEXT_MS)
  // Loaded here, so that it does not count as time of the provider.
  await import('ai')
  const begun = performance.now()
  const outcome = await callModel(deps, model, ready, prompt, AbortSignal.any([gone, late])).then(
    (response) => ({ ok: true, ...response, error_code: null, detail: null, retry_after_s: null }),
    (error: unknown) => {
      const { code, detail, retry_after_s } = providerProblem(error, clock.now())
      return { ok: false, text: null, usage: null, error_code: code, detail, retry_after_s }
    },
  )
  if (gone.aborted && !outcome.ok)
    throw problem('unavailable', { detail: 'The client disconnected before the test ended.' })
  const response = { ...outcome, latency_ms: Math.round(performance.now() - begun), key_source, key_last4 }
  await inTransaction(db, async (tx) => {
    await audit(tx, { ...caller, workspace_id: null }, 'ai_model.tested', model.id_secure, {
      name: model.name,
      ok: outcome.ok,
      error_code: outcome.error_code,
      key_source,
    })
    await complete(tx, response)
  })
  return response
}
