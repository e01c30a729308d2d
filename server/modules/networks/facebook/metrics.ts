import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { isAbsent } from '../meta/graph.ts'
import { counted, type NetworkMetrics, type PostMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { askAsPage } from './api.ts'

const totalOf = (list: unknown) => fieldsOf(fieldsOf(list).summary).total_count

const FIELDS = 'reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count)'
/** Videos and photos have ids without the Page, and no field for shares. */
const fieldsFor = (id: string) => (id.includes('_') ? `${FIELDS},shares` : FIELDS)

async function readPosts(deps: Deps, account: OpenAccount, ids: string[]) {
  const read = new Map<string, PostMetrics>()
  for (const id of ids)
    try {
      const post = await askAsPage(deps, account, { path: `/${id}`, params: { fields: fieldsFor(id) } })
      // A post without shares has no such field.
      const shares = id.includes('_') ? (fieldsOf(post.shares).count ?? 0) : undefined
      read.set(id, counted({ likes: totalOf(post.reactions), comments: totalOf(post.comments), shares }))
    } catch (thrown) {
      if (!isAbsent(thrown)) throw thrown
    }
  return read
}

async function readAccount(deps: Deps, account: OpenAccount) {
  const { external_id } = account.account
  const { followers_count } = await askAsPage(deps, account, {
    path: `/${external_id}`,
    params: { fields: 'followers_count' },
  })
  return counted({ followers: followers_count })
}

export const metrics: NetworkMetrics = {
  posts: ['likes', 'comments', 'shares'],
  account: ['followers'],
  readings: 'often',
  max_posts: 20,
  readPosts,
  readAccount,
}
