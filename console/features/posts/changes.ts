import { type Post, type PostSummary, queryClient } from '../../api'
import { accountsQuery } from '../accounts/queries'
import {
  deletedAt,
  deletedPostsQuery,
  isDeleted,
  keys,
  latest,
  mergeInto,
  newest,
  newestSummary,
  pendingReschedules,
  postCountsQuery,
  summaryOf,
  type TimeRange,
} from './queries'

/** Whether this version is newer than the known one. */
export const isNewer = ({ id, updated_at }: Post) => updated_at > (latest.get(id)?.updated_at ?? '')

/** Updates posts everywhere they are shown. Refetches lists: the server orders them. */
export function showPosts(workspace: string, posts: readonly Post[]) {
  for (const post of posts) if (isNewer(post)) latest.set(post.id, post)
  const shown = posts.filter((post) => !isDeleted(post)).map(newest)
  if (shown.length === 0) return
  for (const post of shown) queryClient.setQueryData(keys.one(workspace, post.id), post)
  updateRanges(workspace, (known, span) => mergeInto(known, shown.map(summaryOf), span))
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
  void queryClient.invalidateQueries({ queryKey: ['checklist', workspace] })
  const lost = shown.some(({ targets }) => targets.some(({ error_code }) => error_code === 'account_disconnected'))
  if (lost) void queryClient.invalidateQueries({ queryKey: accountsQuery(workspace).queryKey })
  recount(workspace, shown)
}

export const showPost = (workspace: string, post: Post) => showPosts(workspace, [post])

/** `at`: a server time; restoring the post is a later change. */
export function hidePost(workspace: string, id: string, at: string) {
  if (at <= (deletedAt.get(id) ?? '')) return
  deletedAt.set(id, at)
  updateRanges(workspace, (known) => known.filter((post) => post.id !== id))
  void queryClient.invalidateQueries({ queryKey: deletedPostsQuery(workspace).queryKey })
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
  recount(workspace, [])
}

/** Shows a post at another time until `settleReschedule` is called. */
export function showReschedule(workspace: string, post: PostSummary | Post, scheduled_at: string) {
  const summary = 'content' in post ? summaryOf(post) : post
  pendingReschedules.set(post.id, { workspace, post: { ...summary, scheduled_at } })
  showSummary(workspace, summary)
}

/** `post`: the saved post, or the former one if saving failed. */
export function settleReschedule(workspace: string, post: PostSummary | Post) {
  pendingReschedules.delete(post.id)
  if ('content' in post) showPost(workspace, post)
  else showSummary(workspace, post)
}

/** Shows the time of a post, of which the text is not known, everywhere. */
function showSummary(workspace: string, post: PostSummary) {
  updateRanges(workspace, (known, span) => mergeInto(known, [newestSummary(post)], span))
  queryClient.setQueryData<Post>(keys.one(workspace, post.id), (known) => known && newest(known))
  void queryClient.invalidateQueries({ queryKey: keys.list(workspace) })
}

function updateRanges(workspace: string, change: (known: PostSummary[], span: TimeRange) => PostSummary[]) {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: keys.span(workspace) })) {
    const known = query.state.data as PostSummary[] | undefined
    if (known) queryClient.setQueryData(query.queryKey, change(known, query.queryKey[3] as TimeRange))
  }
}

/** Counts again, unless these changes cannot have changed the number. */
function recount(workspace: string, changed: readonly Post[]) {
  const query = postCountsQuery(workspace)
  const { failed = 0, in_review = 0, held = 0 } = queryClient.getQueryData(query.queryKey) ?? {}
  const mayCount = ({ status, review, held }: Post) =>
    status === 'failed' || status === 'partially_published' || review === 'pending' || held !== null
  if (failed + in_review + held > 0 || changed.some(mayCount))
    void queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
}
