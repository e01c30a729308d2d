/** Compares what Meydan acknowledged with what the database holds and the receiver got. */
import type { LoadRecord, Setup } from './load.ts'
import { query, type Site } from './site.ts'

/** Ids of events by which the clock of a database may be behind are read again, so `known` leaves them out. */
async function newEvents(site: Site, known: Set<string>) {
  const rows = await query<{ id: string }>(
    site,
    `select id from event where created_at > (select max(created_at) - interval '1 hour' from event)`,
  )
  return rows.map(({ id }) => id).filter((id) => !known.has(id))
}

const publishedTexts = (site: Site, tag: string) =>
  query<{ content: string; count: number }>(
    site,
    'select content, count(*)::int as count from playground_post where content like $1 group by content',
    [`${tag} %`],
  )

/** How much has not been published or delivered yet. */
export async function countLeft(site: Site, { tag, posts }: LoadRecord, { receiver, known }: Setup) {
  const there = new Set((await publishedTexts(site, tag)).map(({ content }) => content))
  const events = await newEvents(site, known)
  return {
    unpublished: [...posts].filter(([content, id]) => id && !there.has(content)).length,
    undelivered: events.filter((id) => !receiver.counts.has(id)).length,
  }
}

export type Losses = Awaited<ReturnType<typeof countLosses>>

/** Counts the losses of a load. Its events are known afterwards. */
export async function countLosses(site: Site, record: LoadRecord, setup: Setup) {
  const { tag, posts, paid, completed } = record
  const { unpublished, undelivered } = await countLeft(site, record, setup)
  const kept = await query<{ id: string; content: string }>(
    site,
    'select id, content from post where content like $1',
    [`${tag} %`],
  )
  const ids = new Set(kept.map(({ id }) => id))
  const published = await publishedTexts(site, tag)
  const moves = await moneyMoves(site)
  const events = await newEvents(site, setup.known)
  for (const id of events) setup.known.add(id)
  const acknowledged = [...posts.values()].filter((id) => id !== undefined)
  return {
    acknowledged: acknowledged.length + paid.size + completed.size,
    lost:
      acknowledged.filter((id) => !ids.has(id)).length +
      [...paid].filter((id) => !moves.has(`order_payment ${id}`)).length +
      [...completed].filter((id) => !moves.has(`order_closed ${id}`)).length,
    posts: acknowledged.length,
    unpublished,
    doubled:
      published.filter(({ count }) => count > 1).length + kept.length - new Set(kept.map((row) => row.content)).size,
    deliveries: events.length,
    undelivered,
    repeated: events.filter((id) => (setup.receiver.counts.get(id) ?? 0) > 1).length,
    moves: paid.size + completed.size,
    movedTwice: [...moves.values()].filter((count) => count > 1).length,
  }
}

/** How often the money of each order moved into and out of its escrow. */
async function moneyMoves(site: Site) {
  const rows = await query<{ order_id: string; kind: string; count: number }>(
    site,
    `select account.owner as order_id, transaction.kind, count(*)::int as count
      from ledger_transaction as transaction
      join ledger_entry as entry on entry.transaction_id = transaction.id
      join ledger_account as account on account.id = entry.account_id
      where account.kind = 'escrow' group by 1, 2`,
  )
  return new Map(rows.map(({ order_id, kind, count }) => [`${kind} ${order_id}`, count]))
}

/** Whether the primary has both replicas, one of which confirms its commits. */
export async function isWhole(site: Site) {
  const rows = await query<{ sync_state: string }>(
    site,
    `select sync_state from pg_stat_replication where state = 'streaming'`,
  ).catch(() => [])
  return rows.length === 2 && rows.some(({ sync_state }) => sync_state === 'sync')
}
