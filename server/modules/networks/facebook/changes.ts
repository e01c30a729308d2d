import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { isAbsent } from '../meta/graph.ts'
import type { PublishedPost } from '../network.ts'
import { askAsPage } from './api.ts'

/** The text of a video is its description. */
const isVideo = ({ results }: PublishedPost) => fieldsOf(results['post 0']).video_id !== undefined

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const params = isVideo(post) ? { description: text } : { message: text }
  await askAsPage(deps, post, { method: 'POST', path: `/${post.external_id}`, params })
}

/** Facebook deletes the comments with the post. */
export async function remove(deps: Deps, post: PublishedPost) {
  // The post itself has no id yet if what follows it failed.
  const { id, video_id } = fieldsOf(post.results['post 0'])
  try {
    await askAsPage(deps, post, { method: 'DELETE', path: `/${video_id ?? id ?? post.external_id}` })
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown
  }
}
