import type { TFunction } from 'i18next'
import type { Gig } from '../queries'

/** The form's values; numbers are texts while they are typed. */
export type GigValues = {
  title: string
  description: string
  price: string
  currency: Gig['currency']
  delivery_days: string
  categories: string[]
  sample_media: string[]
}

export const newValues: GigValues = {
  title: '',
  description: '',
  price: '',
  currency: 'TRY',
  delivery_days: '3',
  categories: [],
  sample_media: [],
}

export const toFormValues = (gig: Gig): GigValues => ({
  title: gig.title,
  description: gig.description,
  price: Number.isInteger(gig.price) ? String(gig.price) : gig.price.toFixed(2),
  currency: gig.currency,
  delivery_days: String(gig.delivery_days),
  categories: gig.categories,
  sample_media: gig.sample_media,
})

/** Reads 1499.90 and 1499,90. */
export const amountOf = (text: string) => Number(text.trim().replace(',', '.'))

/** Whether a text is an amount above 0 with at most two decimals. */
export const isAmount = (text: string, max: number) =>
  /^\d+([.,]\d{1,2})?$/.test(text.trim()) && amountOf(text) > 0 && amountOf(text) <= max

export const toBody = ({ price, delivery_days, title, description, ...rest }: GigValues) => ({
  ...rest,
  title: title.trim(),
  description: description.trim(),
  price: amountOf(price),
  delivery_days: Number(delivery_days),
})

/** Only the fields changed here, so that simultaneous changes by others survive. */
export function changedFields(values: GigValues, before: GigValues): Partial<ReturnType<typeof toBody>> {
  const old: Record<string, unknown> = toBody(before)
  return Object.fromEntries(
    Object.entries(toBody(values)).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field])),
  )
}

export const isChanged = (values: GigValues, before: GigValues) => Object.keys(changedFields(values, before)).length > 0

/** Faults found without a request. */
export function validateGig(t: TFunction, { title, description, price, delivery_days }: GigValues) {
  const faults: Record<string, string> = {}
  if (!title.trim()) faults.title = t('field.required')
  if (!description.trim()) faults.description = t('field.required')
  if (!isAmount(price, 1_000_000) || amountOf(price) < 1) faults.price = t('gigs.price_wrong')
  const days = Number(delivery_days)
  if (!Number.isInteger(days) || days < 1 || days > 365) faults.delivery_days = t('gigs.days_wrong')
  return faults
}
