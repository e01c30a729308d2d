import type { Post } from '../../api'

/** What an address may carry behind its question mark: anything, until it was looked at. */
export type Search = Record<string, unknown>

export const text = <Key extends string>(search: Search, key: Key): { [K in Key]?: string } => {
  const value = search[key]
  // The router reads bare digits as numbers.
  const found = typeof value === 'number' ? String(value) : value
  return (typeof found === 'string' && found !== '' ? { [key]: found } : {}) as { [K in Key]?: string }
}

export const statuses = [
  'draft',
  'scheduled',
  'publishing',
  'published',
  'partially_published',
  'failed',
] as const satisfies Post['status'][]

export type PostsSearch = { status?: Post['status']; account?: string; search?: string; from?: string; to?: string }

const day = (search: Search, key: 'from' | 'to' | 'date') => {
  const value = search[key]
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? { [key]: value } : {}
}

export const postsSearch = (search: Search): PostsSearch => {
  const status = statuses.find((name) => name === search.status)
  return {
    ...(status && { status }),
    ...text(search, 'account'),
    ...text(search, 'search'),
    ...day(search, 'from'),
    ...day(search, 'to'),
  }
}

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]
/** `date` is a day in the workspace's zone, YYYY-MM-DD; without one, today. */
export type CalendarSearch = { view?: View; date?: string; account?: string }

export const calendarSearch = (search: Search): CalendarSearch => {
  const view = views.find((name) => name === search.view)
  return { ...(view && { view }), ...day(search, 'date'), ...text(search, 'account') }
}

/** `at`: a wall-clock time in the workspace's zone, YYYY-MM-DD HH:mm:ss. `copy`: a post to begin with. */
export type ComposeSearch = { at?: string; copy?: string }

export const composeSearch = (search: Search): ComposeSearch => {
  const at = typeof search.at === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(search.at) ? search.at : undefined
  return { ...(at && { at }), ...text(search, 'copy') }
}
