import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { type Language, languageOf } from '../../../lib/language.ts'
import { readGig } from '../gigs/gig-record.ts'
import { readSeller } from '../sellers/sellers.ts'
import { gigPage } from './gig-page.ts'
import { linkTo, type Page, pagePolicy, renderPage, type Visit } from './layout.ts'
import { listPage, popularCategories, type RawQuery } from './list-page.ts'
import { sellerPage } from './seller-page.ts'
import { sitemap } from './sitemap.ts'
import { pageTexts } from './texts.ts'

type Query = { Querystring: RawQuery }

/** The language of the address, else the first one that the browser prefers and Meydan has. */
function languageFor({ query, headers }: FastifyRequest<Query>): { language: Language; chosen: boolean } {
  if (query.lang === 'en' || query.lang === 'tr') return { language: query.lang, chosen: true }
  const wanted = (headers['accept-language'] ?? '').split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return { language: languageOf(wanted.find((tag) => tag === 'en' || tag === 'tr') ?? 'en'), chosen: false }
}

const missing = (visit: Visit): Page => {
  const { missing: title, missing_detail, show_all } = pageTexts[visit.language]
  const body = `<h1>${title}</h1><p class="lead">${missing_detail}</p><p><a class="button" href="${linkTo(visit, '/marketplace')}">${show_all}</a></p>`
  return { title, description: missing_detail, path: '/marketplace', isIndexed: false, body }
}

/** The public pages of the marketplace, which need no script, for people and search engines. */
export function marketplacePages(app: FastifyInstance, deps: Deps) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  const categories = popularCategories()
  const renderSitemap = sitemap()

  /** Sends the page, or with 404 one that links to the list. */
  async function show(request: FastifyRequest<Query>, reply: FastifyReply, make: (visit: Visit) => Promise<Page>) {
    const visit = {
      ...languageFor(request),
      appName: await deps.options.get('app.name'),
      baseUrl: deps.baseUrl,
    }
    const page = await make(visit).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.status !== 404) throw error
      reply.code(404)
      return missing(visit)
    })
    return reply
      .headers({
        'content-security-policy': pagePolicy,
        'content-language': visit.language,
        'cache-control': 'no-cache',
        vary: 'accept-language',
        ...(!page.isIndexed && { 'x-robots-tag': 'noindex' }),
      })
      .type('text/html; charset=utf-8')
      .send(renderPage(visit, page))
  }

  app.get<Query>('/marketplace', options, (request, reply) =>
    show(request, reply, async (visit) =>
      listPage(deps.db, visit, request.query, await categories(deps.db, deps.clock.now())),
    ),
  )
  app.get<Query & { Params: { slug: string } }>('/marketplace/gigs/:slug', options, (request, reply) =>
    show(request, reply, async (visit) =>
      gigPage(visit, await readGig(deps.db, { user_id: null }, request.params.slug)),
    ),
  )
  app.get<Query & { Params: { handle: string } }>('/marketplace/sellers/:handle', options, (request, reply) =>
    show(request, reply, async (visit) => sellerPage(visit, await readSeller(deps.db, request.params.handle))),
  )
  app.get<Query>('/marketplace/sitemap.xml', options, async ({ query: { from } }, reply) => {
    const found = await renderSitemap(
      deps.db,
      deps.baseUrl,
      deps.clock.now(),
      typeof from === 'string' ? from : undefined,
    )
    if (found === undefined) throw notFound()
    return reply.header('cache-control', 'public, max-age=600').type('application/xml; charset=utf-8').send(found)
  })
}
