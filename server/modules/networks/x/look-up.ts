import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf, serverTime } from '../calls/call.ts'
import { lettersOf } from '../text/letters.ts'
import { ask } from './api.ts'
import type { Authorize } from './authorization.ts'

type Sought = { text: string; in_reply_to: string | null; files: number; begunAt: Date }

const listOf = (value: unknown) => (Array.isArray(value) ? value : []).map(fieldsOf)

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** The text as it was written: X shortens links, adds one for each file, and escapes three characters. */
function writtenText(post: Record<string, unknown>) {
  let text = String(post.text ?? '')
  // A function, because a link can have what a replacement text reads as a pattern.
  for (const { url, expanded_url, media_key } of listOf(fieldsOf(post.entities).urls))
    if (typeof url === 'string') text = text.replace(url, () => (media_key === undefined ? String(expanded_url) : ''))
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
}

/** Without the beginning of links, which X adds to those that were written without it. */
const comparable = (text: string) => lettersOf(text.replace(/https?:\/\//gi, ''))

/** Looks for a post among the newest of the user. X bills each post that it returns, so it is a short list. */
export async function findPost(
  deps: Deps,
  authorize: Authorize,
  user_id: string,
  { text, in_reply_to, files, begunAt }: Sought,
): Promise<{ id: string } | 'absent'> {
  const query = new URLSearchParams({
    max_results: '10',
    'post.fields': 'created_at,entities,attachments',
    expansions: 'referenced_posts',
  })
  const reply = await ask(deps, authorize, { path: `/2/users/${user_id}/tweets?${query}` })
  const since = serverTime(deps, reply, begunAt).getTime()
  const match = listOf(fieldsOf(jsonOf(reply)).data).find((post) => {
    // Its name was changed in the description of the API, and not in every response.
    const parent = listOf(post.referenced_posts ?? post.referenced_tweets).find(({ type }) => type === 'replied_to')
    const keys = fieldsOf(post.attachments).media_keys
    return (
      Date.parse(String(post.created_at)) >= since &&
      (parent?.id ?? null) === in_reply_to &&
      (Array.isArray(keys) ? keys.length : 0) === files &&
      comparable(writtenText(post)) === comparable(text)
    )
  })
  return typeof match?.id === 'string' ? { id: match.id } : 'absent'
}
