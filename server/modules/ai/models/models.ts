import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound, problem } from '../../../errors.ts'
import { audit, changedFields, pickFields } from '../../../lib/db/audit.ts'
import { contains } from '../../../lib/db/contains.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { AiModel as AiModelTable, GenerationKind } from '../../../lib/db/database-types.ts'
import { type Order, type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { toMicros, usdOf } from '../../../lib/money.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import type { Provider } from '../../options/catalogue.ts'
import { parseApiKey } from '../../options/option-types.ts'
import { readModelKeys, type SecretState, setModelKey } from '../../options/secrets.ts'
import type { ActiveFilters, AiModelChanges, aiModelFilters, NewAiModel } from './models.schema.ts'
import type { Prices } from './prices.ts'
import { receiverOf } from './provider-urls.ts'

type ModelRow = Pick<Selectable<AiModelTable>, 'id' | 'provider' | 'model_key' | 'category' | 'api_type'> & {
  api_params: unknown
}

/** Fields needed to call a model. */
export type CallableModel = ModelRow & {
  /** Option that stores its own key, sealed. */
  key_id: string | null
  sealed_key: string | null
}

type Row = Omit<Selectable<AiModelTable>, 'api_params' | 'meta' | keyof Prices> & {
  [Price in `${keyof Prices}_usd`]: number | null
} & {
  api_params: Record<string, unknown>
  meta: Record<string, unknown>
}

const OPEN_BYTES = 16_384

const defaults = { max_tokens: 1024, temperature: 0.7 }

const offers: Record<Provider, { apiTypes: readonly string[]; categories: readonly string[] }> = {
  openai: { apiTypes: ['chat', 'completion', 'embedding'], categories: ['text', 'image'] },
  anthropic: { apiTypes: ['chat'], categories: ['text'] },
  google: { apiTypes: ['chat', 'embedding'], categories: ['text', 'image', 'video'] },
  xai: { apiTypes: ['chat'], categories: ['text', 'image', 'video'] },
  mistral: { apiTypes: ['chat', 'embedding'], categories: ['text'] },
  ollama: { apiTypes: ['chat', 'completion', 'embedding'], categories: ['text', 'image'] },
  custom: { apiTypes: ['chat', 'completion', 'embedding'], categories: ['text', 'image'] },
}

const columns = [
  'ai_model.id',
  'ai_model.id_secure',
  'ai_model.provider',
  'ai_model.model_key',
  'ai_model.name',
  'ai_model.category',
  'ai_model.type',
  'ai_model.api_type',
] as const
const priceColumns = [
  usdOf<number | null>(sql`ai_model.input_price`).as('input_price_usd'),
  usdOf<number | null>(sql`ai_model.output_price`).as('output_price_usd'),
  usdOf<number | null>(sql`ai_model.image_price`).as('image_price_usd'),
  usdOf<number | null>(sql`ai_model.video_second_price`).as('video_second_price_usd'),
] as const
const ownColumns = [
  'ai_model.is_active',
  'ai_model.api_params',
  'ai_model.meta',
  ...priceColumns,
  'ai_model.created_at',
  'ai_model.updated_at',
  'ai_model.version',
] as const

const modelsWithKeys = (db: Db) =>
  db
    .selectFrom('ai_model')
    .leftJoin('option', (join) => join.on('option.key', '=', sql<string>`'ai-model-' || ai_model.id || '_api-key'`))

/**
 * Models with what a call needs. One statement reads address and key, so that during a change no key goes to the wrong
 * address.
 */
export const callableModels = (db: Db) =>
  modelsWithKeys(db).selectAll('ai_model').select(['option.id as key_id', 'option.secret as sealed_key'])

/** Models that generate this without being named, those of the lowest id first. */
export const activeModels = (db: Db, category: GenerationKind) =>
  callableModels(db)
    .where('category', '=', category)
    .where('is_active', '=', true)
    .where('api_type', '<>', 'embedding')
    .orderBy('ai_model.id')

/** Models that can be asked for structured output, those of the lowest id first. */
export const activeChatModels = (db: Db) =>
  callableModels(db)
    .where('category', '=', 'text')
    .where('api_type', '=', 'chat')
    .where('is_active', '=', true)
    .orderBy('ai_model.id')

export const readCallableModel = (db: Db, id: string) =>
  callableModels(db).where(byId(id)).executeTakeFirstOrThrow(notFound)

/** Models as admins see them. */
const models = (db: Db) =>
  modelsWithKeys(db)
    .select([...columns, ...ownColumns])
    .select([
      sql<{
        set: boolean
        last4: string | null
      }>`json_build_object('set', option.id is not null, 'last4', option.last4)`.as('api_key'),
    ])
    .$castTo<Row & { api_key: SecretState }>()

const MAX_INTEGER = 2_147_483_647

const newestFirst: Order<'id'> = {
  by: { id: 'ai_model.id' },
  direction: 'desc',
  decode: (text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_INTEGER ? [text] : undefined),
}

type Filters = { [K in keyof typeof aiModelFilters]?: Static<(typeof aiModelFilters)[K]> }

export function listModels(db: Db, { provider, category, is_active, search, ...cut }: PageInput & Filters) {
  const found = models(db)
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider as Provider))
    .$if(category !== undefined, (query) => query.where('category', '=', category ?? 'text'))
    .$if(is_active !== undefined, (query) => query.where('is_active', '=', is_active === true))
    .$if(Boolean(search), (query) =>
      query.where((where) =>
        where.or([contains('ai_model.name', search ?? ''), contains('ai_model.model_key', search ?? '')]),
      ),
    )
  return page(found, newestFirst, cut)
}

