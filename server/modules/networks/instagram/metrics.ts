import type { Deps } from '../../../lib/deps.ts'
import { isAbsent } from '../meta/graph.ts'
import { insightsOf } from '../meta/insights.ts'
import { counted, type NetworkMetrics, type PostMetrics } from '../metrics.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import type { InstagramApi } from './api.ts'

/** Numbers over one of the APIs. */
export function metricsBy({ ask, pathOf }: InstagramApi): NetworkMetrics {
  /** Needs a permission of its own. Without it the post still has its likes and comments. */
  async function readInsights(deps: Deps, account: OpenAccount, id: string) {
    try {
      const params = { metric: 'views,reach,saved,shares' }
      return insightsOf(await ask(deps, account, { path: `/${id}/insights`, params }))
    } catch (thrown) {
      if (thrown instanceof NetworkFault && thrown.failure.kind === 'failed') return {}
      throw thrown
    }
  }

  async function readPosts(deps: Deps, account: OpenAccount, ids: string[]) {
    const read = new Map<string, PostMetrics>()
    for (const id of ids)
      try {
        const params = { fields: 'like_count,comments_count' }
        const { like_count, comments_count } = await ask(deps, account, { path: `/${id}`, params })
        const { views, reach, saved, shares } = await readInsights(deps, account, id)
        read.set(id, counted({ views, reach, likes: like_count, comments: comments_count, shares, saves: saved }))
      } catch (thrown) {
        if (!isAbsent(thrown)) throw thrown
      }
    return read
  }

  async function readAccount(deps: Deps, account: OpenAccount) {
    const params = { fields: 'followers_count,follows_count,media_count' }
    const { followers_count, follows_count, media_count } = await ask(deps, account, { path: pathOf(account), params })
    return counted({ followers: followers_count, following: follows_count, posts: media_count })
  }

  return {
    posts: ['views', 'reach', 'likes', 'comments', 'shares', 'saves'],
    account: ['followers', 'following', 'posts'],
    readings: 'often',
    max_posts: 20,
    readPosts,
    readAccount,
  }
}
