import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, answered, type Post, queryClient, type Workspace, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { currentLocale } from '../../ui/format'
import { firstWeekday, fromWall, moveDay, moveWall, today, toWall, weekdayOf } from '../../ui/zone'
import type { CalendarSearch, PostsSearch } from './search'

export type NewPost = components['schemas']['NewPost']
export type ChangePost = components['schemas']['ChangePost']

const keys = {
  list: (workspace: string) => ['posts', workspace, 'list'] as const,
  span: (workspace: string) => ['posts', workspace, 'span'] as const,
  one: (workspace: string, id: string) => ['posts', workspace, 'one', id] as const,
}

export const postsQuery = (workspace: string, { status, account, search }: PostsSearch) =>
  infiniteQueryOptions({
    queryKey: [...keys.list(workspace), { status, account, search }],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: 25,
        ...(pageParam && { cursor: pageParam }),
        ...(status && { status }),
        ...(account && { account_id: account }),
        ...(search && { search }),
      }
      const page = await answered(workspaceApi(workspace).GET('/api/v1/posts', { params: { query }, signal }))
      return { ...page, data: page.data.filter((post) => !isGone(post)).map(newest) }
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const postQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: keys.one(workspace, id),
    queryFn: async ({ signal }) =>
      newest(await answered(workspaceApi(workspace).GET('/api/v1/posts/{id}', { params: { path: { id } }, signal }))),
  })

/** The next full hour on the clocks of the zone. */
export const nextHour = (zone: string) => moveWall(`${toWall(zone, new Date()).slice(0, 13)}:00:00`, { hours: 1 })

/** Days on the calendar, from the first to before the last, in the workspace's zone. */
export function visibleDays({ view = 'month', date }: CalendarSearch, zone: string) {
  const shown = date ?? today(zone)
  if (view === 'day') return { from: shown, to: moveDay(shown, 1) }
  const start = firstWeekday(currentLocale())
  const weekStart = (day: string) => moveDay(day, -((weekdayOf(day) - start + 7) % 7))
  if (view === 'week') return { from: weekStart(shown), to: moveDay(weekStart(shown), 7) }
  const first = weekStart(`${shown.slice(0, 8)}01`)
  return { from: first, to: moveDay(first, 42) }
}

type Span = { from: string; to: string; account?: string | undefined; zone: string }

/** Every post that has its time within these days, up to 5,000. */
export const spanQuery = (
  { slug, timezone }: Pick<Workspace, 'slug' | 'timezone'>,
  { from, to, account }: { from: string; to: string; account?: string | undefined },
) => {
  const span: Span = { from, to, account, zone: timezone }
  return queryOptions({
    queryKey: [...keys.span(slug), span],
    queryFn: async ({ signal }) => {
      const query = {
        limit: 100,
        from: fromWall(timezone, `${from} 00:00:00`).toISOString(),
        to: fromWall(timezone, `${to} 00:00:00`).toISOString(),
        ...(account && { account_id: account }),
      }
      const posts = await allPages((cursor) =>
        answered(
          workspaceApi(slug).GET('/api/v1/posts', {
            params: { query: { ...query, ...(cursor && { cursor }) } },
            signal,
          }),
        ),
      )
      return mergeInto(posts.map(newest), moving(slug), span)
    },
  })
}

export const calendarQuery = (workspace: Workspace, search: CalendarSearch) =>
  spanQuery(workspace, { ...visibleDays(search, workspace.timezone), account: search.account })

const isWithin = ({ scheduled_at, targets }: Post, { from, to, account, zone }: Span) =>
  scheduled_at !== null &&
  new Date(scheduled_at) >= fromWall(zone, `${from} 00:00:00`) &&
  new Date(scheduled_at) < fromWall(zone, `${to} 00:00:00`) &&
  (account === undefined || targets.some(({ account_id }) => account_id === account))

/** The posts of a span after these were changed: each once, as it now is, and none that is no longer in it. */
function mergeInto(posts: readonly Post[], changed: readonly Post[], span: Span) {
  const ids = new Set(changed.map(({ id }) => id))
  const others = posts.filter(({ id }) => !ids.has(id))
  return [...others, ...changed].filter((post) => isWithin(post, span) && !isGone(post))
}

/** The newest version of each post that was changed here or told of by a poll: an older answer may still be under way. */
const latest = new Map<string, Post>()
/** When posts that are deleted were changed last. One that is restored is changed after that. */
const gone = new Map<string, string>()
/** Times that posts are being given, until the server has them: what it says meanwhile is not shown. */
const wanted = new Map<string, { workspace: string; post: Post }>()

const isGone = ({ id, updated_at }: Post) => updated_at <= (gone.get(id) ?? '')

function newest(post: Post): Post {
  const known = latest.get(post.id)
  const newer = known && known.updated_at > post.updated_at ? known : post
  const move = wanted.get(post.id)
  return move ? { ...newer, scheduled_at: move.post.scheduled_at } : newer
}

const moving = (workspace: string) =>
  [...wanted.values()].filter((move) => move.workspace === workspace).map(({ post }) => post)

/** Whether this version says anything that is not known yet. */
export const isNews = ({ id, updated_at }: Post) => updated_at > (latest.get(id)?.updated_at ?? '')

/** Puts posts as they now are into everything that shows them. Lists are asked for again: their order is the server's. */
export function showPosts(workspace: string, posts: readonly Post[]) {
  for (const post of posts) if (isNews(post)) latest.set(post.id, post)
  const shown = posts.filter((post) => !isGone(post)).map(newest)
  if (shown.length === 0) return
  for (const post of shown) queryClient.setQueryData(keys.one(workspace, post.id), post)
  changeSpans(workspace, (known, span) => mergeInto(known, shown, span))
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
  void queryClient.invalidateQueries({ queryKey: ['checklist', workspace] })
}

export const showPost = (workspace: string, post: Post) => showPosts(workspace, [post])

/** `at`: a time from the server that a restored post is changed after. */
export function hidePost(workspace: string, id: string, at: string) {
  if (at <= (gone.get(id) ?? '')) return
  gone.set(id, at)
  changeSpans(workspace, (known) => known.filter((post) => post.id !== id))
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
}

/** Shows a post at another time until `settleMove` says what became of it. */
export function showMove(workspace: string, post: Post, scheduled_at: string) {
  wanted.set(post.id, { workspace, post: { ...post, scheduled_at } })
  showPost(workspace, post)
}

export function settleMove(workspace: string, post: Post) {
  wanted.delete(post.id)
  showPost(workspace, post)
}

function changeSpans(workspace: string, change: (known: Post[], span: Span) => Post[]) {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: keys.span(workspace) })) {
    const known = query.state.data as Post[] | undefined
    if (known) queryClient.setQueryData(query.queryKey, change(known, query.queryKey[3] as Span))
  }
}
