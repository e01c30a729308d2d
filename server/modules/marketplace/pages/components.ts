import type { Static } from 'typebox'
import { escapeHtml } from '../../../lib/html.ts'
import type { Language } from '../../../lib/language.ts'
import type { GigSummary } from '../gigs/gigs.schema.ts'
import { linkTo, type Visit } from './layout.ts'
import { pageTexts } from './texts.ts'

type Summary = Static<typeof GigSummary>

export const formatPrice = (price: number, currency: string, language: Language) =>
  new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-US', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(price)

const decimal = (number: number, language: Language) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 1 }).format(number)

type Rated = { rating: number | null; rating_count: number }

/** A rating as a star and a number; a text instead of none. */
export function ratingOf({ language }: Visit, { rating, rating_count }: Rated, none = '') {
  if (rating === null) return none
  const text = pageTexts[language]
  const label = `${text.rating_label} ${decimal(rating, language)}, ${text.ratings(rating_count)}`
  return `<span class="star" role="img" aria-label="${label}">★ ${decimal(rating, language)} <span class="dim">(${rating_count})</span></span>`
}

/** The first lines of a text, for descriptions of a page. */
export function summaryOf(text: string) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 160
    ? `${line
        .slice(0, 157)
        .toWellFormed()
        .replace(/\s\S*$/, '')}…`
    : line
}

const imageOf = ({ sample, title }: Summary) =>
  sample?.thumbnail_url
    ? `<img class="thumb" src="${escapeHtml(sample.thumbnail_url)}" alt="${escapeHtml(sample.alt)}" loading="lazy">`
    : `<span class="thumb blank" aria-hidden="true">${escapeHtml([...title.trim()][0] ?? '')}</span>`

export const categoryPath = (category: string) => `/marketplace?category=${encodeURIComponent(category)}`

export const sellerPath = (handle: string) => `/marketplace/sellers/${encodeURIComponent(handle)}`

function cardOf(visit: Visit, gig: Summary, heading: 'h2' | 'h3') {
  const { language } = visit
  const text = pageTexts[language]
  return `<li><article class="card">${imageOf(gig)}<div class="body">
<${heading}><a href="${linkTo(visit, gig.url)}">${escapeHtml(gig.title)}</a></${heading}>
<span class="dim">${text.by} ${escapeHtml(gig.seller.name)}</span>
<div class="row"><span class="amount">${formatPrice(gig.price, gig.currency, language)}</span>${ratingOf(visit, gig, `<span class="dim">${text.days(gig.delivery_days)}</span>`)}</div>
</div></article></li>`
}

export const cardsOf = (visit: Visit, gigs: readonly Summary[], heading: 'h2' | 'h3' = 'h2') =>
  `<ul class="grid">${gigs.map((gig) => cardOf(visit, gig, heading)).join('\n')}</ul>`
