import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
import { cursorTime, pageLimit } from '../../../lib/db/page.ts'
import { timedSearch } from '../../../lib/db/timed-search.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import { hasSeller, isListed } from './gig-record.ts'

/** Rows that are read in the order of the list before all matching gigs are found by their words. */
const SCANS = [1000, 10_000]
/** Share of matching rows from which reading on in the order of the list is faster. */
const DENSE = 1 / 200

const perNode = limitConcurrency(4)

export type GigKey = 'published_at' | 'price' | 'rating_score'

type GigSearch = {
  /** The part of an index that has the list, in its order. */
  range: IndexRange
  /** The column before the id in cursors. */
  key: GigKey
  /** Conditions of single gigs. */
  matches: RawBuilder<SqlBool>[]
  /** The same as a condition that an index of words or sellers serves, if there is one. */
  lookup?: RawBuilder<SqlBool>
  limit: number
}

export type FoundGig = { id: string; key: string }

const columns = sql.join(
  ['id', 'owner_id', 'workspace_id', 'currency', 'price', 'published_at', 'rating_score', 'search'].map((column) =>
    sql.ref(`gig.${column}`),
  ),
)
const keyOf = (key: GigKey) =>
  key === 'published_at' ? cursorTime('gig.published_at') : sql`${sql.ref(`gig.${key}`)}::text`

const inOrder = ({ range }: GigSearch, limit: number) => sql`
  select ${columns} from gig where ${isListed} and ${isInRange(range)} order by ${orderOfRange(range)} limit ${sql.lit(limit)}`

/** All gigs of a lookup. Without `offset`, PostgreSQL may read them in the order of the list. */
const lookedUp = (lookup: RawBuilder<SqlBool>) => sql`
  select ${columns} from gig where ${isListed} and ${lookup} offset 0`

/** The gigs of a page among candidates: at least one more than its limit if another page follows. */
async function pageAmong(db: Db, { range, key, matches, limit }: GigSearch, candidates: RawBuilder<unknown>) {
  const { rows } = await sql<FoundGig>`
    select gig.id, ${keyOf(key)} as key from (${candidates}) as gig
    where ${sql.join([isInRange(range), ...matches, hasSeller], sql` and `)}
    order by ${orderOfRange(range)} limit ${pageLimit(limit)}`.execute(db)
  return rows
}

/** The last gig of the scan; undefined when the list ends before. */
async function scanEnd(db: Db, search: GigSearch, limit: number) {
  const { rows } = await sql<FoundGig>`
    select gig.id, ${keyOf(search.key)} as key from (${inOrder(search, limit)} offset ${sql.lit(limit - 1)}) as gig`.execute(
    db,
  )
  return rows[0]
}

/**
 * Finds the gigs of a page. The list is read in its order first, which soon finds a page of what many gigs have. When it
 * finds few, all matching gigs are found by their words instead: then there are not many. Whatever matches, a page costs
 * about the same in a list of any length. `end`: the page ends there although more may follow.
 */
export async function findGigs(db: Db, search: GigSearch): Promise<{ found: FoundGig[]; end?: FoundGig }> {
  const { lookup, limit } = search
  for (const size of SCANS) {
    const found = await pageAmong(db, search, inOrder(search, size))
    if (found.length > limit) return { found }
    const end = await scanEnd(db, search, size)
    if (!end) return { found }
    if (!lookup) return { found, end }
    if (found.length < size * DENSE) break
  }
  if (!lookup) return { found: [] }
  const found = await perNode(() =>
    timedSearch(db, 'use longer words', (tx) => pageAmong(tx, search, lookedUp(lookup))),
  )
  return { found }
}

/** Gigs up to which all those of a seller are sorted for a page. */
const SORTED = 500

/**
 * Finds the gigs of a page of one seller. All of them are sorted. With more than `SORTED`, the list is read in its order
 * instead, where a page of them is soon found.
 */
export async function findGigsOfSeller(db: Db, search: GigSearch, owner_id: string) {
  const isOfSeller = sql<SqlBool>`gig.owner_id = ${owner_id}`
  const { rows } =
    await sql`select from gig where ${isListed} and ${isOfSeller} offset ${sql.lit(SORTED)} limit 1`.execute(db)
  if (rows.length === 0) return { found: await pageAmong(db, search, lookedUp(isOfSeller)) }
  const lookup = search.lookup ? sql<SqlBool>`${isOfSeller} and ${search.lookup}` : isOfSeller
  return findGigs(db, { ...search, matches: [isOfSeller, ...search.matches], lookup })
}
