import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { counted, type NetworkMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { ask, askData } from './api.ts'
import { asAccount } from './authorization.ts'

async function readPosts(deps: Deps, account: OpenAccount, ids: string[]) {
  const query = new URLSearchParams({ ids: ids.join(','), 'post.fields': 'public_metrics' })
  const reply = await asAccount(deps, account, (authorize) => ask(deps, authorize, { path: `/2/tweets?${query}` }))
  const { data } = fieldsOf(jsonOf(reply))
  return new Map(
    (Array.isArray(data) ? data : []).map(fieldsOf).map(({ id, public_metrics }) => {
      const numbers = fieldsOf(public_metrics)
      const { impression_count, like_count, reply_count, quote_count, bookmark_count } = numbers
      return [
        String(id),
        counted({
          views: impression_count,
          likes: like_count,
          comments: reply_count,
          // Its name was changed in the description of the API, and not in every response.
          shares: numbers.repost_count ?? numbers.retweet_count,
          quotes: quote_count,
          saves: bookmark_count,
        }),
      ]
    }),
  )
}

async function readAccount(deps: Deps, account: OpenAccount) {
  const path = '/2/users/me?user.fields=public_metrics'
  const user = await asAccount(deps, account, (authorize) => askData(deps, authorize, { path }))
  const { followers_count, following_count, post_count, tweet_count } = fieldsOf(user.public_metrics)
  return counted({ followers: followers_count, following: following_count, posts: post_count ?? tweet_count })
}

export const metrics: NetworkMetrics = {
  posts: ['views', 'likes', 'comments', 'shares', 'quotes', 'saves'],
  account: ['followers', 'following', 'posts'],
  // X bills each post and each user that it returns.
  readings: 'seldom',
  max_posts: 100,
  readPosts,
  readAccount,
}
