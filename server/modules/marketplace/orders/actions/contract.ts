import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type FieldError, invalid, problem, toMessage } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { readMediaForPost } from '../../../media/media.ts'
import { selectPosts } from '../../../posts/record/select-posts.ts'
import { filePath } from '../record/order-files.ts'
import type { ContractPosts } from '../record/orders.schema.ts'
import type { DeliveryInput } from './actions.schema.ts'

/** Bytes of a contract as JSON, so that every event with it fits. */
const MAX_BYTES = 120_000
const MAX_LINKS = 100
const MAX_FILES = 100

type Input = Static<typeof DeliveryInput>
type StoredFile = Awaited<ReturnType<typeof readMediaForPost>>[number]

/**
 * Copies what a delivery names, so that later changes of a post or its deletion change nothing. The files cannot be
 * deleted until the transaction ends. Throws for what is not in the workspace.
 */
export async function copyDelivery(tx: Tx, order_id: string, workspace_id: string, { posts }: Input) {
  const found = await readPosts(
    tx,
    workspace_id,
    posts.flatMap(({ post_id }) => post_id ?? []),
  )
  const partsOf = (input: Input['posts'][number]) => found.get(input.post_id?.toLowerCase() ?? '')
  const ids = posts.flatMap((input) => input.media_id ?? partsOf(input)?.media_ids ?? [])
  const files = new Map((await readMediaForPost(tx, workspace_id, ids)).map((file) => [file.id, file]))
  const faults = posts.flatMap((input, index) => faultOf(input, index, { found, files }))
  if (faults.length > 0) throw problem('validation_failed', { errors: faults })
  const shown = (media_ids: string[]) =>
    media_ids.flatMap((id) => {
      const file = files.get(id.toLowerCase())
      return file ? [{ media_id: file.id, name: file.name, kind: file.kind, url: filePath(order_id, file.id) }] : []
    })
  const contract: ContractPosts = posts.map((input) => {
    const nothing = { post_id: null, media_id: null, url: null, content: null, files: [], links: [] }
    if (input.url !== undefined) return { ...nothing, url: input.url }
    if (input.media_id !== undefined)
      return { ...nothing, media_id: input.media_id.toLowerCase(), files: shown([input.media_id]) }
    const post = partsOf(input)
    if (!post) return nothing
    return {
      ...nothing,
      post_id: post.id,
      content: post.content.slice(0, 65_536),
      files: shown(post.media_ids).slice(0, MAX_FILES),
      links: post.links.slice(0, MAX_LINKS),
    }
  })
  if (Buffer.byteLength(JSON.stringify(contract)) > MAX_BYTES)
    throw invalid('/posts', 'The texts of these posts are too long for one delivery.', 'too_large')
  return { contract, media_ids: [...files.keys()] }
}

type Found = Awaited<ReturnType<typeof readPosts>>

/** Posts of the workspace with the texts of their threads, all their files, and their addresses on networks. */
async function readPosts(tx: Tx, workspace_id: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await selectPosts(tx)
    .where('post.workspace_id', '=', workspace_id)
    .where(sql<boolean>`post.id = any(${ids}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ id, content, media_ids, thread, targets }) => {
      const parts = thread ?? []
      return [
        id,
        {
          id,
          content: [content, ...parts.map((part) => part.content)].join('\n\n'),
          media_ids: [...new Set([...media_ids, ...parts.flatMap((part) => part.media_ids)])],
          links: [...new Set(targets.flatMap(({ url }) => url ?? []))],
        },
      ]
    }),
  )
}

const fault = (pointer: string, en: string, tr: string): FieldError => ({
  pointer,
  code: 'invalid',
  ...toMessage({ en, tr }),
})

function faultOf(
  { post_id, media_id, url }: Input['posts'][number],
  index: number,
  { found, files }: { found: Found; files: ReadonlyMap<string, StoredFile> },
): FieldError[] {
  const at = `/posts/${index}`
  if (post_id !== undefined)
    return found.has(post_id.toLowerCase())
      ? []
      : [fault(`${at}/post_id`, 'This post does not exist.', 'Bu gönderi yok.')]
  if (media_id !== undefined)
    return files.has(media_id.toLowerCase())
      ? []
      : [fault(`${at}/media_id`, 'This file does not exist.', 'Bu dosya yok.')]
  return isLink(url ?? '')
    ? []
    : [fault(`${at}/url`, 'This must be a link with https.', 'https ile bir bağlantı olmalı.')]
}

/** Whether browsers open it as a page, and nothing in it hides where it leads. */
function isLink(text: string) {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\s\p{C}]/u.test(text)
}
