import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { hasSeller, isListed, pagePath } from '../gigs/gig-record.ts'

/** Addresses of a file. The protocol allows 50,000. */
const FILE_SIZE = 10_000
const KEPT_MS = 600_000

const document = (kind: 'urlset' | 'sitemapindex', entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${kind}>\n`

/** The id with which each file begins. */
async function readBeginnings(db: Db) {
  const { rows } = await sql<{ id: string }>`
    select id from (select gig.id, row_number() over (order by gig.id) as place from gig where ${isListed}) as numbered
    where place % ${sql.lit(FILE_SIZE)} = 1 order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function readFile(db: Db, baseUrl: string, from: string) {
  const { rows } = await sql<{ path: string; updated_at: Date }>`
    select ${pagePath} as path, gig.updated_at from gig
    where gig.id >= ${from} and ${isListed} and ${hasSeller} order by gig.id limit ${sql.lit(FILE_SIZE)}`.execute(db)
  return rows.map(
    ({ path, updated_at }) =>
      `<url><loc>${escapeHtml(`${baseUrl}${path}`)}</loc><lastmod>${updated_at.toISOString()}</lastmod></url>`,
  )
}

/** Renders the sitemap: one file, or an index of several. What begins them is read again after ten minutes. */
export function sitemap() {
  let known: { beginnings: string[]; until: number } | undefined
  return async (db: Db, baseUrl: string, now: Date, from: string | undefined) => {
    if (!known || now.getTime() >= known.until)
      known = { beginnings: await readBeginnings(db), until: now.getTime() + KEPT_MS }
    const { beginnings } = known
    const list = `<url><loc>${escapeHtml(`${baseUrl}/marketplace`)}</loc></url>`
    if (from !== undefined)
      return beginnings.includes(from) ? document('urlset', await readFile(db, baseUrl, from)) : undefined
    if (beginnings.length <= 1)
      return document('urlset', [list, ...(beginnings[0] ? await readFile(db, baseUrl, beginnings[0]) : [])])
    return document(
      'sitemapindex',
      beginnings.map(
        (id) => `<sitemap><loc>${escapeHtml(`${baseUrl}/marketplace/sitemap.xml?from=${id}`)}</loc></sitemap>`,
      ),
    )
  }
}
