import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import type { components } from '../../../api.gen'
import { fieldProblems } from '../../../ui/feedback/problem'
import { foldCase } from '../../../ui/navigation/search-params'
import { currentLocale } from '../../../ui/text/format'
import { type Entitlement, type Meter, meters, type Plan, UNLIMITED } from '../queries'

type NewPlan = components['schemas']['NewPlan']

export type Bullet = { id: string; text: string }
type Price = { monthly: string; yearly: string }

/** The form's values, with amounts as typed. Empty trial days mean no trial. */
export type PlanValues = {
  code: string
  name: string
  description: string
  trial_days: string
  is_featured: boolean
  is_public: boolean
  prices: { try: Price; usd: Price }
  in_dollars: boolean
  limits: Record<Meter, { amount: string; unlimited: boolean }>
  features: Bullet[]
  entitlements: Entitlement[]
  metadata: { key: string; value: string }[]
}

export type PlanFormState = UseFormReturnType<PlanValues>

export const MAX_FEATURES = 50
export const MAX_METADATA = 50
const MAX_PRICE = 10_000_000
const MAX_LIMIT = 1_000_000_000
const MAX_TRIAL_DAYS = 365

let lastBulletId = 0
export const newBullet = (text = ''): Bullet => ({ id: `bullet-${++lastBulletId}`, text })

const perMeter = <T>(of: (meter: Meter) => T) =>
  Object.fromEntries(meters.map((meter) => [meter, of(meter)])) as Record<Meter, T>

export const newValues = (): PlanValues => ({
  code: '',
  name: '',
  description: '',
  trial_days: '',
  is_featured: false,
  is_public: true,
  prices: { try: { monthly: '', yearly: '' }, usd: { monthly: '', yearly: '' } },
  in_dollars: true,
  limits: perMeter(() => ({ amount: '', unlimited: false })),
  features: [],
  entitlements: [],
  metadata: [],
})

/** Formats an amount for the console's language. */
const amountText = (amount: number) => {
  const text = Number.isInteger(amount) ? String(amount) : amount.toFixed(2)
  const comma = new Intl.NumberFormat(currentLocale()).format(0.5).includes(',')
  return comma ? text.replace('.', ',') : text
}

export function toFormValues(plan: Plan): PlanValues {
  const { code, name, description, trial_days, is_featured, is_public, prices, limits } = plan
  const price = (pair: { monthly: number; yearly: number } | null) => ({
    monthly: pair ? amountText(pair.monthly) : '',
    yearly: pair ? amountText(pair.yearly) : '',
  })
  return {
    code,
    name,
    description,
    trial_days: trial_days === null ? '' : String(trial_days),
    is_featured,
    is_public,
    prices: { try: price(prices.try), usd: price(prices.usd) },
    in_dollars: prices.usd !== null,
    limits: perMeter((meter) => ({
      amount: limits[meter] === UNLIMITED ? '' : String(limits[meter]),
      unlimited: limits[meter] === UNLIMITED,
    })),
    features: plan.features.map(newBullet),
    entitlements: [...plan.entitlements],
    metadata: Object.entries(plan.metadata).map(([key, value]) => ({ key, value })),
  }
}

/** A copy of a plan, for which the user enters a name and a code. */
export const toCopy = (plan: Plan): PlanValues => ({
  ...toFormValues(plan),
  code: '',
  name: '',
  is_featured: false,
  // Price ids at payment processors belong to the other plan.
  metadata: [],
})

/** Parses 499, 299.90 or 299,90. Rejects 4.990, which may mean five or five thousand. */
export function parsePrice(text: string) {
  const bare = text.trim()
  if (!/^\d{1,8}([.,]\d{1,2})?$/.test(bare)) return undefined
  const price = Number(bare.replace(',', '.'))
  return price <= MAX_PRICE ? price : undefined
}

/** Parses whole numbers, also with thousands separators. */
function parseCount(text: string, most = MAX_LIMIT) {
  const bare = text.trim().replace(/(?<=\d)[.,\s\u00a0\u202f](?=\d{3}(\D|$))/g, '')
  if (!/^\d{1,10}$/.test(bare)) return undefined
  const count = Number(bare)
  return count <= most ? count : undefined
}

const isFilled = ({ text }: Bullet) => text.trim() !== ''
const isEntered = ({ key, value }: { key: string; value: string }) => key.trim() !== '' || value.trim() !== ''

/** A code for a name: Büyük Ekip becomes buyuk-ekip. */
export const codeFromName = (name: string) =>
  foldCase(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)

