import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomBase62 } from '../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { type Article, acceptedLanguage, renderArticle } from '../../../lib/http/response/article-page.ts'
import type { Language } from '../../../lib/language.ts'
import { deletionArticle } from './deletion-page.ts'
import { deauthorize, deletePersonalData, type NoticeAddress, openNotice, readDeletion } from './notices.ts'
import { privacyArticle } from './privacy-page.ts'

const MAX_BYTES = 16_000
/** 190 bits, so that nobody guesses the code of another person. */
const CODE_LENGTH = 32

function show(reply: FastifyReply, language: Language, article: Article) {
  const { headers, html } = renderArticle(language, article)
  return reply.headers(headers).send(html)
}

/**
 * Registers the addresses at which networks report that a person removed the app or wants their data deleted. Only
 * networks call them, so the API document does not list them. Serves the public pages about data from networks.
 */
export async function networkNoticeRoutes(app: FastifyInstance, deps: Deps) {
  const options = { config: { access: anyone() }, schema: { hide: true }, bodyLimit: MAX_BYTES }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  const formOf = (body: unknown) => (body instanceof URLSearchParams ? body : new URLSearchParams())

  for (const address of ['/network-notices/:network', '/network-notices/:network/:workspace']) {
    app.post<{ Params: NoticeAddress }>(`${address}/deauthorize`, options, async (request, reply) => {
      await deauthorize(deps, await openNotice(deps, request.params, formOf(request.body)))
      return reply.send({})
    })
    app.post<{ Params: NoticeAddress }>(`${address}/data-deletion`, options, async (request, reply) => {
      const person = await openNotice(deps, request.params, formOf(request.body))
      const code = randomBase62(CODE_LENGTH)
      await deletePersonalData(deps, person, code)
      // The names of Meta's documentation.
      return reply.send({ url: `${deps.baseUrl}/data-deletions/${code}`, confirmation_code: code })
    })
  }
  app.get<{ Params: { code: string } }>('/data-deletions/:code', options, async (request, reply) => {
    const deletion = await readDeletion(deps.db, request.params.code)
    const language = acceptedLanguage(request.headers['accept-language'])
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return show(reply, language, deletionArticle(deletion, language))
  })
  app.get('/privacy', options, async (request, reply) => {
    const language = acceptedLanguage(request.headers['accept-language'])
    const name = await deps.options.get('app.name')
    const contact = await deps.options.get('app.contact')
    reply.header('cache-control', 'no-cache')
    return show(reply, language, privacyArticle({ name, contact }, language))
  })
}
