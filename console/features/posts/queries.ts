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
    queryFn: ({ pageParam }) =>
      answered(
        workspaceApi(workspace).GET('/api/v1/posts', {
          params: {
            query: {
              limit: 25,
              ...(pageParam && { cursor: pageParam }),
              ...(status && { status }),
              ...(account && { account_id: account }),
              ...(search && { search }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const postQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: keys.one(workspace, id),
    queryFn: () => answered(workspaceApi(workspace).GET('/api/v1/posts/{id}', { params: { path: { id } } })),
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

/** Every post that has its time within these days, up to 5,000. */
export const spanQuery = (
  workspace: Pick<Workspace, 'slug' | 'timezone'>,
  { from, to, account }: { from: string; to: string; account?: string | undefined },
) =>
  queryOptions({
    queryKey: [...keys.span(workspace.slug), { from, to, account, zone: workspace.timezone }],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace.slug).GET('/api/v1/posts', {
            params: {
              query: {
                limit: 100,
                from: fromWall(workspace.timezone, `${from} 00:00:00`).toISOString(),
                to: fromWall(workspace.timezone, `${to} 00:00:00`).toISOString(),
                ...(account && { account_id: account }),
                ...(cursor && { cursor }),
              },
            },
          }),
        ),
      ),
  })

export const calendarQuery = (workspace: Workspace, search: CalendarSearch) =>
  spanQuery(workspace, { ...visibleDays(search, workspace.timezone), account: search.account })

type Span = { from: string; to: string; account?: string; zone: string }

const isWithin = ({ scheduled_at, targets }: Post, { from, to, account, zone }: Span) =>
  scheduled_at !== null &&
  new Date(scheduled_at) >= fromWall(zone, `${from} 00:00:00`) &&
  new Date(scheduled_at) < fromWall(zone, `${to} 00:00:00`) &&
  (account === undefined || targets.some(({ account_id }) => account_id === account))

/** Puts a post as it now is into everything that shows it. Lists are asked for again: their order is the server's. */
export function showPost(workspace: string, post: Post) {
  if (post.updated_at <= (gone.get(post.id) ?? '')) return
  queryClient.setQueryData(keys.one(workspace, post.id), post)
  for (const [queryKey, posts] of queryClient.getQueriesData<Post[]>({ queryKey: keys.span(workspace) })) {
    const others = posts?.filter(({ id }) => id !== post.id)
    if (others) queryClient.setQueryData(queryKey, isWithin(post, queryKey[3] as Span) ? [...others, post] : others)
  }
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
  void queryClient.invalidateQueries({ queryKey: ['checklist', workspace] })
}

/** When posts that are deleted were changed last: an answer that was under way meanwhile must not bring them back. */
const gone = new Map<string, string>()

/** `at`: a time from the server that a restored post is changed after. */
export function hidePost(workspace: string, id: string, at: string) {
  gone.set(id, at)
  for (const [queryKey, posts] of queryClient.getQueriesData<Post[]>({ queryKey: keys.span(workspace) }))
    if (posts)
      queryClient.setQueryData(
        queryKey,
        posts.filter((post) => post.id !== id),
      )
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
}
