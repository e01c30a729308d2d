import type { Post } from '../../api'

/** What an address may carry behind its question mark: anything, until it was looked at. */
export type Search = Record<string, unknown>

/**
 * One of the texts that an address carries. What is not there is said to be undefined: a key that is left out would keep
 * whatever the address has under it.
 */
export function text<Key extends string>(search: Search, key: Key) {
  const value = search[key]
  // The router reads bare digits as numbers.
  const found = typeof value === 'number' ? String(value) : value
  const entry = { [key]: typeof found === 'string' && found !== '' ? found : undefined }
  return entry as { [K in Key]?: string }
}

export const statuses = [
  'draft',
  'scheduled',
  'publishing',
  'published',
  'partially_published',
  'failed',
] as const satisfies Post['status'][]

export type PostsSearch = { status?: Post['status']; account?: string; search?: string }

export const postsSearch = (search: Search): PostsSearch => ({
  status: statuses.find((name) => name === search.status),
  ...text(search, 'account'),
  ...text(search, 'search'),
})

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]
/** `date` is a day in the workspace's zone, YYYY-MM-DD; without one, today. */
export type CalendarSearch = { view?: View; date?: string; account?: string }

export const calendarSearch = (search: Search): CalendarSearch => ({
  view: views.find((name) => name === search.view),
  date: moment(search.date, /^\d{4}-\d\d-\d\d$/),
  ...text(search, 'account'),
})

/** `at`: a wall-clock time in the workspace's zone, YYYY-MM-DD HH:mm:ss. `copy`: a post to begin with. */
export type ComposeSearch = { at?: string; copy?: string }

export const composeSearch = (search: Search): ComposeSearch => ({
  at: moment(search.at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  ...text(search, 'copy'),
})

/** A day or time that has the form, and is one. */
function moment(value: unknown, form: RegExp) {
  if (typeof value !== 'string' || !form.test(value)) return undefined
  return Number.isNaN(Date.parse(value.replace(' ', 'T'))) ? undefined : value
}
