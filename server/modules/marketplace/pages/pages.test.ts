import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { newHandle, publishedGig } from '../../../../test/gigs.ts'
import { uploaded } from '../../../../test/media.ts'

const handle = newHandle()
const t = await testApp()
const seller = await withWorkspace(t)
expectStatus(await seller.patch('/api/v1/signatures/me', { handle, text: 'Merhaba </p><script>' }), 200)

const html = { accept: 'text/html' }
const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await t.anyone.get(path, { ...html, ...headers })
  return { ...response, text: String(response.body) }
}
/** The data for search engines on a page. */
const dataIn = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? 'null')

describe('/marketplace/gigs/:slug', () => {
  test('shows the gig to people and search engines, and nothing in it runs', async () => {
    const image = await uploaded(seller)
    const title = `Logo & "brand" <b>`
    const gig = await publishedGig(seller, {
      title,
      description: 'First\n</script><script>alert(1)</script>',
      sample_media: [image.id],
    })
    const { status, text, headers } = await open(gig.url)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; img-src 'self'/,
    )
    expect(headers.get('content-security-policy')).not.toContain('script-src')
    expect(text).toContain('<h1>Logo &amp; &quot;brand&quot; &lt;b&gt;</h1>')
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<script/g)?.length).toBe(1)
    expect(text).toContain(`<link rel="canonical" href="http://meydan.test${gig.url}">`)
    expect(text).toContain(`hreflang="tr" href="http://meydan.test${gig.url}?lang=tr"`)
    expect(text).toContain(`<meta property="og:image" content="http://meydan.test${gig.samples[0].url}">`)
    expect(text).toContain(`href="/buy/${gig.slug}"`)
    expect(text).toContain('<meta name="robots" content="index, follow">')
    expect(dataIn(text)).toMatchObject({
      '@type': 'Product',
      name: title,
      image: [`http://meydan.test${gig.samples[0].url}`],
      offers: { '@type': 'Offer', price: '1499.90', priceCurrency: 'TRY', availability: 'https://schema.org/InStock' },
    })
    expect(dataIn(text).aggregateRating).toBeUndefined()
  })

  test('a rated gig has its rating in the data', async () => {
    const gig = await publishedGig(seller)
    await t.deps.db.updateTable('gig').set({ rating_count: 4, rating_sum: 18 }).where('id', '=', gig.id).execute()
    const { text } = await open(gig.url)
    expect(dataIn(text).aggregateRating).toMatchObject({ ratingValue: 4.5, reviewCount: 4 })
    expect(text).toContain('★ 4.5')
  })

  test('is in the language of the address, else of the browser', async () => {
    const { url } = await publishedGig(seller)
    const languageOf = async (path: string, accepted?: string) => {
      const { headers, text } = await open(path, accepted ? { 'accept-language': accepted } : {})
      expect(headers.get('vary')).toContain('accept-language')
      return [headers.get('content-language'), /<html lang="(\w+)"/.exec(text)?.[1], /Sipariş ver/.test(text)]
    }
    expect(await languageOf(url)).toEqual(['en', 'en', false])
    expect(await languageOf(url, 'tr-TR,tr;q=0.9,en;q=0.8')).toEqual(['tr', 'tr', true])
    expect(await languageOf(url, 'de-DE,fr')).toEqual(['en', 'en', false])
    expect(await languageOf(`${url}?lang=tr`, 'en')).toEqual(['tr', 'tr', true])
  })

  test('a page of its own with 404 for a gig that is hidden or unknown, which search engines leave out', async () => {
    const gig = await publishedGig(seller, { status: 'draft' })
    for (const path of [gig.url, '/marketplace/gigs/unknown', '/marketplace/sellers/nobody_here']) {
      const { status, text, headers } = await open(path)
      expect([path, status, headers.get('x-robots-tag')]).toEqual([path, 404, 'noindex'])
      expect(text).toContain('<meta name="robots" content="noindex, follow">')
      expect(text).toContain('This page does not exist')
    }
  })
})

test('/marketplace/sellers/:handle shows signature and gigs as text', async () => {
  const gig = await publishedGig(seller, { title: 'Of this seller' })
  const { status, text } = await open(`/marketplace/sellers/${handle}`)
  expect(status).toBe(200)
  expect(text).toContain('Merhaba &lt;/p&gt;&lt;script&gt;')
  expect(text).toContain(`href="${gig.url}"`)
  expect(dataIn(text)).toMatchObject({ '@type': 'ProfilePage', mainEntity: { name: 'Ada', alternateName: handle } })
})

describe('/marketplace', () => {
  test('leads through all pages by links, each gig once', async () => {
    for (let n = 0; n < 50; n++) await publishedGig(seller, { title: `Paged ${n}`, categories: ['paged'] })
    const found: string[] = []
    let path: string | undefined = '/marketplace?category=paged'
    while (path) {
      const { status, text } = await open(path)
      expect(status).toBe(200)
      found.push(...[...text.matchAll(/<h2><a href="[^"]*">(Paged \d+)</g)].map(([, title = '']) => title))
      path = /<a href="([^"]*)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(found.length).toBe(50)
    expect(new Set(found).size).toBe(50)
  })

  test('only the list and its categories are for search engines', async () => {
    await publishedGig(seller, { title: 'Indexed', categories: ['indexed'] })
    const robots = async (query: string) =>
      /name="robots" content="(\w+)/.exec((await open(`/marketplace${query}`)).text)?.[1]
    expect(await robots('')).toBe('index')
    expect(await robots('?category=indexed')).toBe('index')
    for (const query of ['?search=indexed', '?currency=TRY', '?category=nothing-here'])
      expect(await robots(query)).toBe('noindex')
  })

  test('keeps the form as it was filled, and ignores what makes no sense', async () => {
    const { text } = await open('/marketplace?search=%22%3Ecaf%C3%A9&currency=USD&price_min=1,5&sort=price_asc&lang=tr')
    expect(text).toContain('name="search" maxlength="200" value="&quot;&gt;café"')
    expect(text).toContain('<option value="USD" selected>')
    expect(text).toContain('name="price_min" inputmode="decimal" value="1.5"')
    expect(text).toContain('<input type="hidden" name="lang" value="tr">')
    for (const query of [
      'price_min=abc&price_max=-1',
      'sort=best&currency=EUR&cursor=x',
      'search=a&search=b',
      'price_min=5',
      `search=${'x'.repeat(500)}`,
      'price_min=9&price_max=2',
    ])
      expect([query, (await open(`/marketplace?${query}`)).status]).toEqual([query, 200])
  })

  test('offers the categories of new gigs, one spelling of each', async () => {
    await publishedGig(seller, { categories: ['Tek Kategori'] })
    await publishedGig(seller, { categories: ['tek-kategori'] })
    t.advance(61_000)
    const { text } = await open('/marketplace')
    expect(text.match(/category=[Tt]ek(%20|-)[Kk]ategori/g)?.length).toBe(1)
  })
})

test('/marketplace/sitemap.xml lists public gigs', async () => {
  const [shown, hidden] = [await publishedGig(seller), await publishedGig(seller, { status: 'draft' })]
  const response = await t.anyone.get('/marketplace/sitemap.xml')
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(response.body).toContain('<loc>http://meydan.test/marketplace</loc>')
  expect(response.body).toContain(`<loc>http://meydan.test${shown.url}</loc>`)
  expect(response.body).not.toContain(hidden.url)
  const { status } = await t.anyone.get(`/marketplace/sitemap.xml?from=${hidden.id}`)
  expect(status).toBe(404)
})
