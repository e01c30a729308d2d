import type { Workspace } from '../../../api'
import { languageOf } from '../../../i18n'

export type SettingsValues = ReturnType<typeof toFormValues>

export const addressFields = ['name', 'line1', 'line2', 'city', 'postal', 'country', 'tax_id'] as const
export const currencies = ['TRY', 'USD'] as const satisfies Workspace['default_currency'][]

export function toFormValues(settings: Workspace) {
  const { name, slug, color, picture_id, default_currency, locale, timezone, holiday_country, billing_address } =
    settings
  const address = billing_address ?? {}
  return {
    name,
    slug,
    color,
    picture_id,
    default_currency,
    language: languageOf(locale),
    timezone,
    holiday_country: holiday_country ?? null,
    ...(Object.fromEntries(addressFields.map((line) => [`address_${line}`, address[line] ?? ''])) as Record<
      `address_${(typeof addressFields)[number]}`,
      string
    >),
  }
}

/** Returns only the changed fields, so that concurrent changes by others are kept. */
export function changedFields(values: SettingsValues, before: SettingsValues) {
  const { name, slug, color, picture_id, default_currency, language, timezone, holiday_country } = values
  const isChanged = (key: keyof SettingsValues) => values[key] !== before[key]
  return {
    ...(isChanged('name') && { name }),
    ...(isChanged('slug') && { slug }),
    ...(isChanged('color') && { color }),
    ...(isChanged('picture_id') && { picture_id }),
    ...(isChanged('default_currency') && { default_currency }),
    ...(isChanged('language') && { locale: language }),
    ...(isChanged('timezone') && { timezone }),
    ...(isChanged('holiday_country') && { holiday_country }),
    ...(addressFields.some((line) => isChanged(`address_${line}`)) && {
      billing_address: Object.fromEntries(
        addressFields.map((line) => [line, values[`address_${line}`].trim()]).filter(([, text]) => text),
      ),
    }),
  }
}

export const isChanged = (values: SettingsValues, before: SettingsValues) =>
  Object.keys(changedFields(values, before)).length > 0
