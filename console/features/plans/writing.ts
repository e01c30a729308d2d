import type { TFunction } from 'i18next'
import type { components } from '../../api.gen'
import { currentLocale } from '../../ui/format'
import { fieldProblems } from '../../ui/problem'
import { fold } from '../../ui/search'
import { type Entitlement, type Meter, meters, type Plan, UNLIMITED } from './queries'

type NewPlan = components['schemas']['NewPlan']

export type Bullet = { id: string; text: string }
type Price = { monthly: string; yearly: string }

/** What the form holds: amounts as they are typed. Empty trial days: there is no trial. */
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

export const MOST_FEATURES = 50
export const MOST_METADATA = 50
const MOST_PRICE = 10_000_000
const MOST_LIMIT = 1_000_000_000
const MOST_DAYS = 365

let made = 0
export const newBullet = (text = ''): Bullet => ({ id: `bullet-${++made}`, text })

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

/** As people write it who read the console in this language. */
const typed = (amount: number) => {
  const text = Number.isInteger(amount) ? String(amount) : amount.toFixed(2)
  const comma = new Intl.NumberFormat(currentLocale()).format(0.5).includes(',')
  return comma ? text.replace('.', ',') : text
}

export function valuesOf(plan: Plan): PlanValues {
  const { code, name, description, trial_days, is_featured, is_public, prices, limits } = plan
  const price = (pair: { monthly: number; yearly: number } | null) => ({
    monthly: pair ? typed(pair.monthly) : '',
    yearly: pair ? typed(pair.yearly) : '',
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

/** A plan like another one, to be given a name and a code of its own. */
export const copyOf = (plan: Plan): PlanValues => ({
  ...valuesOf(plan),
  code: '',
  name: '',
  is_featured: false,
  // The ids of its prices at payment processors are the other plan's.
  metadata: [],
})

/** 499, 299.90 or 299,90. Of 4.990 nobody knows whether it means five or five thousand. */
export function priceOf(text: string) {
  const bare = text.trim()
  if (!/^\d{1,8}([.,]\d{1,2})?$/.test(bare)) return undefined
  const price = Number(bare.replace(',', '.'))
  return price <= MOST_PRICE ? price : undefined
}

/** Whole numbers, also those whose thousands are set apart. */
export function countOf(text: string, most = MOST_LIMIT) {
  const bare = text.trim().replace(/(?<=\d)[.,\s\u00a0\u202f](?=\d{3}(\D|$))/g, '')
  if (!/^\d{1,10}$/.test(bare)) return undefined
  const count = Number(bare)
  return count <= most ? count : undefined
}

const isFilled = ({ text }: Bullet) => text.trim() !== ''
const isNoted = ({ key, value }: { key: string; value: string }) => key.trim() !== '' || value.trim() !== ''

/** A code for a name: Büyük Ekip becomes buyuk-ekip. */
export const codeFor = (name: string) =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)

/** As Meydan takes it; what cannot be read is 0, in the preview as well. */
export function bodyOf(values: PlanValues): Required<Omit<NewPlan, 'position' | 'is_active'>> {
  const pair = ({ monthly, yearly }: Price) => ({ monthly: priceOf(monthly) ?? 0, yearly: priceOf(yearly) ?? 0 })
  return {
    code: values.code.trim(),
    name: values.name.trim(),
    description: values.description.trim(),
    trial_days: values.trial_days.trim() === '' ? null : (countOf(values.trial_days, MOST_DAYS) ?? null),
    is_featured: values.is_featured,
    is_public: values.is_public,
    prices: { try: pair(values.prices.try), usd: values.in_dollars ? pair(values.prices.usd) : null },
    limits: perMeter((meter) =>
      values.limits[meter].unlimited ? UNLIMITED : (countOf(values.limits[meter].amount) ?? 0),
    ),
    features: values.features.filter(isFilled).map(({ text }) => text.trim()),
    entitlements: values.entitlements,
    metadata: Object.fromEntries(
      values.metadata.filter(isNoted).map(({ key, value }) => [key.trim(), value.trim()] as const),
    ),
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))

/** Keys have no order, and neither have entitlements; bullets do. */
const ordered = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([key, inner]) => [key, key === 'entitlements' ? [...(inner as string[])].sort() : ordered(inner)]),
      )
    : value

/** What was changed, and nothing else: what somebody else changes at the same time is theirs. */
export function changeOf(values: PlanValues, before: PlanValues): components['schemas']['PlanChanges'] {
  const { code: _, ...now } = bodyOf(values)
  const was = bodyOf(before)
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !isSame({ [key]: value }, { [key]: was[key as keyof typeof now] })),
  )
}

/** Own changes on top of what is there now. */
export function merged(values: PlanValues, before: PlanValues, current: PlanValues): PlanValues {
  const own = Object.keys(changeOf(values, before)).flatMap((key) => (key === 'prices' ? [key, 'in_dollars'] : [key]))
  return { ...current, ...Object.fromEntries(own.map((key) => [key, values[key as keyof PlanValues]])) }
}

/** What can be said before Meydan is asked, by the path of the field, in the order of the form. */
export function faultsOf(t: TFunction, values: PlanValues) {
  const faults: Record<string, string> = {}
  const required = t('field.required')
  if (!values.name.trim()) faults.name = required
  if (!values.code.trim()) faults.code = required
  else if (!/^[A-Za-z0-9._-]{2,40}$/.test(values.code.trim())) faults.code = t('desk.plans.code_bad')
  if (values.trial_days.trim() && countOf(values.trial_days, MOST_DAYS) === undefined)
    faults.trial_days = t('desk.plans.trial_bad')
  for (const currency of values.in_dollars ? (['try', 'usd'] as const) : (['try'] as const))
    for (const period of ['monthly', 'yearly'] as const) {
      const price = values.prices[currency][period]
      if (!price.trim()) faults[`prices.${currency}.${period}`] = required
      else if (priceOf(price) === undefined) faults[`prices.${currency}.${period}`] = t('desk.plans.price_bad')
    }
  for (const meter of meters) {
    const { amount, unlimited } = values.limits[meter]
    if (unlimited) continue
    if (!amount.trim()) faults[`limits.${meter}.amount`] = t('desk.plans.limit_none')
    else if (countOf(amount) === undefined) faults[`limits.${meter}.amount`] = t('desk.plans.limit_bad')
  }
  for (const [at, row] of values.metadata.entries()) {
    if (!isNoted(row)) continue
    const key = row.key.trim()
    if (!key) faults[`metadata.${at}.key`] = required
    else if (values.metadata.slice(0, at).some((other) => other.key.trim() === key))
      faults[`metadata.${at}.key`] = t('desk.plans.metadata_twice')
  }
  return faults
}

/** What Meydan refuses inside of a field of several parts, by the path of that part. */
export function partProblems(t: TFunction, error: unknown, values: PlanValues) {
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
