import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { isAbsent } from '../meta/graph.ts'
import type { PublishedPost } from '../network.ts'
import { partResults } from '../part-results.ts'
import { ask } from './api.ts'

const isPost = (result: unknown): result is { id: string } => typeof fieldsOf(result).id === 'string'

/** Deletes the parts of the thread, the last first, so that nothing is left in reply to nothing. */
export async function remove(deps: Deps, post: PublishedPost) {
  for (const { id } of partResults(post, isPost).toReversed())
    try {
      await ask(deps, post, { method: 'DELETE', path: `/${id}` })
    } catch (thrown) {
      if (!isAbsent(thrown)) throw thrown
    }
}
