import type { TFunction } from 'i18next'
import { ApiProblem } from '../../api'
import type { AiModel } from './queries'
import type { Category, Provider } from './search'

/** What the form holds. Numbers are as they are typed; `params`: what else the vendor is told, as JSON. */
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
  api_key: '',
}

const shown = (value: unknown) => (value === undefined || value === null ? '' : String(value))

const laidOut = (value: object) => (Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : '')

export function valuesOf({ api_params, meta, type, ...model }: AiModel): ModelValues {
  const { max_tokens, temperature, base_url, ...rest } = api_params
  const { name, provider, model_key, category, api_type } = model
  return {
    name,
    provider,
    model_key,
    category,
    api_type,
    type: type ?? '',
    max_tokens: shown(max_tokens),
    temperature: shown(temperature),
    base_url: shown(base_url),
    params: laidOut(rest),
    meta: laidOut(meta),
    api_key: '',
  }
}

/** Whether tokens are written at all. */
export const writesTokens = ({ category, api_type }: Pick<ModelValues, 'category' | 'api_type'>) =>
  category === 'text' && api_type !== 'embedding'

/** A number as it is typed here and there: 0.7, 0,7. Neither 1.024 nor 1,024 is guessed at: both are out of range. */
const numberIn = (text: string) =>
  /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN

type Open = { [key: string]: unknown }

/** The object that a text of JSON is; undefined: it is none. */
function objectIn(text: string): Open | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Open) : undefined
  } catch {
    return undefined
  }
}

/** Fields of their own, which the JSON beside them may not name again. */
const own = ['max_tokens', 'temperature', 'base_url']

/** What can be said before Meydan is asked, by field. */
export function faultsOf(t: TFunction, values: ModelValues) {
  const faults: { [Field in keyof ModelValues]?: string } = {}
  const { name, model_key, max_tokens, temperature, params, meta, base_url, provider } = values
  if (!name.trim()) faults.name = t('field.required')
  if (!model_key.trim()) faults.model_key = t('field.required')
  if (writesTokens(values)) {
    const tokens = numberIn(max_tokens)
    if (max_tokens.trim() && !(Number.isInteger(tokens) && tokens >= 1 && tokens <= 1_000_000))
      faults.max_tokens = t('desk.models.max_tokens_wrong')
    const warmth = numberIn(temperature)
    if (temperature.trim() && !(warmth >= 0 && warmth <= 2)) faults.temperature = t('desk.models.temperature_wrong')
  }
  if (provider === 'custom' && !base_url.trim()) faults.base_url = t('desk.models.base_url_required')
  else if (base_url.trim() && !/^https?:\/\//i.test(base_url.trim())) faults.base_url = t('desk.models.base_url_wrong')
  const further = objectIn(params)
  if (!further) faults.params = t('desk.models.json_wrong')
  else if (own.some((key) => key in further)) faults.params = t('desk.models.params_twice')
  if (!objectIn(meta)) faults.meta = t('desk.models.json_wrong')
  return faults
}

/** Left empty, a number is told to be none: Meydan would take its own default. */
const paramsOf = (values: ModelValues) =>
  ({
    ...objectIn(values.params),
    ...(writesTokens(values) && {
      max_tokens: values.max_tokens.trim() ? numberIn(values.max_tokens) : null,
      temperature: values.temperature.trim() ? numberIn(values.temperature) : null,
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

export const bodyOf = (values: ModelValues) => ({
  ...textsOf(values),
  api_params: paramsOf(values),
  meta: (objectIn(values.meta) ?? {}) as AiModel['meta'],
})

/** What was changed, and nothing else: what somebody else changes at the same time is theirs. */
export function changeOf(values: ModelValues, before: ModelValues) {
  const [now, then] = [bodyOf(values), bodyOf(before)]
  const changed = Object.entries(now).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(then[key as keyof typeof then]),
  )
  return Object.fromEntries(changed) as Partial<typeof now>
}

/** Whether leaving would lose something, be it not yet valid. */
export const isChanged = (values: ModelValues, before: ModelValues) =>
  (Object.keys(values) as (keyof ModelValues)[]).some((key) => values[key].trim() !== before[key].trim())

/** What Meydan says of a parameter is said at the field that has it. */
export function atFields(error: unknown): never {
  if (!(error instanceof ApiProblem) || !error.problem.errors) throw error
  const errors = error.problem.errors.map(({ pointer, ...rest }) => {
    const [, first, key = ''] = pointer.split('/')
    if (first !== 'api_params') return { pointer, ...rest }
    return { pointer: own.includes(key) ? `/${key}` : '/params', ...rest }
  })
  throw new ApiProblem({ ...error.problem, errors })
}