export function listActiveModels(
  db: Db,
  { category, ...cut }: PageInput & { category?: Static<(typeof ActiveFilters)['category']> },
) {
  const active = db
    .selectFrom('ai_model')
    .select(columns)
    .where('is_active', '=', true)
    .$if(category !== undefined, (query) => query.where('category', '=', category ?? 'text'))
  return page(active, newestFirst, cut)
}

/** Condition for `id` or `id_secure`. */
const byId = (id: string) => {
  if (id.includes('-')) return sql<boolean>`ai_model.id_secure = ${id}::uuid`
  return sql<boolean>`ai_model.id = ${id}::bigint`
}

export const readModel = (db: Db, id: string) => models(db).where(byId(id)).executeTakeFirstOrThrow(notFound)

const lockModel = (tx: Tx, id: string) =>
  tx
    .selectFrom('ai_model')
    .select([...columns, ...ownColumns])
    .where(byId(id))
    .forNoKeyUpdate()
    .$castTo<Row>()
    .executeTakeFirstOrThrow(notFound)

const secretName = /^(x[-_])?(api[-_]?key|authorization|auth[-_]?token|access[-_]?token|token|secret|password|bearer)$/i

/** Checks what schemas cannot express. */
function validateModel(
  { aiUrlRules }: Pick<Deps, 'aiUrlRules'>,
  model: Pick<ModelRow, 'provider' | 'model_key' | 'category' | 'api_type'> & {
    api_params: Record<string, unknown>
    meta: Record<string, unknown>
  },
) {
  const { provider, model_key, category, api_type, api_params } = model
  for (const name of ['api_params', 'meta'] as const) {
    if (Buffer.byteLength(JSON.stringify(model[name])) > OPEN_BYTES)
      throw invalid(`/${name}`, 'This must not be larger than 16 KB as JSON.', 'too_long')
    const secret = Object.keys(model[name]).find((key) => secretName.test(key))
    if (secret)
      throw invalid(
        `/${name}/${secret}`,
        'This field is visible to every instance admin. Set the key with PUT /ai-models/{id}/api-key.',
      )
  }
  const { base_url } = api_params
  if (typeof base_url === 'string') {
    const refused = refusedUrl(base_url, aiUrlRules) ?? refusedParts(base_url)
    if (refused)
      throw problem('url_not_allowed', {
        detail: refused,
        errors: [{ pointer: '/api_params/base_url', code: 'url_not_allowed', message: refused }],
      })
  } else if (provider === 'custom')
    throw invalid(
      '/api_params/base_url',
      'A model of the provider custom requires the base URL of its server.',
      'required',
    )
  if (provider === 'google' && category === 'image' && !model_key.startsWith('gemini-'))
    throw invalid('/model_key', 'Only image models of google whose keys begin with gemini- are supported.')
  if (!offers[provider].categories.includes(category))
    throw invalid('/category', `${provider} offers no ${category} models.`)
  if (category === 'text' && !offers[provider].apiTypes.includes(api_type))
    throw invalid('/api_type', `${provider} offers no ${api_type} models.`)
}

const noPrices = {
  input_price_usd: null,
  output_price_usd: null,
  image_price_usd: null,
  video_second_price_usd: null,
}

/** Prices as they are stored. A text costs what its input and its output cost, so half of them would be wrong. */
function pricesOf(input: Pick<Row, keyof typeof noPrices>): Prices {
  const microsOf = (field: keyof typeof noPrices) => {
    const usd = input[field]
    return usd === null ? null : toMicros(usd, `/${field}`)
  }
  if ((input.input_price_usd === null) !== (input.output_price_usd === null))
    throw invalid(
      input.input_price_usd === null ? '/input_price_usd' : '/output_price_usd',
      'Set the prices of input and of output tokens, or neither.',
    )
  return {
    input_price: microsOf('input_price_usd'),
    output_price: microsOf('output_price_usd'),
    image_price: microsOf('image_price_usd'),
    video_second_price: microsOf('video_second_price_usd'),
  }
}

