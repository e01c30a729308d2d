import type { Post } from '../../api'
import { idOf, moment, type Search, text } from '../../ui/search'

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
  account: idOf(search.account),
  ...text(search, 'search'),
})

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]
/** `date` is a day in the workspace's zone, YYYY-MM-DD; without one, today. */
export type CalendarSearch = { view?: View; date?: string; account?: string }

export const calendarSearch = (search: Search): CalendarSearch => ({
  view: views.find((name) => name === search.view),
  date: moment(search.date, /^\d{4}-\d\d-\d\d$/),
  account: idOf(search.account),
})

/** `at`: a wall-clock time in the workspace's zone, YYYY-MM-DD HH:mm:ss. `copy`: a post to begin with, `only` for this of its accounts. */
type ComposeSearch = { at?: string; copy?: string; only?: string }

export const composeSearch = (search: Search): ComposeSearch => ({
  at: moment(search.at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  ...text(search, 'copy'),
  ...text(search, 'only'),
})
