import type { Deps } from '../../../lib/deps.ts'
import { counted, type NetworkMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { callServer } from './repository.ts'

/** Reads at most 25 posts: the limit of the method. */
const readPosts = (deps: Deps, account: OpenAccount, uris: string[]) =>
  callServer(deps, account, async (methods) => {
    const { data } = await methods.app.bsky.feed.getPosts({ uris })
    return new Map(
      data.posts.map(({ uri, likeCount, replyCount, repostCount, quoteCount, bookmarkCount }) => [
        uri,
        counted({
          likes: likeCount,
          comments: replyCount,
          shares: repostCount,
          quotes: quoteCount,
          saves: bookmarkCount,
        }),
      ]),
    )
  })

const readAccount = (deps: Deps, account: OpenAccount) =>
  callServer(deps, account, async (methods) => {
    const { data } = await methods.app.bsky.actor.getProfile({ actor: account.account.external_id })
    return counted({ followers: data.followersCount, following: data.followsCount, posts: data.postsCount })
  })

export const metrics: NetworkMetrics = {
  posts: ['likes', 'comments', 'shares', 'quotes', 'saves'],
  account: ['followers', 'following', 'posts'],
  readings: 'often',
  max_posts: 25,
  readPosts,
  readAccount,
}
