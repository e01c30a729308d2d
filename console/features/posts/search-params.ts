import type { Post } from '../../api'
import { dateTimeParam, type Search, textParam, uuidParam } from '../../ui/navigation/search-params'

const statuses = [
  'draft',
  'scheduled',
  'publishing',
  'published',
  'partially_published',
  'failed',
  'unpublished',
] as const satisfies Post['status'][]

/** What the list of posts can be filtered by: the states, and ideas. */
export const filteredStatuses = [...statuses, 'idea'] as const

export const holds = ['late', 'agents_stopped', 'queue_paused'] as const satisfies NonNullable<Post['held']>[]

/** `author`: a user's id. */
export type PostsSearch = {
  status?: (typeof filteredStatuses)[number]
  held?: NonNullable<Post['held']>
  account?: string
  /** A group of accounts. */
  group?: string
  author?: string
  label?: string
  search?: string
}

export const validatePostsSearch = (search: Search): PostsSearch => ({
  status: filteredStatuses.find((name) => name === search.status),
  held: holds.find((name) => name === search.held),
  account: uuidParam(search.account),
  group: uuidParam(search.group),
  author: uuidParam(search.author),
  ...textParam(search, 'label'),
  ...textParam(search, 'search'),
})

/** `cards`: a week as cards. `grid`: the images of an account side by side, as on its page at the network. */
export const views = ['month', 'week', 'cards', 'day', 'grid'] as const
export type View = (typeof views)[number]
/** What the edges of posts show instead of their state. */
export const colorings = ['account', 'label'] as const
export type Coloring = (typeof colorings)[number]
/** `date`: a day in the workspace's zone, YYYY-MM-DD; defaults to today. */
export type CalendarSearch = {
  view?: View
  date?: string
  account?: string
  /** A group of accounts. */
  group?: string
  label?: string
  color?: Coloring
  /** The post in the panel: a new one, or the id of one. */
  compose?: string
  /** Its wall-clock time in the workspace's zone, YYYY-MM-DD HH:mm:ss. */
  at?: string
}

const wallParam = (value: unknown) => dateTimeParam(value, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

export const validateCalendarSearch = (search: Search): CalendarSearch => ({
  view: views.find((name) => name === search.view),
  date: dateTimeParam(search.date, /^\d{4}-\d\d-\d\d$/),
  account: uuidParam(search.account),
  group: uuidParam(search.group),
  ...textParam(search, 'label'),
  color: colorings.find((name) => name === search.color),
  compose: search.compose === 'new' ? 'new' : uuidParam(search.compose),
  at: wallParam(search.at),
})

/**
 * `at`: a wall-clock time in the workspace's zone, YYYY-MM-DD HH:mm:ss. `account`: the one that is chosen. `copy`: a post;
 * `only`: some of its accounts, with spaces in between. `draft`: the post that the form has become by saving itself.
 */
type ComposeSearch = { at?: string; account?: string; copy?: string; only?: string; draft?: string }

export const validateNewPostSearch = (search: Search): ComposeSearch => ({
  at: wallParam(search.at),
  account: uuidParam(search.account),
  ...textParam(search, 'copy'),
  ...textParam(search, 'only'),
  draft: uuidParam(search.draft),
})

/** `group`: a group of accounts, whose queues are shown together. */
export const validateQueueSearch = (search: Search): { group?: string | undefined } => ({
  group: uuidParam(search.group),
})

/** `id`: an import that was begun. */
type ImportSearch = { id?: string }

export const validateImportSearch = (search: Search): ImportSearch => ({ id: uuidParam(search.id) })

/** `from`: the occurrence from which on a recurring post is changed, YYYY-MM-DDTHH:mm:ss in UTC. */
export const validateRecurringEditSearch = (search: Search): { from?: string | undefined } => ({
  from: dateTimeParam(search.from, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
})
