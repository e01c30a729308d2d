import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { idOf, rowsOf, rowsSince } from '../meta/graph.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { lettersOf } from '../text/letters.ts'
import { addressOf, cursorOf, replyToPage } from './api.ts'

/** A post as the steps store it. */
export type Post = { id: string; url: string | null }

/** Pages of 50 that are searched for a lost post or comment. */
const MAX_PAGES = 10

type Row = Record<string, unknown>

/** Searches a list, whose newest row is first, for one that was made since a step began. */
async function findSince(
  deps: Deps,
  account: OpenAccount,
  { path, params, begunAt, isSought }: { path: string; params: Row; begunAt: Date; isSought: (row: Row) => boolean },
): Promise<Row | 'absent'> {
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply = await replyToPage(deps, account, { path, params: { ...params, limit: 50, after } })
    const list = fieldsOf(jsonOf(reply))
    const recent = rowsSince(deps, reply, { field: 'created_time', begunAt })
    const match = recent.find(isSought)
    if (match) return match
    after = cursorOf(list)
    if (after === undefined || recent.length < rowsOf(list).length) return 'absent'
  }
  throw new NetworkFault({ kind: 'unconfirmed', message: 'The Page has too many new posts to find a lost one.' })
}

/** Looks for a post by its text and its number of photos. Facebook stores no key that Meydan could choose. */
export async function findPost(
  deps: Deps,
  account: OpenAccount,
  { message, photos, begunAt }: { message: string; photos: readonly string[]; begunAt: Date },
): Promise<Post | 'absent'> {
  const post = await findSince(deps, account, {
    path: `/${account.account.external_id}/published_posts`,
    params: {
      fields: 'id,message,created_time,permalink_url,attachments{media_type,subattachments.limit(20){media_type}}',
    },
    begunAt,
    // The card of a link can be a photo or a video, too.
    isSought: (row) => isText(row, message) && (photos.length === 0 || photosOf(row) === photos.length),
  })
  return post === 'absent' ? post : { id: idOf(post), url: addressOf(post) }
}

/** Looks for a comment of the Page below a post. */
export async function findComment(
  deps: Deps,
  account: OpenAccount,
  { post, message, begunAt }: { post: Post; message: string; begunAt: Date },
) {
  const comment = await findSince(deps, account, {
    path: `/${post.id}/comments`,
    params: { fields: 'id,message,created_time,from{id}', filter: 'stream', order: 'reverse_chronological' },
    begunAt,
    isSought: (row) => isText(row, message) && fieldsOf(row.from).id === account.account.external_id,
  })
  return comment === 'absent' ? comment : { id: idOf(comment) }
}

const isText = ({ message }: Row, text: string) =>
  lettersOf(typeof message === 'string' ? message : '') === lettersOf(text)

/** The number of photos of a post. An album has them in a list of its own. */
function photosOf({ attachments }: Row): number {
  const files = rowsOf(fieldsOf(attachments)).flatMap((attachment) => {
    const inside = rowsOf(fieldsOf(attachment.subattachments))
    return inside.length > 0 ? inside : [attachment]
  })
  return files.filter(({ media_type }) => media_type === 'photo').length
}
