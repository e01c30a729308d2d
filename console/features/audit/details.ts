import type { TFunction } from 'i18next'
import { told } from '../../i18n'
import type { useFormat } from '../../ui/format'
import type { WorkspaceMember } from '../workspaces/people'
import type { AuditEntry } from './queries'

/** One line of what an entry tells: `after` alone where nothing was there before. */
export type Change = { field: string; before?: string; after?: string }

type Told = { t: TFunction; format: ReturnType<typeof useFormat>; members: WorkspaceMember[] }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands in the sentence already. */
const named = ['name', 'email', 'url', 'handle']

/** What it was done to, by the name that its entry or the list of members knows. */
export function targetOf({ details, target_id, action }: AuditEntry, members: WorkspaceMember[]) {
  const { before, after } = details
  for (const source of [details, after, before])
    if (isRecord(source))
      for (const key of named) {
        const text = source[key]
        if (typeof text === 'string') return { text, key }
      }
  const member = action.startsWith('member.') && members.find(({ id }) => id === target_id)
  return member ? { text: member.name, key: 'name' } : undefined
}

/** What changed, field by field, in words. */
export function changesOf(entry: AuditEntry, { t, format, members }: Told): Change[] {
  const { before, after, ...rest } = entry.details
  const target = targetOf(entry, members)
  const field = (key: string) => told(t, `audit.field.${key}`, key)
  const word = (key: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return t('audit.nothing')
    if (Array.isArray(value)) return value.length ? value.map((part) => word(key, part)).join(', ') : t('audit.nothing')
    if (isRecord(value))
      return Object.entries(value)
        .map(([part, inner]) => `${told(t, `settings.address_${part}`, field(part))}: ${word(part, inner)}`)
        .join(', ')
    if (key === 'role') return told(t, `roles.${value}.name`, String(value))
    if (key === 'status') return told(t, `status.${value}`, String(value))
    if (key === 'overlap_seconds') return t('audit.hours', { hours: format.number(Number(value) / 3600) })
    if (key.endsWith('_at') && typeof value === 'string') return format.full(value)
    if (key === 'user_id') return members.find(({ id }) => id === value)?.name ?? String(value)
    if (key === 'fields') return field(String(value))
    return String(value)
  }
  // A token for all workspaces has none of its own; that of this workspace says nothing.
  const hidden = (key: string) => key === 'team_id' || (key === target?.key && rest[key] === target.text)
  const told_ = Object.entries(rest)
    .filter(([key, value]) => !hidden(key) && value !== null)
    .map(([key, value]) => ({ field: field(key), after: word(key, value) }))
  const old = isRecord(before) ? before : undefined
  const now = isRecord(after) ? after : undefined
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  const changes = keys
    .filter((key) => (old && now ? true : key !== target?.key))
    .filter((key) => JSON.stringify(old?.[key]) !== JSON.stringify(now?.[key]))
    .map((key) => ({
      field: field(key),
      ...(old && { before: word(key, old[key]) }),
      ...(now && { after: word(key, now[key]) }),
    }))
  return [...told_, ...changes]
}
