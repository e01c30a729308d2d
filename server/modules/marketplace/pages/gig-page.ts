import { escapeHtml } from '../../../lib/html.ts'
import type { gigRecord } from '../gigs/gig-record.ts'
import { categoryPath, formatPrice, ratingOf, sellerPath, summaryOf } from './components.ts'
import { linkTo, type Page, type Visit } from './layout.ts'
import { pageTexts } from './texts.ts'

type Gig = ReturnType<typeof gigRecord>
type Sample = Gig['samples'][number]

const shotOf = ({ kind, url, alt, thumbnail_url }: Sample, index: number) =>
  kind === 'video'
    ? `<video src="${escapeHtml(url)}" controls preload="none"${thumbnail_url ? ` poster="${escapeHtml(thumbnail_url)}"` : ''} aria-label="${escapeHtml(alt)}"></video>`
    : `<img src="${escapeHtml(index === 0 || kind === 'gif' ? url : (thumbnail_url ?? url))}" alt="${escapeHtml(alt)}"${index === 0 ? '' : ' loading="lazy"'}>`

/** The image of a link to the gig. */
const imageOf = ({ samples }: Gig) => {
  const shown = samples.map(({ kind, url, thumbnail_url }) => (kind === 'video' ? thumbnail_url : url))
  return shown.find((url) => url !== null) ?? null
}

const rated = ({ rating, rating_count }: { rating: number | null; rating_count: number }) =>
  rating === null
    ? {}
    : { aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, reviewCount: rating_count } }

/** The gig as a product with its offer, by schema.org. */
function dataOf(gig: Gig, baseUrl: string) {
  const url = `${baseUrl}${gig.url}`
  const images = gig.samples.flatMap(({ kind, url }) => (kind === 'video' ? [] : [`${baseUrl}${url}`]))
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: gig.title,
    description: gig.description,
    ...{ sku: gig.id, url, category: gig.categories },
    ...(images.length > 0 && { image: images }),
    brand: { '@type': 'Brand', name: gig.seller.name },
    offers: {
      '@type': 'Offer',
      ...{ url, price: gig.price.toFixed(2), priceCurrency: gig.currency },
      availability: 'https://schema.org/InStock',
      seller: { '@type': 'Person', name: gig.seller.name },
    },
    ...rated(gig),
  }
}

function sellerBox(visit: Visit, { name, handle, signature, completed_orders, ...rating }: Gig['seller']) {
  const text = pageTexts[visit.language]
  return `<section class="box"><h2>${text.seller}</h2>
<p><strong>${escapeHtml(name)}</strong>${handle ? ` <a href="${linkTo(visit, sellerPath(handle))}">@${escapeHtml(handle)}</a>` : ''}</p>
<p>${ratingOf(visit, rating, `<span class="dim">${text.no_ratings}</span>`)}</p>
${signature ? `<p class="text">${escapeHtml(signature)}</p>` : ''}
<dl class="facts"><dt>${text.orders}</dt><dd>${completed_orders}</dd></dl></section>`
}

export function gigPage(visit: Visit, gig: Gig): Page {
  const text = pageTexts[visit.language]
  const chips = gig.categories.map(
    (category) =>
      `<li><a class="chip" href="${linkTo(visit, categoryPath(category))}">${escapeHtml(category)}</a></li>`,
  )
  const body = `<p class="crumb"><a href="${linkTo(visit, '/marketplace')}">← ${text.marketplace}</a></p>
<div class="gig"><article>
<h1>${escapeHtml(gig.title)}</h1>
<p class="dim">${text.by} ${escapeHtml(gig.seller.name)} ${ratingOf(visit, gig)}</p>
${gig.samples.length > 0 ? `<div class="shots">${gig.samples.map(shotOf).join('')}</div>` : ''}
<h2>${text.description}</h2><p class="text">${escapeHtml(gig.description)}</p>
${chips.length > 0 ? `<h2>${text.categories}</h2><ul class="chips">${chips.join('')}</ul>` : ''}
</article><aside>
<section class="box"><p class="amount">${formatPrice(gig.price, gig.currency, visit.language)}</p>
<dl class="facts"><dt>${text.delivery}</dt><dd>${text.days(gig.delivery_days)}</dd></dl>
<a class="button" href="/buy/${encodeURIComponent(gig.slug)}" rel="nofollow">${text.order}</a><p class="dim">${text.pay_note}</p></section>
${sellerBox(visit, gig.seller)}
</aside></div>`
  return {
    title: gig.title,
    description: summaryOf(gig.description),
    path: gig.url,
    isIndexed: true,
    image: imageOf(gig),
    type: 'product',
    data: dataOf(gig, visit.baseUrl),
    body,
  }
}
