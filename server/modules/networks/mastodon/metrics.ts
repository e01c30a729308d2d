import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { counted, type NetworkMetrics, type PostMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { ask } from './server.ts'

/** One call each: older servers and other software have none for several posts. */
async function readPosts(deps: Deps, account: OpenAccount, ids: string[]) {
  const read = new Map<string, PostMetrics>()
  for (const id of ids) {
    const reply = await ask(deps, account, `/api/v1/statuses/${encodeURIComponent(id)}`, { accept: 404 })
    if (reply.status === 404) continue
    const status = fieldsOf(jsonOf(reply))
    read.set(
      id,
      counted({
        likes: status.favourites_count,
        comments: status.replies_count,
        shares: status.reblogs_count,
        quotes: status.quotes_count,
      }),
    )
  }
  return read
}

async function readAccount(deps: Deps, account: OpenAccount) {
  const reply = await ask(deps, account, '/api/v1/accounts/verify_credentials')
  const { followers_count, following_count, statuses_count } = fieldsOf(jsonOf(reply))
  return counted({ followers: followers_count, following: following_count, posts: statuses_count })
}

export const metrics: NetworkMetrics = {
  posts: ['likes', 'comments', 'shares', 'quotes'],
  account: ['followers', 'following', 'posts'],
  readings: 'often',
  max_posts: 20,
  readPosts,
  readAccount,
}
