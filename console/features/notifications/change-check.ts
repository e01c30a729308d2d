import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, queryClient, unwrapIfChanged, type Workspace } from '../../api'
import type { components } from '../../api.gen'
import { followPosts } from '../posts/follow-posts'
import { isFollowing } from '../posts/following'
import { workspacesQuery } from '../workspaces/queries'

type Pulse = components['schemas']['Pulse']
type Known = { pulse: Pulse; etag: string | null }

const PULSE_MS = 2500

/** Fetches again what another state of the workspace concerns. */
async function follow(slug: string, before: Pulse | undefined, now: Pulse, signal: AbortSignal) {
  const [was, is] = [before?.workspace, now.workspace]
  // The workspace's pages begin to follow by themselves, before the first pulse.
  if (is && (was ? was.posts !== is.posts : !isFollowing(slug))) await followPosts(slug, signal)
  // The user may have been removed from the workspace, or it was deleted.
  if (!is && (before === undefined || was)) void queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
  if (before === undefined) return
  const reload = (...subjects: string[]) => {
    for (const subject of subjects)
      void queryClient.invalidateQueries(
        { queryKey: [subject, slug], predicate: ({ meta }) => meta?.followsPulse !== false },
        // A long list that is being fetched would never arrive while it changes with each pulse.
        { cancelRefetch: false },
      )
  }
  if (is && was) {
    if (was.accounts !== is.accounts) reload('accounts', 'post-counts')
    if (was.posts !== is.posts || was.reviews !== is.reviews) reload('reviews')
    if (was.orders !== is.orders) reload('orders')
    if (was.agents !== is.agents) reload('agents', 'agent', 'agent-runs')
    if (was.webhooks !== is.webhooks) reload('webhooks', 'webhook', 'webhook-stats', 'deliveries', 'delivery')
    if (was.tokens !== is.tokens) reload('tokens')
    if (was.posts !== is.posts) reload('network-posts')
    if (was.posts !== is.posts || was.accounts !== is.accounts || was.webhooks !== is.webhooks) reload('checklist')
  }
  if (before.outbox !== now.outbox) void queryClient.invalidateQueries({ queryKey: ['outbox'] })
  if (before.notifications.newest_id !== now.notifications.newest_id)
    void queryClient.invalidateQueries({ queryKey: ['notifications', 'list'] })
}

const pulseQuery = (workspace: Workspace | undefined) =>
  queryOptions({
    queryKey: ['pulse', workspace?.id],
    queryFn: async ({ queryKey, signal }): Promise<Known> => {
      const known = queryClient.getQueryData<Known>(queryKey)
      const call = api.GET('/api/v1/me/pulse', {
        params: { query: workspace ? { workspace_id: workspace.id } : {} },
        headers: known?.etag ? { 'if-none-match': known.etag } : {},
        signal,
      })
      const pulse = await unwrapIfChanged(call)
      if (pulse === undefined && known) return known
      if (pulse === undefined) throw new Error('There is nothing that this response could refer to')
      if (workspace) await follow(workspace.slug, known?.pulse, pulse, signal)
      return { pulse, etag: (await call).response.headers.get('etag') }
    },
    // TanStack Query pauses this while the page is hidden.
    refetchInterval: PULSE_MS,
    staleTime: 0,
    gcTime: 0,
  })

/** Keeps what the page shows current, with one small call every few seconds. */
export const usePulse = (workspace: Workspace | undefined) => void useQuery(pulseQuery(workspace))

/** The number of unread notifications. It sends no request: the pulse of the shell loads it. */
export const useUnreadCount = (workspace: Workspace | undefined) =>
  useQuery({ ...pulseQuery(workspace), enabled: false }).data?.pulse.notifications.unread ?? 0
