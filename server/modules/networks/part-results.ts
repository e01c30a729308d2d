import { fieldsOf } from './calls/call.ts'
import { NetworkFault, type PublishedPost } from './network.ts'

/**
 * The results of the steps `post 0`, `post 1` and so on, at least one. Throws if the network gave none for a part, which
 * only a person has seen there.
 */
export function partResults<Sent extends object>(
  { results }: PublishedPost,
  isSent: (result: unknown) => result is Sent,
): [Sent, ...Sent[]] {
  const [first, ...others] = Object.keys(results)
    .map((_, index) => results[`post ${index}`])
    .filter((result) => result !== undefined)
  if (isSent(first) && others.every(isSent)) return [first, ...others]
  const message = 'The response with its id was lost. Change or delete it on the network.'
  throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
}

/** The ids of all that a post left at the network: its parts, and the comment below it. */
export function publishedIds({ external_id, results }: PublishedPost) {
  const ids = Object.entries(results).flatMap(([name, result]) => {
    const { id } = fieldsOf(result)
    return /^(post \d+|comment)$/.test(name) && typeof id === 'string' ? [id] : []
  })
  return ids.length > 0 ? ids : [external_id]
}
