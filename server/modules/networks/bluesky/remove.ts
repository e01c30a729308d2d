import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import type { PublishedPost } from '../network.ts'
import { keyOf } from './publish.ts'
import { POST, POSTGATE, THREADGATE } from './record.ts'
import { deleteRecord } from './repository.ts'

/** Deletes the parts of the thread, the last first, with their settings. Deleting a record again is a success. */
export async function remove(deps: Deps, post: PublishedPost) {
  const gates = post.results
  for (const [index, rkey] of keysOf(post).reverse()) {
    if (`postgate ${index}` in gates) await deleteRecord(deps, post, { collection: POSTGATE, rkey })
    if (index === 0 && 'threadgate' in gates) await deleteRecord(deps, post, { collection: THREADGATE, rkey })
    await deleteRecord(deps, post, { collection: POST, rkey })
  }
}

/** The parts by their index, with their record keys. */
function keysOf({ external_id, results }: PublishedPost): [number, string][] {
  const keys = Object.entries(results).flatMap(([name, result]): [number, string][] => {
    const { uri } = fieldsOf(result)
    const [, index] = /^post (\d+)$/.exec(name) ?? []
    return index !== undefined && typeof uri === 'string' ? [[Number(index), keyOf({ uri })]] : []
  })
  return keys.length > 0 ? keys : [[0, keyOf({ uri: external_id })]]
}
