import { fieldsOf } from './calls/call.ts'
import { NetworkFault, type Part, type Publication, type PublishedPost } from './network.ts'

/** A part of a thread, as an adapter sends it. `Sent`: what the adapter keeps of a part that is sent. */
export type ThreadPart<Sent> = {
  part: Part
  /** 0 for the post itself. */
  index: number
  /** Name of its step. It never changes, because journals of posts in flight contain it. */
  name: string
  /** The first part and the part before this one. Undefined for the first part. */
  before: { root: Sent; parent: Sent } | undefined
}

/**
 * Publishes the post and the other parts of its thread, one after another, because a part names the ones before it.
 * Returns the first, which stands for the whole thread.
 *
 * A later attempt begins at the first part again. The step of a part that is published calls nothing, and returns what
 * the journal has stored. So a thread goes on after its last published part, in reply to the same posts.
 */
export async function publishThread<Sent>(
  [post, ...others]: Publication['parts'],
  send: (part: ThreadPart<Sent>) => Promise<Sent>,
): Promise<Sent> {
  const root = await send({ part: post, index: 0, name: 'post 0', before: undefined })
  let parent = root
  for (const [number, part] of others.entries()) {
    const index = number + 1
    parent = await send({ part, index, name: `post ${index}`, before: { root, parent } })
  }
  return root
}

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
