import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { MINUTE } from '../../../../../shared/time.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { ImportedPost } from './read-row.ts'

const KEY_LENGTH = 24

const keyOf = (account_id: string, minute: number, content: string) =>
  createHash('md5').update(`${account_id} ${minute} ${content.trim()}`).digest('hex').slice(0, KEY_LENGTH)

const minuteOf = (time: string) => Math.floor(new Date(time).getTime() / MINUTE)

/** Keys that two posts have in common which are the same. A draft without a time is never one. */
export const duplicateKeys = ({ content, account_ids, scheduled_at }: ImportedPost) =>
  scheduled_at === null ? [] : account_ids.map((account) => keyOf(account, minuteOf(scheduled_at), content))

/** Keys of the posts of a workspace, for the minutes for which they were read. A job reads each minute once. */
export type KnownPosts = { keys: Set<string>; minutes: Set<number> }

export const noKnownPosts = (): KnownPosts => ({ keys: new Set(), minutes: new Set() })

async function readPostsOf(tx: Tx, workspace_id: string, known: KnownPosts, posts: readonly ImportedPost[]) {
  const named = posts.flatMap(({ scheduled_at }) => (scheduled_at === null ? [] : minuteOf(scheduled_at)))
  const minutes = [...new Set(named)].filter((minute) => !known.minutes.has(minute))
  if (minutes.length === 0) return
  // As one text, because there may be many.
  const { rows } = await sql<{ keys: string | null }>`
    select string_agg(left(md5(account_id || ' ' || minute || ' '
      || btrim(coalesce(t.content, post.content), E' \t\r\n')), ${KEY_LENGTH}::int), ' ') as keys
    from unnest(${minutes}::bigint[]) as minute
      join post on workspace_id = ${workspace_id} and deleted_at is null
        and scheduled_at >= to_timestamp(minute * 60) and scheduled_at < to_timestamp(minute * 60 + 60)
      join post_target t on t.post_id = post.id`.execute(tx)
  for (const minute of minutes) known.minutes.add(minute)
  for (const key of rows[0]?.keys?.split(' ') ?? []) known.keys.add(key)
}

/** The first other row of the import, or a post, that already has each of these keys. */
export async function findTaken(
  tx: Tx,
  { id, workspace_id }: { id: string; workspace_id: string },
  checked: readonly { row: number; post: ImportedPost; keys: string[] }[],
  known: KnownPosts,
) {
  const keys = checked.flatMap((one) => one.keys)
  if (keys.length === 0) return new Map<string, number | 'post'>()
  const { rows } = await sql<{ key: string; row: number }>`
    select key, min(row) as row from (
      select row, unnest(duplicate_keys) as key from post_import_row
      where import_id = ${id} and row <> all(${checked.map(({ row }) => row)}::int[])
    ) as keyed where key = any(${keys}::text[]) group by key`.execute(tx)
  await readPostsOf(
    tx,
    workspace_id,
    known,
    checked.map(({ post }) => post),
  )
  return new Map<string, number | 'post'>([
    ...rows.map(({ key, row }) => [key, row] as const),
    ...keys.filter((key) => known.keys.has(key)).map((key) => [key, 'post'] as const),
  ])
}
