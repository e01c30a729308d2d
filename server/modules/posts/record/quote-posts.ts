import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { quoted } from '../../../lib/text.ts'

const MAX_POSTS = 5
const MAX_LENGTH = 60

/** Quotes the first posts of a mail with their times, which `format` writes, and counts the others. */
export function quotePosts(posts: readonly { content: string; time: Date | null }[], format: Intl.DateTimeFormat) {
  const shown = posts
    .slice(0, MAX_POSTS)
    .map(
      ({ content, time }) =>
        `“${quoted(withMentionNames(content), MAX_LENGTH)}”${time ? ` (${format.format(time)})` : ''}`,
    )
  const more = posts.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` +${more}` : ''}`
}
