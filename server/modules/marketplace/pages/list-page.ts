import { sql } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { Problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { isListed } from '../gigs/gig-record.ts'
import { type GigQuery, gigSorts } from '../gigs/gigs.schema.ts'
import { listGigs } from '../gigs/list.ts'
import { cardsOf, categoryPath } from './components.ts'
import { linkTo, type Page, type Visit } from './layout.ts'
import { pageTexts } from './texts.ts'

type Query = Static<typeof GigQuery>
export type RawQuery = Record<string, unknown>

const PAGE_SIZE = 24

const textOf = (value: unknown, max: number) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, max).toWellFormed() : undefined

function priceOf(value: unknown) {
  const text = textOf(value, 12)?.replace(',', '.')
  return text !== undefined && /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.min(Number(text), 1_000_000) : undefined
}

/** Reads the filters of an address. Those that make no sense are left out: a person may have typed them. */
function filtersOf({ language }: Visit, raw: RawQuery): Query {
  const [price_min, price_max] = [priceOf(raw.price_min), priceOf(raw.price_max)]
  const sort = gigSorts.find((name) => name === raw.sort)
  const needsCurrency = price_min !== undefined || price_max !== undefined || sort?.startsWith('price')
  const chosen = (['TRY', 'USD'] as const).find((name) => name === raw.currency)
  const currency = chosen ?? (needsCurrency ? (language === 'tr' ? 'TRY' : 'USD') : undefined)
  const [search, category, seller, cursor] = [
    textOf(raw.search, 200),
    textOf(raw.category, 40),
    textOf(raw.seller, 30),
    textOf(raw.cursor, 100),
  ]
  return {
    ...(search && { search }),
    ...(category && { category }),
    ...(seller && { seller }),
    ...(currency && { currency }),
    ...(price_min !== undefined && { price_min }),
    ...(price_max !== undefined && { price_max }),
    ...(sort && sort !== 'newest' && { sort }),
    ...(cursor && { cursor }),
  }
}

const addressOf = (query: Query) => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]))
  return `/marketplace${search.size > 0 ? `?${search}` : ''}`
}

/** Newest gigs whose categories are offered. */
const RECENT = 500
const MAX_CATEGORIES = 14
const KEPT_MS = MINUTE

/** The most frequent categories of new gigs, read once a minute. */
export function popularCategories() {
  let known: { categories: Promise<string[]>; until: number } | undefined
  return (db: Db, now: Date) => {
    if (known && now.getTime() < known.until) return known.categories
    const categories = sql<{ category: string }>`
      select min(category) as category from (
        select gig.categories from gig where ${isListed} order by gig.published_at desc, gig.id desc limit ${sql.lit(RECENT)}
      ) as recent, unnest(categories) as category
      group by category_key(category) order by count(*) desc, 1 limit ${sql.lit(MAX_CATEGORIES)}`
      .execute(db)
      .then(({ rows }) => rows.map(({ category }) => category))
    const reading = { categories, until: now.getTime() + KEPT_MS }
    known = reading
    categories.catch(() => {
      if (known === reading) known = undefined
    })
    return categories
  }
}

/** The page of the list. A cursor that is no longer valid leads to the first page. */
async function readList(db: Db, query: Query) {
  try {
    return { ...(await listGigs(db, { ...query, limit: PAGE_SIZE })), tooSlow: false }
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    if (error.code === 'search_too_slow' || query.cursor === undefined)
      return { data: [], next_cursor: null, tooSlow: error.code === 'search_too_slow' }
    const { cursor: _, ...first } = query
    return { ...(await listGigs(db, { ...first, limit: PAGE_SIZE })), tooSlow: false }
  }
}

const option = (value: string, label: string, current: string | undefined) =>
  `<option value="${value}"${value === (current ?? '') ? ' selected' : ''}>${escapeHtml(label)}</option>`

function formOf(visit: Visit, { search, category, seller, currency, price_min, price_max, sort }: Query) {
  const text = pageTexts[visit.language]
  const kept = {
    ...(category && { category }),
    ...(seller && { seller }),
    ...(visit.chosen && { lang: visit.language }),
  }
  const hidden = Object.entries(kept).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  const price = (name: string, label: string, value: number | undefined) =>
    `<label>${label}<input class="price" name="${name}" inputmode="decimal" value="${value ?? ''}"></label>`
  return `<form class="search" action="/marketplace" role="search">${hidden.join('')}
<label class="wide">${text.search_for}<input type="search" name="search" maxlength="200" value="${escapeHtml(search ?? '')}"></label>
<label>${text.currency}<select name="currency">${option('', text.any, currency)}${option('TRY', 'TRY', currency)}${option('USD', 'USD', currency)}</select></label>
${price('price_min', text.from, price_min)}
${price('price_max', text.to, price_max)}
<label>${text.sort}<select name="sort">${gigSorts.map((name) => option(name === 'newest' ? '' : name, text[name], sort)).join('')}</select></label>
<button class="wide">${text.search}</button></form>`
}

const sameCategory = (one: string, other: string | undefined) =>
  one.toLocaleLowerCase('en') === other?.toLocaleLowerCase('en')

function chipsOf(visit: Visit, names: readonly string[], current: string | undefined) {
  const text = pageTexts[visit.language]
  const all = current && !names.some((name) => sameCategory(name, current)) ? [current, ...names] : names
  if (all.length === 0) return ''
  const chip = (path: string, label: string, isCurrent: boolean) =>
    `<li><a class="chip" href="${linkTo(visit, path)}"${isCurrent ? ' aria-current="true"' : ''}>${escapeHtml(label)}</a></li>`
  const chips = all.map((name) => chip(categoryPath(name), name, sameCategory(name, current)))
  return `<nav aria-label="${text.categories}"><ul class="chips">${chip('/marketplace', text.all, !current)}${chips.join('')}</ul></nav>`
}

export async function listPage(db: Db, visit: Visit, raw: RawQuery, categories: readonly string[]): Promise<Page> {
  const text = pageTexts[visit.language]
  const query = filtersOf(visit, raw)
  const { data, next_cursor, tooSlow } = await readList(db, query)
  const { cursor, ...first } = query
  const links = [
    cursor ? `<a href="${linkTo(visit, addressOf(first))}" rel="first">${text.first}</a>` : '',
    next_cursor
      ? `<a href="${linkTo(visit, addressOf({ ...first, cursor: next_cursor }))}" rel="next">${text.next}</a>`
      : '',
  ]
  const none = `<p class="empty">${tooSlow ? text.too_slow : text.nothing} <a href="${linkTo(visit, '/marketplace')}">${text.show_all}</a></p>`
  const title = query.category ? `${query.category} · ${text.marketplace}` : text.marketplace
  const body = `<h1>${escapeHtml(query.category ?? text.marketplace)}</h1><p class="lead">${text.lead}</p>
${formOf(visit, query)}
${chipsOf(visit, categories, query.category)}
${data.length > 0 ? cardsOf(visit, data) : none}
<nav class="pages">${links.join('')}</nav>`
  // Search engines read the list and its categories. Other filters and pages would be copies of these.
  const isIndexed = Object.keys(query).every((name) => name === 'category') && data.length > 0
  return {
    ...{ title, body, isIndexed },
    description: text.lead,
    path: addressOf(query),
    image: data[0]?.sample?.thumbnail_url ?? null,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: data.map(({ url, title }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        url: `${visit.baseUrl}${url}`,
        name: title,
      })),
    },
  }
}
