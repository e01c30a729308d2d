import { sql } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'
import type { FeedEntry, ReadItem } from './read-items.ts'

/** Entries of a new feed that are written about: an archive is not poured out. */
const FIRST_ENTRIES = 3
/** New entries of one reading that are written about. */
const MAX_NEW = 20
/** Entries of a feed that are remembered. */
const MAX_KEPT = 2000

type Row = ReadItem & { link_hash: string | null; is_used: boolean }

const insertItems = (source_id: string, rows: readonly Row[]) => sql`
  insert into agent_source_item (source_id, key_hash, link_hash, title, text, url, published_at, is_used)
  select ${source_id}, i.key_hash, i.link_hash, i.title, i.text, i.url, i.published_at, i.is_used
  from rows from (json_to_recordset(${JSON.stringify(rows)}::json)
    as (key_hash text, link_hash text, title text, text text, url text, published_at timestamptz, is_used boolean))
    with ordinality as i(key_hash, link_hash, title, text, url, published_at, is_used, place)
  order by i.place
  on conflict on constraint agent_source_item_key do update
    set title = excluded.title, text = excluded.text, url = excluded.url, published_at = excluded.published_at`

/**
 * Adds the new entries of a feed. They keep the order of their ids, the newest last. One that is known by any of its
 * names is not new: feeds move to https, and lose or get ids.
 */
export async function storeFeed(tx: Tx, source_id: string, entries: readonly FeedEntry[]) {
  const known = await tx
    .selectFrom('agent_source_item')
    .select(['key_hash', 'link_hash'])
    .where('source_id', '=', source_id)
    .execute()
  const keys = new Set(known.flatMap(({ key_hash, link_hash }) => [key_hash, link_hash]))
  const offered = known.length === 0 ? FIRST_ENTRIES : MAX_NEW
  const added = entries.filter((entry) => !entry.known_as.some((key) => keys.has(key)))
  if (added.length === 0) return
  const rows = added.map(({ key_hash, link_hash, read }, place): Row => {
    const isOffered = place < offered
    return isOffered
      ? { ...read(), link_hash, is_used: false }
      : { key_hash, link_hash, title: '', text: '', url: null, published_at: null, is_used: true }
  })
  await insertItems(source_id, rows.toReversed()).execute(tx)
  await sql`delete from agent_source_item where source_id = ${source_id} and id <= (
    select id from agent_source_item where source_id = ${source_id} order by id desc offset ${MAX_KEPT}::int limit 1)`.execute(
    tx,
  )
}

/** Replaces the parts of a page. Parts keep their ids. */
export async function storePage(tx: Tx, source_id: string, parts: readonly ReadItem[]) {
  await tx
    .deleteFrom('agent_source_item')
    .where('source_id', '=', source_id)
    .where(
      'key_hash',
      'not in',
      parts.map(({ key_hash }) => key_hash),
    )
    .execute()
  await insertItems(
    source_id,
    parts.map((part) => ({ ...part, link_hash: null, is_used: false })),
  ).execute(tx)
}
