import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { counted, type NetworkMetrics, type PostMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { withToken } from '../oauth/with-token.ts'
import { askFields, inPath } from './api.ts'

const elementsOf = ({ elements }: Record<string, unknown>) => (Array.isArray(elements) ? elements.map(fieldsOf) : [])

/** Posts of two kinds have a list each in one request. */
const listOf = (name: string, urns: string[]) =>
  urns.length === 0 ? '' : `&${name}=List(${urns.map(inPath).join(',')})`

/** Statistics of posts since they were published. One without any yet is not listed, so it counts as none. */
async function readPosts(deps: Deps, account: OpenAccount, urns: string[]) {
  const shares = urns.filter((urn) => urn.startsWith('urn:li:share:'))
  const ugcPosts = urns.filter((urn) => urn.startsWith('urn:li:ugcPost:'))
  const of = inPath(account.account.external_id)
  const path = `/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${of}${listOf('shares', shares)}${listOf('ugcPosts', ugcPosts)}`
  const statistics = elementsOf(await withToken(account, (token) => askFields(deps, token, { path })))
  return new Map(
    statistics.map((each): [string, PostMetrics] => {
      const total = fieldsOf(each.totalShareStatistics)
      return [
        String(each.share ?? each.ugcPost),
        counted({
          views: total.impressionCount,
          reach: total.uniqueImpressionsCount,
          likes: total.likeCount,
          comments: total.commentCount,
          shares: total.shareCount,
          clicks: total.clickCount,
        }),
      ]
    }),
  )
}

async function readAccount(deps: Deps, account: OpenAccount) {
  const path = `/rest/networkSizes/${inPath(account.account.external_id)}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`
  const { firstDegreeSize } = await withToken(account, (token) => askFields(deps, token, { path }))
  return counted({ followers: firstDegreeSize })
}

/** Numbers of pages. LinkedIn lets statistics of members be kept for two days only. */
export const pageMetrics: NetworkMetrics = {
  posts: ['views', 'reach', 'likes', 'comments', 'shares', 'clicks'],
  account: ['followers'],
  readings: 'often',
  max_posts: 20,
  readPosts,
  readAccount,
}
