import { sql } from 'kysely'
import { prepared } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Part, Publication, Published, PublishedPost } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'

/** Publishes each part by one statement, which leaves one row however often it runs. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, first_comment, step } = publication
  const comment: Part[] = first_comment === null ? [] : [{ text: first_comment, media: [] }]
  let reply_to_id: string | null = null
  let first = ''
  for (const [index, part] of [...parts, ...comment].entries()) {
    const isPart = index < parts.length
    const replyTo: string | null = reply_to_id
    reply_to_id = await step(isPart ? `post ${index}` : 'comment', {
      run: () => insertPost(deps, publication, { part, index, reply_to_id: replyTo }),
      ifLost: 'repeat',
      ...(isPart && { part: index }),
    })
    first ||= reply_to_id
  }
  return { external_id: first, url: `${deps.baseUrl}/playground/${first}` }
}

async function insertPost(
  { db }: Deps,
  { account, key, now }: Publication,
  { part: { text, media }, index, reply_to_id }: { part: Part; index: number; reply_to_id: string | null },
) {
  const attempt_key = index === 0 ? key : `${key}:${index}`
  const [post] = await upsertPost(db, {
    workspace_id: account.workspace_id,
    account_id: account.id,
    attempt_key,
    content: text,
    media_ids: media.map((file) => file.id),
    reply_to_id,
    created_at: now,
  })
  if (!post) throw new Error('PostgreSQL returned no row')
  return post.id
}

type PostRow = {
  workspace_id: string
  account_id: string
  attempt_key: string
  content: string
  media_ids: string[]
  reply_to_id: string | null
  created_at: Date
}
const upsertPost = prepared((db, row: PostRow) =>
  db
    .insertInto('playground_post')
    .values({
      workspace_id: row.workspace_id,
      account_id: row.account_id,
      attempt_key: row.attempt_key,
      content: row.content,
      media_ids: row.media_ids,
      reply_to_id: row.reply_to_id,
      created_at: row.created_at,
    })
    .onConflict((conflict) =>
      conflict.column('attempt_key').doUpdateSet({ content: row.content, media_ids: row.media_ids }),
    )
    .returning('id'),
)

const postOf = ({ account, external_id }: OpenAccount & Published) =>
  sql<boolean>`id = ${external_id} and account_id = ${account.id}`

export const edit = async ({ db }: Deps, post: PublishedPost, text: string) => {
  await db.updateTable('playground_post').set({ content: text }).where(postOf(post)).execute()
}

/** Deletes the replies with it. */
export const remove = async ({ db }: Deps, post: PublishedPost) => {
  await db.deleteFrom('playground_post').where(postOf(post)).execute()
}