/** The request body. Amounts that cannot be parsed are 0, also in previews. */
export function toBody(values: PlanValues): Required<Omit<NewPlan, 'position' | 'is_active'>> {
  const pair = ({ monthly, yearly }: Price) => ({ monthly: parsePrice(monthly) ?? 0, yearly: parsePrice(yearly) ?? 0 })
  return {
    code: values.code.trim(),
    name: values.name.trim(),
    description: values.description.trim(),
    trial_days: values.trial_days.trim() === '' ? null : (parseCount(values.trial_days, MAX_TRIAL_DAYS) ?? null),
    is_featured: values.is_featured,
    is_public: values.is_public,
    prices: { try: pair(values.prices.try), usd: values.in_dollars ? pair(values.prices.usd) : null },
    limits: perMeter((meter) =>
      values.limits[meter].unlimited ? UNLIMITED : (parseCount(values.limits[meter].amount) ?? 0),
    ),
    features: values.features.filter(isFilled).map(({ text }) => text.trim()),
    entitlements: values.entitlements,
    metadata: Object.fromEntries(
      values.metadata.filter(isEntered).map(({ key, value }) => [key.trim(), value.trim()] as const),
    ),
  }
}

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(withSortedKeys(one)) === JSON.stringify(withSortedKeys(other))

/** The order of keys and entitlements is irrelevant; bullets keep theirs. */
const withSortedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([key, inner]) => [
            key,
            key === 'entitlements' ? [...(inner as string[])].sort() : withSortedKeys(inner),
          ]),
      )
    : value

/** Only the fields changed here, so that simultaneous changes by others survive. */
export function changedFields(values: PlanValues, before: PlanValues): components['schemas']['PlanChanges'] {
  const { code: _, ...now } = toBody(values)
  const was = toBody(before)
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !isSame({ [key]: value }, { [key]: was[key as keyof typeof now] })),
  )
}

export const isChanged = (values: PlanValues, before: PlanValues) =>
  values.code !== before.code || Object.keys(changedFields(values, before)).length > 0

/** Applies the user's changes to `current`. */
export function mergeChanges(values: PlanValues, before: PlanValues, current: PlanValues): PlanValues {
  const own = Object.keys(changedFields(values, before)).flatMap((key) =>
    key === 'prices' ? [key, 'in_dollars'] : [key],
  )
  return { ...current, ...Object.fromEntries(own.map((key) => [key, values[key as keyof PlanValues]])) }
}

/** Faults found without a request, by the path of the field, in the order of the form. */
export function validatePlan(t: TFunction, values: PlanValues) {
  const faults: Record<string, string> = {}
  const required = t('field.required')
  if (!values.name.trim()) faults.name = required
  if (!values.code.trim()) faults.code = required
  else if (!/^[A-Za-z0-9._-]{2,40}$/.test(values.code.trim())) faults.code = t('admin.plans.code_bad')
  if (values.trial_days.trim() && parseCount(values.trial_days, MAX_TRIAL_DAYS) === undefined)
    faults.trial_days = t('admin.plans.trial_bad')
  for (const currency of values.in_dollars ? (['try', 'usd'] as const) : (['try'] as const))
    for (const period of ['monthly', 'yearly'] as const) {
      const price = values.prices[currency][period]
      if (!price.trim()) faults[`prices.${currency}.${period}`] = required
      else if (parsePrice(price) === undefined) faults[`prices.${currency}.${period}`] = t('admin.plans.price_bad')
    }
  for (const meter of meters) {
    const { amount, unlimited } = values.limits[meter]
    if (unlimited) continue
    if (!amount.trim()) faults[`limits.${meter}.amount`] = t('admin.plans.limit_none')
    else if (parseCount(amount) === undefined) faults[`limits.${meter}.amount`] = t('admin.plans.limit_bad')
  }
  for (const [at, row] of values.metadata.entries()) {
    if (!isEntered(row)) continue
    const key = row.key.trim()
    if (!key) faults[`metadata.${at}.key`] = required
    else if (values.metadata.slice(0, at).some((other) => other.key.trim() === key))
      faults[`metadata.${at}.key`] = t('admin.plans.metadata_twice')
  }
  return faults
}

/** Meydan's faults in a part of a nested field, by the path of that part. */
export function nestedFieldProblems(t: TFunction, error: unknown, values: PlanValues) {
  const bullets = values.features.flatMap((bullet, at) => (isFilled(bullet) ? [at] : []))
  return Object.fromEntries(
    Object.entries(fieldProblems(t, error)).flatMap(([pointer, said]) => {
      const [field, first = '', second] = pointer
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      if (field === 'prices' && second) return [[`prices.${first}.${second}`, said]]
      if (field === 'limits' && first) return [[`limits.${first}.amount`, said]]
      if (field === 'features' && bullets[Number(first)] !== undefined)
        return [[`features.${bullets[Number(first)]}.text`, said]]
      const noted = field === 'metadata' ? values.metadata.findIndex(({ key }) => key.trim() === first) : -1
      return noted < 0 ? [] : [[`metadata.${noted}.value`, said]]
    }),
  )
}
