import type { Deps } from '../../../lib/deps.ts'
import { isAbsent } from '../meta/graph.ts'
import { insightsOf } from '../meta/insights.ts'
import { counted, type NetworkMetrics, type PostMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { ask } from './api.ts'

async function readPosts(deps: Deps, account: OpenAccount, ids: string[]) {
  const read = new Map<string, PostMetrics>()
  for (const id of ids)
    try {
      const params = { metric: 'views,likes,replies,reposts,quotes,shares' }
      const { views, likes, replies, reposts, quotes } = insightsOf(
        await ask(deps, account, { path: `/${id}/insights`, params }),
      )
      read.set(id, counted({ views, likes, comments: replies, shares: reposts, quotes }))
    } catch (thrown) {
      if (!isAbsent(thrown)) throw thrown
    }
  return read
}

async function readAccount(deps: Deps, account: OpenAccount) {
  const { external_id } = account.account
  const params = { metric: 'followers_count' }
  const { followers_count } = insightsOf(await ask(deps, account, { path: `/${external_id}/threads_insights`, params }))
  return counted({ followers: followers_count })
}

export const metrics: NetworkMetrics = {
  posts: ['views', 'likes', 'comments', 'shares', 'quotes'],
  account: ['followers'],
  readings: 'often',
  max_posts: 20,
  readPosts,
  readAccount,
}
