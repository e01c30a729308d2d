import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { DAY } from '../../../shared/time'
import {
  allPages,
  type Post,
  type PostSummary,
  queryClient,
  unwrap,
  unwrapWithEtag,
  type Workspace,
  workspaceApi,
} from '../../api'
import { currentLocale } from '../../ui/text/format'
import { firstWeekday, fromWall, moveDay, moveWall, today, toWall, weekdayOf } from '../../ui/text/time-zone'
import type { AccountGroup } from '../accounts/groups/queries'
import { useWorkspace } from '../workspaces/queries'
import type { CalendarSearch, PostsSearch } from './search-params'

export const keys = {
  list: (workspace: string) => ['posts', workspace, 'list'] as const,
  span: (workspace: string) => ['posts', workspace, 'span'] as const,
  one: (workspace: string, id: string) => ['posts', workspace, 'one', id] as const,
  version: (workspace: string, id: string) => ['posts', workspace, 'version', id] as const,
}

export const postsQuery = (workspace: string, { status, held, account, group, author, label, search }: PostsSearch) =>
  infiniteQueryOptions({
    queryKey: [...keys.list(workspace), { status, held, account, group, author, label, search }],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: 25,
        ...(pageParam && { cursor: pageParam }),
        ...(status && (status === 'idea' ? { is_idea: true } : { status })),
        ...(status === 'draft' && { is_idea: false }),
        ...(held && { held }),
        ...(account && { account_id: account }),
        ...(group && { account_group_id: group }),
        ...(author && { author_id: author }),
        ...(label && { label }),
        ...(search && { search }),
      }
      const page = await unwrap(workspaceApi(workspace).GET('/api/v1/posts', { params: { query }, signal }))
      return { ...page, data: page.data.filter((post) => !isDeleted(post)).map(newest) }
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** The posts that wait for review, up to a hundred, the oldest first. */
export const reviewQuery = (workspace: string) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'review'],
    queryFn: async ({ signal }) => {
      const query = { review: 'pending', limit: 100 } as const
      const { data } = await unwrap(workspaceApi(workspace).GET('/api/v1/posts', { params: { query }, signal }))
      return data
        .filter((post) => !isDeleted(post))
        .map(newest)
        .filter(({ review }) => review === 'pending')
        .toReversed()
    },
  })

/** The kinds of posts without a time. */
export const unplannedKinds = ['ideas', 'drafts'] as const

/** The ideas, or the drafts without a time that wait for nobody, the newest first. `author`: only those of this user. */
export const unplannedQuery = (workspace: string, kind: (typeof unplannedKinds)[number], author: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.list(workspace), 'unplanned', kind, author],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...({ status: 'draft', is_idea: kind === 'ideas', limit: 50 } as const),
        ...(author && { author_id: author }),
        ...(pageParam && { cursor: pageParam }),
      }
      const page = await unwrap(workspaceApi(workspace).GET('/api/v1/posts/summaries', { params: { query }, signal }))
      const isUnplanned = ({ status, is_idea, review, scheduled_at }: PostSummary) =>
        status === 'draft' && is_idea === (kind === 'ideas') && review !== 'pending' && !scheduled_at
      return {
        ...page,
        data: page.data
          .filter((post) => !isDeleted(post))
          .map(newestSummary)
          .filter(isUnplanned),
      }
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** The posts that need attention, for the sidebar. Polling loads it. */
export const postCountsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['post-counts', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/posts/counts')),
  })

/** Whether no post waits for review. The number follows every change; a page that is loading waits for it. */
const hasNoReviews = (workspace: string) =>
  queryClient.ensureQueryData(postCountsQuery(workspace)).then(
    ({ in_review }) => in_review === 0,
    () => false,
  )

/** They send no request: polling loads the numbers. */
const usePostCounts = () => useQuery({ ...postCountsQuery(useWorkspace().slug), enabled: false }).data
/** The posts that failed in the last seven days. */
export const useFailedPostCount = () => usePostCounts()?.failed ?? 0
export const useInReviewCount = () => usePostCounts()?.in_review ?? 0

export const postQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: keys.one(workspace, id),
    queryFn: async ({ signal }) =>
      newest(await unwrap(workspaceApi(workspace).GET('/api/v1/posts/{id}', { params: { path: { id } }, signal }))),
  })

/** The posts that can still be restored, the latest deletion first. */
export const deletedPostsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['deleted-posts', workspace],
    queryFn: async () => {
      const posts = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/posts/deleted', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      )
      return posts.toSorted((a, b) => b.deleted_at.localeCompare(a.deleted_at))
    },
    staleTime: 0,
  })

export type LoadedPost = { record: Post; etag: string }

/** A post with the ETag that a change sends, always from the server: a form must not begin with an old version. */
export const postVersionQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: keys.version(workspace, id),
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/posts/{id}', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** The next full hour in the zone. */
export const nextHour = (zone: string) => moveWall(`${toWall(zone, new Date()).slice(0, 13)}:00:00`, { hours: 1 })

/** Days before and after its date that the grid shows. */
export const GRID_DAYS = 45

/** Days of a month on paper and on phones: six weeks. */
export const MONTH_DAYS = 42

const daysFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY

