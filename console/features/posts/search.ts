import type { Post } from '../../api'
import { type Search, text } from '../../ui/search'

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

/** What is no id filters by nothing. */
const idOf = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined

/** A day or time that has the form, and is one. */
function moment(value: unknown, form: RegExp) {
  if (typeof value !== 'string' || !form.test(value)) return undefined
  const time = new Date(`${value.replace(' ', 'T')}${value.length > 10 ? 'Z' : ''}`)
  // The 30th of February is read as one in March; of years, only those that calendars are for.
  const isOne = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.slice(0, 10))
  return isOne && /^(19|20)/.test(value) ? value : undefined
}
