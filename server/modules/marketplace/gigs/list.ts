import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid } from '../../../errors.ts'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, rangeAfter } from '../../../lib/db/index-range.ts'
import { cursorOf, numberAndIdOfCursor, timeAndIdOfCursor } from '../../../lib/db/page.ts'
import { toMajor, toMinor } from '../../../lib/money.ts'
import { type FoundGig, findGigs, findGigsOfSeller, type GigKey } from './find-gigs.ts'
import { gigRating, pagePath, selectSamples } from './gig-record.ts'
import type { GigQuery, GigSummary } from './gigs.schema.ts'

type Query = Static<typeof GigQuery>
/** The order of a list, as an index has it. `prefix`: the values of the columns before the key. */
type Order = { range: IndexRange; key: GigKey; prefix: string[] }
/** Bounds in minor units. */
type Prices = { lowest: string; highest: string }

const MAX_PRICE = 1_000_000_00n

function pricesOf({ currency, price_min, price_max }: Query): Prices {
  if (!currency && (price_min ?? price_max) !== undefined)
    throw invalid('/currency', 'A price needs its currency.', 'required')
  return {
    lowest: String(toMinor(price_min ?? 0, '/price_min')),
    highest: String(price_max === undefined ? MAX_PRICE : toMinor(price_max, '/price_max')),
  }
}

function orderOf({ sort, currency }: Query, { lowest, highest }: Prices): Order {
  if (sort === 'price_asc' || sort === 'price_desc') {
    if (!currency) throw invalid('/currency', 'Prices are compared in one currency. Choose it.', 'required')
    const direction = sort === 'price_asc' ? 'asc' : 'desc'
    const [low, high] = [
      [currency, lowest, FIRST_ID],
      [currency, highest, LAST_ID],
    ]
    const columns = ['gig.currency', 'gig.price', 'gig.id']
    return { range: { columns, low, high, direction }, key: 'price', prefix: [currency] }
  }
  const key = sort === 'rating' ? 'rating_score' : 'published_at'
  const [low, high] = key === 'rating_score' ? ['0', '5000'] : ['-infinity', 'infinity']
  const range: IndexRange = {
    columns: [`gig.${key}`, 'gig.id'],
    low: [low, FIRST_ID],
    high: [high, LAST_ID],
    direction: 'desc',
  }
  return { range, key, prefix: [] }
}

/** The key in a cursor of a list in this order. */
function keyOfCursor({ key, prefix }: Order, cursor: string) {
  if (key === 'published_at') {
    const { time, id } = timeAndIdOfCursor(cursor)
    return [...prefix, time, id]
  }
  const { number, id } = numberAndIdOfCursor(cursor)
  return [...prefix, number, id]
}

/** Conditions of single gigs. In a subquery, the words are folded once and not for each gig. */
function matchesOf({ search, category, currency }: Query, { lowest, highest }: Prices) {
  const matches: RawBuilder<SqlBool>[] = []
  if (search !== undefined || category !== undefined)
    matches.push(
      sql<SqlBool>`gig.search @@ (select gig_query(${search ?? null}, ${category ?? null}, null, null, null))`,
    )
  if (currency) matches.push(sql<SqlBool>`gig.currency = ${currency} and gig.price between ${lowest} and ${highest}`)
  return matches
}

/** The same, with prices as words. */
const lookupOf = ({ search, category, currency }: Query, { lowest, highest }: Prices) =>
  sql<SqlBool>`gig.search @@ (select gig_query(${search ?? null}, ${category ?? null}, ${currency ?? null},
    ${currency ? lowest : null}, ${currency ? highest : null}))`

const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

export async function listGigs(db: Db, query: Query) {
  const { search, category, currency, seller, cursor, limit = 25 } = query
  const prices = pricesOf(query)
  const order = orderOf(query, prices)
  const range = cursor === undefined ? order.range : rangeAfter(order.range, keyOfCursor(order, cursor))
  if ((search !== undefined && !hasWord(search)) || BigInt(prices.lowest) > BigInt(prices.highest)) return nothing
  const hasFilter = search !== undefined || category !== undefined || currency !== undefined
  const wanted = {
    ...{ range, key: order.key, limit },
    matches: matchesOf(query, prices),
    ...(hasFilter && { lookup: lookupOf(query, prices) }),
  }
  if (seller === undefined) return readPage(db, await findGigs(db, wanted), limit)
  const owner = await db.selectFrom('signature').select('user_id').where('handle', '=', seller).executeTakeFirst()
  return owner ? readPage(db, await findGigsOfSeller(db, wanted, owner.user_id), limit) : nothing
}

const nothing = { data: [], next_cursor: null }

async function readPage(db: Db, { found, end }: Awaited<ReturnType<typeof findGigs>>, limit: number) {
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : end
  return { data: await readSummaries(db, shown), next_cursor: last ? cursorOf(last.key, last.id) : null }
}

/** Reads gigs in the order in which they were found. */
async function readSummaries(db: Db, found: FoundGig[]): Promise<Static<typeof GigSummary>[]> {
  if (found.length === 0) return []
  const rows = await db
    .selectFrom('gig')
    .innerJoin('user', 'user.id', 'gig.owner_id')
    .leftJoin('signature', 'signature.user_id', 'gig.owner_id')
    .select(['gig.id', 'gig.slug', 'gig.title', 'gig.price', 'gig.currency', 'gig.delivery_days', 'gig.categories'])
    .select(['gig.rating_count', 'user.name', 'signature.handle'])
    .select(sql<Date>`gig.published_at`.as('published_at'))
    .select([pagePath.as('url'), gigRating.as('rating'), selectSamples(1).as('samples')])
    .where(sql<SqlBool>`gig.id = any(${found.map(({ id }) => id)}::uuid[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return found.flatMap(({ id }) => {
    const row = byId.get(id)
    if (!row) return []
    const { name, handle, samples, price, ...rest } = row
    return { ...rest, price: toMajor(price), sample: samples[0] ?? null, seller: { name, handle } }
  })
}