/** The days on the calendar, `to` exclusive, in the workspace's zone. */
export function visibleDays({ view = 'month', date }: CalendarSearch, zone: string) {
  const shown = date ?? today(zone)
  if (view === 'day') return { from: shown, to: moveDay(shown, 1) }
  const start = firstWeekday(currentLocale())
  const weekStart = (day: string) => moveDay(day, -((weekdayOf(day) - start + 7) % 7))
  if (view === 'week' || view === 'cards') return { from: weekStart(shown), to: moveDay(weekStart(shown), 7) }
  if (view === 'grid') return { from: moveDay(shown, -GRID_DAYS), to: moveDay(shown, GRID_DAYS) }
  const first = weekStart(`${shown.slice(0, 8)}01`)
  const now = today(zone)
  // Past weeks of the current month are folded: late in it, weeks of the next month follow in their place.
  const foldedWeeks = now.startsWith(shown.slice(0, 7)) ? Math.round(daysFrom(first, weekStart(now)) / 7) : 0
  return { from: first, to: moveDay(first, MONTH_DAYS + 7 * Math.min(Math.max(foldedWeeks - 1, 0), 2)) }
}

export type TimeRange = {
  from: string
  to: string
  account?: string | undefined
  group?: AccountGroup | undefined
  label?: string | undefined
  review?: boolean | undefined
  zone: string
}

/** All posts in this range of days, up to 5,000. `review`: also those that wait for review, by the time that is planned. */
export const postsInRangeQuery = (
  { slug, timezone }: Pick<Workspace, 'slug' | 'timezone'>,
  { from, to, account, group, label, review }: Omit<TimeRange, 'zone'>,
) => {
  const span: TimeRange = { from, to, account, group, label, review, zone: timezone }
  return queryOptions({
    queryKey: [...keys.span(slug), span],
    queryFn: async ({ signal }) => {
      const client = workspaceApi(slug)
      const common = {
        limit: 1000,
        ...(account && { account_id: account }),
        ...(group && { account_group_id: group.id }),
        ...(label && { label }),
      }
      const range = {
        from: fromWall(timezone, `${from} 00:00:00`).toISOString(),
        to: fromWall(timezone, `${to} 00:00:00`).toISOString(),
      }
      const read = (filter: typeof range | { review: 'pending' }) =>
        allPages((cursor) => {
          const query = { ...common, ...filter, ...(cursor && { cursor }) }
          return unwrap(client.GET('/api/v1/posts/summaries', { params: { query }, signal }))
        })
      const inRange = await read(range)
      // The later state of a post counts that is approved meanwhile.
      const posts = new Map(
        [...inRange, ...(review && !(await hasNoReviews(slug)) ? await read({ review: 'pending' }) : [])].map(
          (post) => [post.id, post],
        ),
      )
      return mergeInto([...posts.values()].map(newestSummary), withPendingReschedules(slug), span)
    },
  })
}

export const calendarQuery = (workspace: Workspace, search: CalendarSearch, group?: AccountGroup) =>
  postsInRangeQuery(workspace, {
    ...visibleDays(search, workspace.timezone),
    account: search.account,
    group,
    label: search.label,
    review: true,
  })

/** The time at which a post is published, or will be once it is approved. */
export const plannedTime = ({
  status,
  review,
  scheduled_at,
  review_scheduled_at,
}: Pick<Post, 'status' | 'review' | 'scheduled_at' | 'review_scheduled_at'>) =>
  status === 'draft' && review === 'pending' ? review_scheduled_at : scheduled_at

function isWithin(post: PostSummary, { from, to, account, group, label, review, zone }: TimeRange) {
  const time = review ? plannedTime(post) : post.scheduled_at
  return (
    time !== null &&
    new Date(time) >= fromWall(zone, `${from} 00:00:00`) &&
    new Date(time) < fromWall(zone, `${to} 00:00:00`) &&
    (account === undefined || post.targets.some(({ account_id }) => account_id === account)) &&
    (group === undefined || post.targets.some(({ account_id }) => group.account_ids.includes(account_id))) &&
    (label === undefined || post.labels.includes(label.normalize('NFC')))
  )
}

/** Merges changed posts into a range: each once, in its new version, unless no longer in it. */
export function mergeInto(posts: readonly PostSummary[], changed: readonly PostSummary[], span: TimeRange) {
  const ids = new Set(changed.map(({ id }) => id))
  const others = posts.filter(({ id }) => !ids.has(id))
  return [...others, ...changed].filter((post) => isWithin(post, span) && !isDeleted(post))
}

/** The newest known version of each post: an older response may still be under way. */
export const latest = new Map<string, Post>()
/** The last change of each deleted post. Restoring it is a later change. */
export const deletedAt = new Map<string, string>()
/** New times not yet saved: until then the server's times are not shown. */
export const pendingReschedules = new Map<string, { workspace: string; post: PostSummary }>()

export const isDeleted = ({ id, updated_at }: Pick<Post, 'id' | 'updated_at'>) =>
  updated_at <= (deletedAt.get(id) ?? '')

export function newest(post: Post): Post {
  const known = latest.get(post.id)
  return withPendingTime(known && known.updated_at > post.updated_at ? known : post)
}

export function newestSummary(post: PostSummary): PostSummary {
  const known = latest.get(post.id)
  return withPendingTime(known && known.updated_at > post.updated_at ? summaryOf(known) : post)
}

function withPendingTime<P extends PostSummary | Post>(post: P): P {
  const move = pendingReschedules.get(post.id)
  return move ? { ...post, scheduled_at: move.post.scheduled_at } : post
}

/** A post in short, as lists show it. */
export const summaryOf = ({ content, ...post }: Post): PostSummary => ({
  ...post,
  excerpt: content.slice(0, 200),
  thumbnail_url: thumbnailOf(post),
})

/** Only images always have a thumbnail. That of another file is shown once the list is read again. */
function thumbnailOf({ media_ids: [first], media }: Pick<Post, 'media_ids' | 'media'>) {
  const isImage = media.some(({ id, kind }) => id === first && (kind === 'image' || kind === 'gif'))
  return isImage ? `/api/v1/media/${first}/thumbnail` : null
}

const withPendingReschedules = (workspace: string) =>
  [...pendingReschedules.values()].filter((move) => move.workspace === workspace).map(({ post }) => post)
