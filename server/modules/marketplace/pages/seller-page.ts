import { escapeHtml } from '../../../lib/html.ts'
import type { readSeller } from '../sellers/sellers.ts'
import { cardsOf, ratingOf, sellerPath, summaryOf } from './components.ts'
import { linkTo, type Page, type Visit } from './layout.ts'
import { pageTexts } from './texts.ts'

type Seller = Awaited<ReturnType<typeof readSeller>>

export function sellerPage(visit: Visit, { gigs, ...seller }: Seller): Page {
  const text = pageTexts[visit.language]
  const path = sellerPath(seller.handle ?? '')
  const more =
    gigs.length === 100
      ? `<p class="pages"><a href="${linkTo(visit, `/marketplace?seller=${seller.handle}`)}">${text.next}</a></p>`
      : ''
  const body = `<p class="crumb"><a href="${linkTo(visit, '/marketplace')}">← ${text.marketplace}</a></p>
<h1>${escapeHtml(seller.name)}</h1>
<p class="dim">@${escapeHtml(seller.handle ?? '')} ${ratingOf(visit, seller, text.no_ratings)} · ${text.orders}: ${seller.completed_orders}</p>
${seller.signature ? `<p class="text lead">${escapeHtml(seller.signature)}</p>` : ''}
<h2>${text.gigs_of}</h2>${gigs.length > 0 ? cardsOf(visit, gigs, 'h3') + more : `<p class="empty">${text.nothing}</p>`}`
  return {
    title: `${seller.name} (@${seller.handle})`,
    description: summaryOf(seller.signature || `${seller.name} · ${text.marketplace}`),
    path,
    isIndexed: true,
    type: 'profile',
    image: gigs[0]?.sample?.thumbnail_url ?? null,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      mainEntity: {
        '@type': 'Person',
        name: seller.name,
        alternateName: seller.handle,
        url: `${visit.baseUrl}${path}`,
      },
    },
    body,
  }
}
