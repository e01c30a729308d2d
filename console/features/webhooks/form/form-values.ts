import type { TFunction } from 'i18next'
import { fieldProblems } from '../../../ui/feedback/problem'
import type { Webhook } from '../queries'

type Header = { name: string; value: string }

/** The form's values. `present`: what happens to the saved headers, whose values cannot be read. */
export type WebhookValues = {
  url: string
  description: string
  events: string[]
  headers: Header[]
  present: 'keep' | 'replace' | 'remove'
}

export const newValues: WebhookValues = { url: '', description: '', events: ['*'], headers: [], present: 'replace' }

export const toFormValues = ({ url, description, events, header_names }: Webhook): WebhookValues => ({
  url,
  description: description ?? '',
  events,
  headers: [],
  present: header_names.length > 0 ? 'keep' : 'replace',
})

/** The saved headers with empty values. */
export const headerRows = ({ header_names }: Webhook) => header_names.map((name) => ({ name, value: '' }))

/** Whether saved headers would go to another receiver. Meydan then requires their values again. */
export function isOtherOrigin(url: string, { url: before, header_names }: Webhook) {
  const origin = URL.parse(url.trim())?.origin
  return header_names.length > 0 && origin !== undefined && origin !== URL.parse(before)?.origin
}

const isFilled = ({ name, value }: Header) => name.trim() !== '' || value.trim() !== ''

const headersOf = (rows: Header[]) =>
  Object.fromEntries(rows.filter(isFilled).map(({ name, value }) => [name.trim(), value.trim()]))

export const toBody = ({ url, description, events, headers }: WebhookValues) => ({
  url: url.trim(),
  events,
  ...(description.trim() && { description: description.trim() }),
  ...(headers.some(isFilled) && { headers: headersOf(headers) }),
})

/** Only the fields changed here, so that simultaneous changes by others survive. */
export function changedFields({ url, description, events, headers, present }: WebhookValues, before: WebhookValues) {
  const replaces = present === 'replace' && (before.present === 'keep' || headers.some(isFilled))
  const isSame = events.length === before.events.length && events.every((name) => before.events.includes(name))
  return {
    ...(url.trim() !== before.url && { url: url.trim() }),
    ...(description.trim() !== before.description && { description: description.trim() || null }),
    ...(!isSame && { events }),
    ...(replaces && { headers: headersOf(headers) }),
    ...(present === 'remove' && { headers: {} }),
  }
}

export const isChanged = (values: WebhookValues, before: WebhookValues) =>
  values.present !== before.present || Object.keys(changedFields(values, before)).length > 0

/** Applies the user's changes to `current`. */
export function mergeChanges(values: WebhookValues, before: WebhookValues, current: WebhookValues): WebhookValues {
  const { url, description, events, headers } = changedFields(values, before)
  return {
    url: url ?? current.url,
    description: description === undefined ? current.description : (description ?? ''),
    events: events ?? current.events,
    headers: headers ? values.headers : current.headers,
    present: headers && current.present === 'keep' ? values.present : current.present,
  }
}

/** Faults found without a request, by the path of the field. */
export function validateWebhook(t: TFunction, { url, events, headers, present }: WebhookValues, before: WebhookValues) {
  const faults: Record<string, string> = {}
  if (url.trim() && !url.includes('://')) faults.url = t('webhooks.url_no_scheme')
  if (events.length === 0) faults.events = t('webhooks.choose_one')
  if (present !== 'replace') return faults
  if (before.present === 'keep' && !headers.some(isFilled)) faults.headers = t('webhooks.headers_none')
  for (const [at, row] of headers.entries()) {
    if (!isFilled(row)) continue
    const name = row.name.trim()
    const sameAs = (other: Header) => other.name.trim().toLowerCase() === name.toLowerCase()
    if (!/^[A-Za-z0-9!#$%&'*+.^_|~-]{1,60}$/.test(name)) faults[`headers.${at}.name`] = t('webhooks.header_bad_name')
    else if (headers.slice(0, at).some(sameAs)) faults[`headers.${at}.name`] = t('webhooks.header_twice')
    if (!row.value.trim()) faults[`headers.${at}.value`] = t('webhooks.header_no_value')
    else if (!/^[\x20-\x7e]*$/.test(row.value.trim())) faults[`headers.${at}.value`] = t('webhooks.header_bad_value')
  }
  return faults
}

/** The header names that Meydan refuses because it sets them itself, by the path of their rows. */
export function headerProblems(t: TFunction, error: unknown, headers: Header[]) {
  const problems = fieldProblems(t, error)
  const refused = headers.flatMap(({ name }, at) =>
    problems[`headers/${name.trim().replaceAll('~', '~0')}`] ? [`headers.${at}.name`] : [],
  )
  return Object.fromEntries(refused.map((path) => [path, t('webhooks.header_refused')]))
}
