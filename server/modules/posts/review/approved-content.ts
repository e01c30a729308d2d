import { isDeepStrictEqual } from 'node:util'
import type { StoredPart } from '../posts.schema.ts'
import type { NewTarget } from '../targets.ts'

/** All that readers see of a post, and the accounts on which they see it. An approval is for this. */
type Content = {
  content: string
  media_ids: string[]
  thread: StoredPart[]
  first_comment: string | null
  targets: NewTarget[]
}

const contentOf = ({ content, media_ids, thread, first_comment, targets }: Content): Content => ({
  ...{ content, media_ids, thread, first_comment },
  targets: targets.map(({ account_id, content, media_ids, thread, first_comment, options }) => ({
    ...{ account_id, content, media_ids, thread, first_comment, options },
  })),
})

/** Whether `changes` make a post another than the one that was approved. */
export const changesContent = (post: Content, changes: Partial<Content>) =>
  !isDeepStrictEqual(contentOf({ ...post, ...changes }), contentOf(post))