/** A key is set for one receiver. A person who can only change the address must not redirect the key. */
async function assertSameReceiver(tx: Tx, before: Row, after: Pick<Row, 'provider' | 'api_params'>) {
  const receiver = receiverOf(before)
  if (receiverOf(after) === receiver || !(await readModelKeys(tx, [before.id])).has(before.id)) return
  const hasMoved = before.api_params.base_url !== after.api_params.base_url
  throw invalid(
    hasMoved ? '/api_params/base_url' : '/provider',
    `The API key of this model was set for ${receiver}. Remove it first, then set the key for the new base URL.`,
  )
}

/** The path of a call is appended to the URL. */
function refusedParts(text: string) {
  const { search, hash } = new URL(text)
  if (search || hash || /[?#]/.test(text)) return 'The URL must not have a query or a fragment.'
}

const auditedFields = [
  'provider',
  'model_key',
  'name',
  'category',
  'type',
  'is_active',
  'api_type',
  'api_params',
  'meta',
  'input_price_usd',
  'output_price_usd',
  'image_price_usd',
  'video_second_price_usd',
] as const

export function createModel(deps: Deps, caller: User, input: Static<typeof NewAiModel>) {
  const { category = 'text', api_type = 'chat', type = null, is_active = true, meta = {} } = input
  const { provider, model_key, name } = input
  const api_params = { ...defaults, ...input.api_params }
  const prices = pricesOf({ ...noPrices, ...input })
  validateModel(deps, { provider, model_key, category, api_type, api_params, meta })
  return inTransaction(deps.db, async (tx) => {
    const { id } = await tx
      .insertInto('ai_model')
      .values({
        ...{ provider, model_key, name, category, type, is_active, api_type },
        api_params: JSON.stringify(api_params),
        meta: JSON.stringify(meta),
        ...prices,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const model = await readModel(tx, String(id))
    await audit(tx, { ...caller, workspace_id: null }, 'ai_model.created', model.id_secure, {
      after: pickFields(model, auditedFields),
    })
    return model
  })
}

export const changeModel = (
  deps: Deps,
  caller: User,
  id: string,
  input: Static<typeof AiModelChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const row = await lockModel(tx, id)
    ifMatch(row.version)
    const api_params = input.api_params ? { ...defaults, ...input.api_params } : row.api_params
    const after = Object.assign({}, row, input, { api_params })
    validateModel(deps, after)
    const prices = pricesOf(after)
    await assertSameReceiver(tx, row, after)
    const changed = auditedFields.filter((field) => !isDeepStrictEqual(after[field], row[field]))
    if (changed.length === 0) return readModel(tx, String(row.id))
    const { provider, model_key, name, category, type, is_active, api_type, meta } = after
    await tx
      .updateTable('ai_model')
      .set({
        ...{ provider, model_key, name, category, type, is_active, api_type },
        api_params: JSON.stringify(api_params),
        meta: JSON.stringify(meta),
        ...prices,
        updated_at: deps.clock.now(),
      })
      .where('id', '=', row.id)
      .execute()
    await audit(tx, { ...caller, workspace_id: null }, 'ai_model.updated', row.id_secure, {
      name: row.name,
      ...changedFields(row, after, changed),
    })
    return readModel(tx, String(row.id))
  })

/** Deletes a model with its key. */
export const deleteModel = (deps: Deps, caller: User, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const row = await lockModel(tx, id)
    await setModelKey(deps, tx, row.id, null)
    await tx.deleteFrom('ai_model').where('id', '=', row.id).execute()
    await audit(tx, { ...caller, workspace_id: null }, 'ai_model.deleted', row.id_secure, {
      before: pickFields(row, auditedFields),
    })
  })

/** Sets the key of a model, or removes it (null). */
export function setKey(deps: Deps, caller: User, id: string, api_key: string | null) {
  const key = api_key === null ? null : parseApiKey(api_key, '/api_key')
  return inTransaction(deps.db, async (tx) => {
    const model = await lockModel(tx, id)
    const { before, after } = await setModelKey(deps, tx, model.id, key)
    if (before.set || after.set)
      await audit(
        tx,
        { ...caller, workspace_id: null },
        `ai_model.key_${key === null ? 'removed' : 'set'}`,
        model.id_secure,
        { name: model.name, before, after },
      )
  })
}
