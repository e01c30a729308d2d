import type { TFunction } from 'i18next'
import { translateDynamic } from '../../i18n'
import type { useFormat } from '../../ui/text/format'
import { type Currency, currencies, type useLimitText, type useMoney } from '../plans/format'
import type { Meter } from '../plans/queries'
import type { AuditEntry, Person } from './queries'

/** One line of an entry. `before` is absent if there was no value, or if the line is no change. */
export type Change = { field: string; before: string | undefined; after: string | undefined }

type DisplayContext = {
  t: TFunction
  format: ReturnType<typeof useFormat>
  limit: ReturnType<typeof useLimitText>
  money: ReturnType<typeof useMoney>
  members: Person[]
  networkName: (id: string) => string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that can name a target. */
const nameFields = ['name', 'email', 'url', 'handle', 'code', 'key', 'number']

/** For email changes and orders, `before` and `after` are plain values: makes records of them. */
function detailsOf({ action, details }: AuditEntry): AuditEntry['details'] {
  const { before, after } = details
  if (action === 'user.email_changed') return { before: { email: before }, after: { email: after } }
  if (action === 'plan.ordered') return { before: { order: before }, after: { order: after } }
  return details
}

/** The target of the action, with its name from the entry or the list of members. */
export function targetOf(entry: AuditEntry, members: Person[]) {
  const { target_id, action, actor } = entry
  const details = detailsOf(entry)
  const { before, after } = details
  if (action.startsWith('options.') && target_id) return { text: target_id, field: 'option' }
  for (const source of [details, after, before])
    if (isRecord(source))
      for (const key of nameFields) {
        const text = source[key]
        if (typeof text === 'string') return { text, field: key }
      }
  const isPerson = action.startsWith('member.') || (action.startsWith('user.') && target_id !== actor?.id)
  const member = isPerson && members.find(({ id }) => id === target_id)
  return member ? { text: member.name, field: 'name' } : undefined
}

/** Fields that mean nothing to users, or that the sentence already contains. */
const hiddenFields = [
  'team_id',
  'rotated_at',
  'state',
  'password_confirmed',
  'delivery_id',
  'event_id',
  'overlap_seconds',
]
const hiddenFieldsOf = (action: string) =>
  action.startsWith('email_template.') ? [...hiddenFields, 'body_html_length', 'body_text_length'] : hiddenFields
const addressLines = ['name', 'line1', 'line2', 'postal', 'city', 'country', 'tax_id']

const isMoney = (value: unknown): value is { monthly: number; yearly: number } =>
  isRecord(value) && typeof value.monthly === 'number' && typeof value.yearly === 'number'

/** Returns the fields of `one` that differ from `other`. */
function differing(one: unknown, other: unknown) {
  if (!isRecord(one) || !isRecord(other)) return one
  return Object.fromEntries(
    Object.entries(one).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(other[field])),
  )
}

/** Fields whose values are codes. */
const translatedFields = ['source', 'category', 'api_type', 'key_source']

/** Fields whose parts change independently. */
const recordFields = ['limits', 'prices', 'metadata', 'api_params', 'meta']

/** Describes the changes, field by field. */
export function changesOf(
  entry: AuditEntry,
  { t, format, limit, money, members, networkName }: DisplayContext,
): Change[] {
  const { before, after, ...rest } = detailsOf(entry)
  const target = targetOf(entry, members)
  const label = (field: string) => translateDynamic(t, `audit.field.${field}`, field)
  const list = (field: string, parts: unknown[]) =>
    parts
      .map((part) => word(field, part))
      .filter(Boolean)
      .join(', ')
  /** Describes a value; undefined if there is none. */
  const word = (field: string, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === '') return undefined
    if (Array.isArray(value)) return list(field, value) || t('audit.nothing')
    if (field === 'billing_address' && isRecord(value))
      return list(
        '',
        addressLines.map((line) => value[line]),
      )
    if (field === 'limits' && isRecord(value))
      return Object.entries(value)
        .map(([meter, most]) => limit(meter as Meter, Number(most)))
        .join(', ')
    if (field === 'prices' && isRecord(value))
      return currencies
        .flatMap((currency: Currency) => {
          const prices = value[currency]
          return isMoney(prices) ? [`${money(prices.monthly, currency)} / ${money(prices.yearly, currency)}`] : []
        })
        .join(', ')
    // A secret, which is never shown.
    if (field === 'value' && isRecord(value))
      return value.set === true ? [t('audit.secret'), value.last4].filter(Boolean).join(' ···') : undefined
    if (recordFields.includes(field) && isRecord(value))
      return (
        Object.entries(value)
          .map(([name, part]) => `${name}: ${typeof part === 'object' ? JSON.stringify(part) : word('', part)}`)
          .join(', ') || undefined
      )
    if (isRecord(value)) return list('', Object.values(value))
    if (field === 'role') return translateDynamic(t, `roles.${value}.name`, String(value))
    if (field === 'status') return translateDynamic(t, `status.${value}`, String(value))
    if (field === 'network') return networkName(String(value))
    if (field === 'method') return translateDynamic(t, `audit.method.${value}`, String(value))
    // A code, or text by an instance admin.
    if (field === 'reason') return translateDynamic(t, `audit.reason.${value}`, String(value))
    if (field === 'fields' || field === 'changed') return label(String(value))
    if (field === 'user_id') return members.find(({ id }) => id === value)?.name ?? String(value)
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
    if ((field.endsWith('_at') || field === 'since') && typeof value === 'string') return format.full(value)
    if (translatedFields.includes(field)) return translateDynamic(t, `audit.value.${field}_${value}`, String(value))
    return String(value)
  }
  const hidden = hiddenFieldsOf(entry.action)
  const old = isRecord(before) ? before : {}
  const now = { ...rest, ...(isRecord(after) ? after : {}) }
  // After a deletion, shows the former values only.
  const [from, to] = isRecord(before) && !isRecord(after) ? [{}, { ...old, ...now }] : [old, now]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => !hidden.includes(field) && JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .filter((field) => field in from || !(field === target?.field && to[field] === target.text))
    .map((field) => ({
      field: label(field),
      before: word(field, recordFields.includes(field) ? differing(from[field], to[field]) : from[field]),
      after: word(field, recordFields.includes(field) ? differing(to[field], from[field]) : to[field]),
    }))
    .map((change) => (change.before !== undefined ? { ...change, after: change.after ?? t('audit.nothing') } : change))
    .filter(({ after: text }) => text !== undefined)
}
