import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import type { PublishedPost } from '../network.ts'
import { publishedIds } from '../part-results.ts'
import { ask } from './server.ts'

/** Changes the text. A change without the files, the warning and the language would remove them. */
export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const path = `/api/v1/statuses/${encodeURIComponent(post.external_id)}`
  const status = fieldsOf(jsonOf(await ask(deps, post, path)))
  const files = Array.isArray(status.media_attachments) ? status.media_attachments.map(fieldsOf) : []
  // The post itself has the warning as HTML on some servers.
  const source = fieldsOf(jsonOf(await ask(deps, post, `${path}/source`)))
  const json = {
    status: text,
    spoiler_text: source.spoiler_text ?? status.spoiler_text ?? '',
    sensitive: status.sensitive === true,
    media_ids: files.map(({ id }) => id),
    ...(typeof status.language === 'string' && { language: status.language }),
  }
  await ask(deps, post, path, { method: 'PUT', json })
}

/** Deletes the comment and the parts of the thread, the last first, so that nothing is left in reply to nothing. */
export async function remove(deps: Deps, post: PublishedPost) {
  for (const id of publishedIds(post).reverse()) {
    const path = `/api/v1/statuses/${encodeURIComponent(id)}?delete_media=true`
    await ask(deps, post, path, { method: 'DELETE', accept: 404 })
  }
}
