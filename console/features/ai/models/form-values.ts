import type { TFunction } from 'i18next'
import { ApiProblem } from '../../../api'
import { dollarsToText, hasThousands, textToDollars } from '../../../ui/forms/dollars'
import type { AiModel } from '../queries'
import type { Category, Provider } from '../search-params'

/** The values of the form. Numbers are text as typed; `params`: further provider parameters, as JSON. */
export type ModelValues = {
  name: string
  provider: Provider
  model_key: string
  category: Category
  api_type: AiModel['api_type']
  type: string
  max_tokens: string
  temperature: string
  base_url: string
  params: string
  meta: string
  /** In dollars, as typed. */
  input_price_usd: string
  output_price_usd: string
  image_price_usd: string
  video_second_price_usd: string
  api_key: string
}

export const newValues: ModelValues = {
  name: '',
  provider: 'openai',
  model_key: '',
  category: 'text',
  api_type: 'chat',
  type: '',
  max_tokens: '1024',
  temperature: '0.7',
  base_url: '',
  params: '',
  meta: '',
  input_price_usd: '',
  output_price_usd: '',
  image_price_usd: '',
  video_second_price_usd: '',
  api_key: '',
}

const toText = (value: unknown) => (value === undefined || value === null ? '' : String(value))

const prettyJson = (value: object) => (Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : '')

export function toFormValues({ api_params, meta, type, ...model }: AiModel): ModelValues {
  const { max_tokens, temperature, base_url, ...rest } = api_params
  const { name, provider, model_key, category, api_type } = model
  return {
    name,
    provider,
    model_key,
    category,
    api_type,
    type: type ?? '',
    max_tokens: toText(max_tokens),
    temperature: toText(temperature),
    base_url: toText(base_url),
    params: prettyJson(rest),
    meta: prettyJson(meta),
    input_price_usd: dollarsToText(model.input_price_usd),
    output_price_usd: dollarsToText(model.output_price_usd),
    image_price_usd: dollarsToText(model.image_price_usd),
    video_second_price_usd: dollarsToText(model.video_second_price_usd),
    api_key: '',
  }
}

/** Whether the model generates tokens. */
export const generatesText = ({ category, api_type }: Pick<ModelValues, 'category' | 'api_type'>) =>
  category === 'text' && api_type !== 'embedding'

/** Parses 0.7 and 0,7. The separator is always decimal: as token counts, 1.024 and 1,024 are rejected. */
const parseNumber = (text: string) =>
  /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN

type JsonObject = { [key: string]: unknown }

/** Parses a JSON object; undefined if the text is not one. */
function parseObject(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** Parameters with their own fields; the JSON must not repeat them. */
const OWN_PARAMS = ['max_tokens', 'temperature', 'base_url']

/** In dollars, as in the API. */
const MAX_PRICE = 1000

/** Prices that models of a category have. */
export const pricesFor = ({ category }: Pick<ModelValues, 'category'>) =>
  category === 'text'
    ? (['input_price_usd', 'output_price_usd'] as const)
    : ([category === 'image' ? 'image_price_usd' : 'video_second_price_usd'] as const)

/** Validates before sending; messages by field. */
export function validateModel(t: TFunction, values: ModelValues) {
  const faults: { [Field in keyof ModelValues]?: string } = {}
  const { name, model_key, max_tokens, temperature, params, meta, base_url, provider } = values
  if (!name.trim()) faults.name = t('field.required')
  if (!model_key.trim()) faults.model_key = t('field.required')
  if (generatesText(values)) {
    const tokens = parseNumber(max_tokens)
    if (max_tokens.trim() && !(Number.isInteger(tokens) && tokens >= 1 && tokens <= 1_000_000))
      faults.max_tokens = t('admin.models.max_tokens_wrong')
    const warmth = parseNumber(temperature)
    if (temperature.trim() && !(warmth >= 0 && warmth <= 2)) faults.temperature = t('admin.models.temperature_wrong')
  }
  if (provider === 'custom' && !base_url.trim()) faults.base_url = t('admin.models.base_url_required')
  else if (base_url.trim() && !/^https?:\/\//i.test(base_url.trim())) faults.base_url = t('admin.models.base_url_wrong')
  const further = parseObject(params)
  if (!further) faults.params = t('admin.models.json_wrong')
  else if (OWN_PARAMS.some((key) => key in further)) faults.params = t('admin.models.params_twice')
  if (!parseObject(meta)) faults.meta = t('admin.models.json_wrong')
  for (const field of pricesFor(values)) {
    const usd = textToDollars(values[field])
    if (usd !== null && !(usd <= MAX_PRICE))
      faults[field] = t(hasThousands(values[field]) ? 'ui.no_thousands' : 'admin.models.price_wrong')
  }
  if (values.category === 'text' && !values.input_price_usd.trim() !== !values.output_price_usd.trim())
    faults[values.input_price_usd.trim() ? 'output_price_usd' : 'input_price_usd'] = t('admin.models.price_both')
  return faults
}

/** An empty number is sent as null: without it Meydan would use its default. */
const paramsOf = (values: ModelValues) =>
  ({
    ...parseObject(values.params),
    ...(generatesText(values) && {
      max_tokens: values.max_tokens.trim() ? parseNumber(values.max_tokens) : null,
      temperature: values.temperature.trim() ? parseNumber(values.temperature) : null,
    }),
    ...(values.base_url.trim() && { base_url: values.base_url.trim() }),
  }) as AiModel['api_params']

const textsOf = ({ provider, category, api_type, ...values }: ModelValues) => ({
  name: values.name.trim(),
  provider,
  model_key: values.model_key.trim(),
  category,
  api_type: category === 'text' ? api_type : ('chat' as const),
  type: values.type.trim() || null,
})

export const toBody = (values: ModelValues) => ({
  ...textsOf(values),
  api_params: paramsOf(values),
  meta: (parseObject(values.meta) ?? {}) as AiModel['meta'],
  // Those of another category, which the form does not show, go with a change of the category.
  ...{ input_price_usd: null, output_price_usd: null, image_price_usd: null, video_second_price_usd: null },
  ...Object.fromEntries(pricesFor(values).map((field) => [field, textToDollars(values[field])])),
})

/** Returns only the changed fields, so that concurrent changes by others are kept. */
export function changedFields(values: ModelValues, before: ModelValues) {
  const [now, then] = [toBody(values), toBody(before)]
  const changed = Object.entries(now).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(then[key as keyof typeof then]),
  )
  return Object.fromEntries(changed) as Partial<typeof now>
}

/** Whether leaving would lose changes, valid or not. */
export const isChanged = (values: ModelValues, before: ModelValues) =>
  (Object.keys(values) as (keyof ModelValues)[]).some((key) => values[key].trim() !== before[key].trim())

/** Moves the server's error on a parameter to the field that has it. */
export function throwAtFields(error: unknown): never {
  if (!(error instanceof ApiProblem) || !error.problem.errors) throw error
  const errors = error.problem.errors.map(({ pointer, ...rest }) => {
    const [, first, key = ''] = pointer.split('/')
    if (first !== 'api_params') return { pointer, ...rest }
    return { pointer: OWN_PARAMS.includes(key) ? `/${key}` : '/params', ...rest }
  })
  throw new ApiProblem({ ...error.problem, errors })
}
