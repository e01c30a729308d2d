import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { atMost, type Bench, type Claim, type Measurement, median, quartiles } from './harness.ts'
import { createOwner, runLongStatement, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { createDatabase, startPostgres } from './processes.ts'

const MANY = 1_000_000
const FEW = 1000
const WARM_UP = 12
/** Pages before the one that is measured in the middle of the list. */
const PAGES = 999

const filters = 'category=social-media&currency=TRY&price_min=500&price_max=3000&limit=10'
/** One gig in forty matches the first search, one in a thousand has the rare word. */
const searches = [
  { name: 'search', query: `search=${encodeURIComponent('gönderi')}&${filters}` },
  { name: 'search by price', query: `search=${encodeURIComponent('gönderi')}&${filters}&sort=price_asc` },
  { name: 'everything', query: 'limit=10' },
  { name: 'rare word', query: 'search=trüf&limit=10' },
]

/** Compares the public list of a million gigs with that of a thousand: searches, first page and thousandth. */
export const claim: Claim = {
  name: 'marketplace-list',
  target: atMost(1.5),
  measure: async (bench) => {
    const shared = await startPostgres()
    const many = await prepare(shared, bench, bench.quick ? MANY / 10 : MANY)
    const few = await prepare(await createDatabase(shared, 'few'), bench, FEW)
    const results: Measurement[] = []
    const measure = async (part: string, query: string, baseline: Call) => {
      const measured = { ...(await compare(await many.caller(query), baseline, bench)), part }
      bench.log(`${part}: ${measured.value.toFixed(1)} ms, of a thousand gigs ${measured.baseline.toFixed(1)} ms`)
      results.push(measured)
    }
    for (const { name, query } of searches) {
      const baseline = await few.caller(query)
      await measure(name, query, baseline)
      const cursor = name === 'rare word' ? null : await many.cursorAfter(PAGES, query)
      if (cursor) await measure(`${name}, page ${PAGES + 1}`, `${query}&cursor=${cursor}`, baseline)
    }
    return results
  },
}

/** Titles, categories, currencies and prices that do not depend on each other. */
const FILL = `
  insert into gig (workspace_id, owner_id, slug, title, description, price, currency, delivery_days, categories, status,
    published_at, rating_count, rating_sum)
  select $1, ($2::uuid[])[1 + n % 100], 'gig-' || n,
    (array['Sosyal medya gönderileri', 'Reels kurgusu', 'Logo and brand design', 'Ürün fotoğrafları', 'Blog yazıları'])[1 + n % 5]
      || ' ' || (array['kafeler', 'butikler', 'oteller', 'dentists', 'gyms', 'fırınlar', 'startups'])[1 + n % 7] || ' için '
      || n || case when n % 1000 = 7 then ' trüf' else '' end,
    'Markanızın sesine uygun metinler ve görseller hazırlıyorum. Two revisions are included, and every file is yours. '
      || 'İşletmenizi tanımak için kısa bir görüşme yaparız; ardından bir hafta içinde ilk taslakları gönderirim. '
      || 'Delivered as ready files with captions, hashtags and alternative texts. Sipariş ' || md5(n::text),
    (20000 + (hashint4(n)::bigint + 2147483648) % 1000 * 560), case when n / 20 % 9 = 0 then 'USD' else 'TRY' end::currency, 1 + n % 30,
    array[(array['social-media', 'video', 'design', 'yazı'])[1 + n / 5 % 4]], 'published',
    now() - make_interval(secs => n * 30.0), n % 40, n % 40 * 4
  from generate_series($3::int, $4::int) as n`
const STEP = 100_000

async function prepare(connection: ConnectionConfig, bench: Bench, gigs: number) {
  await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const { rows } = await deps.pool.query<{ id: string }>(
      `insert into "user" (email, name) select 'seller' || n || '@example.com', 'Seller ' || n
        from generate_series(1, 100) as n returning id`,
    )
    const sellers = rows.map(({ id }) => id)
    await deps.pool.query(
      "insert into workspace_member (workspace_id, user_id, role) select $1, unnest($2::uuid[]), 'admin'",
      [owner.workspace_id, sellers],
    )
    for (let first = 1; first <= gigs; first += STEP) {
      const last = Math.min(first + STEP - 1, gigs)
      await runLongStatement(deps.pool, FILL, [owner.workspace_id, sellers, first, last])
      bench.log(`${last} of ${gigs} gigs`)
    }
    await runLongStatement(deps.pool, 'vacuum analyze')
  })
  const { url } = await startMeydan(serverSettings(connection))
  const get = async (query: string) => {
    const response = await fetch(`${url}/api/v1/marketplace/gigs?${query}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`The list of gigs failed with ${response.status}: ${text}`)
    return text
  }
  const caller = async (query: string) => {
    const call = async () => {
      const start = performance.now()
      await get(query)
      return performance.now() - start
    }
    for (let n = 0; n < WARM_UP; n++) await call()
    return call
  }
  const cursorAfter = async (pages: number, query: string) => {
    let cursor: string | null = null
    for (let page = 0; page < pages; page++) {
      const { next_cursor } = JSON.parse(await get(cursor === null ? query : `${query}&cursor=${cursor}`)) as {
        next_cursor: string | null
      }
      // A smaller list has fewer pages.
      if (next_cursor === null) return cursor
      cursor = next_cursor
    }
    return cursor
  }
  return { caller, cursorAfter }
}

type Call = () => Promise<number>

/** Calls both in turns, so that other load on the machine affects both alike. */
async function compare(value: Call, baseline: Call, { quick }: Bench): Promise<Measurement> {
  const values: number[] = []
  const baselines: number[] = []
  for (let n = 0; n < (quick ? 30 : 150); n++) {
    values.push(await value())
    baselines.push(await baseline())
  }
  const middle = median(baselines)
  return {
    value: median(values),
    baseline: middle,
    unit: 'ms',
    ratio: median(values) / middle,
    spread: quartiles(values.map((time) => time / middle)),
  }
}
