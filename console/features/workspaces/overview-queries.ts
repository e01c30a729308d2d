import { queryClient, type Workspace } from '../../api'
import { moveDay, today } from '../../ui/text/time-zone'
import { accountsQuery, prefetchAccounts, scheduledCountQuery } from '../accounts/queries'
import { orderCountsQuery } from '../marketplace/orders/order-queries'
import { usageQuery } from '../plans/queries'
import { postCountsQuery, postsInRangeQuery } from '../posts/queries'
import { needsAttention, statsQuery, webhooksQuery } from '../webhooks/queries'
import { checklistQuery, isAtLeast } from './queries'

/** The posts of the last seven days and of the next seven. */
export function postsAroundTodayQuery(workspace: Workspace) {
  const day = today(workspace.timezone)
  return postsInRangeQuery(workspace, { from: moveDay(day, -7), to: moveDay(day, 8) })
}

/** Loads all that the overview shows, so that no part of it moves another when it arrives. */
export async function prefetchOverview(workspace: Workspace) {
  const { slug } = workspace
  await Promise.all([
    prefetchAccounts(slug),
    queryClient.prefetchQuery(checklistQuery(slug)),
    queryClient.prefetchQuery(postsAroundTodayQuery(workspace)),
    queryClient.prefetchQuery(webhooksQuery(slug)),
    queryClient.prefetchQuery(usageQuery(slug)),
    ...(isAtLeast(workspace, 'editor') ? [queryClient.prefetchQuery(postCountsQuery(slug))] : []),
    ...(isAtLeast(workspace, 'admin') ? [queryClient.prefetchQuery(orderCountsQuery(slug))] : []),
  ])
  const accounts = queryClient.getQueryData(accountsQuery(slug).queryKey) ?? []
  const webhooks = queryClient.getQueryData(webhooksQuery(slug).queryKey) ?? []
  await Promise.all([
    ...accounts
      .filter(({ status }) => status === 'disconnected')
      .map(({ id }) => queryClient.prefetchQuery(scheduledCountQuery(slug, id))),
    ...webhooks.filter(needsAttention).map(({ id }) => queryClient.prefetchQuery(statsQuery(slug, id, '24h'))),
  ])
}
