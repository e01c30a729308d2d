import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../language.ts'
import { anyone } from '../access.ts'
import { acceptedLanguage, renderArticle } from './article-page.ts'

const MAX_BYTES = 16_000

type Texts = Record<'title' | 'button' | 'done' | 'change' | 'unknown' | 'incomplete', string>

type Options<Mails> = {
  path: string
  texts: Record<Language, Texts>
  /** The mails that an address stops; undefined for an address that this installation did not make. */
  read: (query: unknown) => Mails | undefined
  askOf: (language: Language, mails: Mails) => string
  stop: (mails: Mails) => Promise<unknown>
}

/**
 * Registers an address that mails carry as List-Unsubscribe. Programs that look at the links of a mail call it, so GET
 * changes nothing. The scope must have no other routes: it takes bodies of any type.
 */
export function unsubscribePage<Mails>(app: FastifyInstance, { path, texts, read, askOf, stop }: Options<Mails>) {
  const options = { config: { access: anyone() }, schema: { hide: true }, bodyLimit: MAX_BYTES }
  // Mail programs send the body of RFC 8058 in any form. It says nothing that the address does not.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))

  type Article = { title: string; paragraph: string; button?: string }
  const show = (request: FastifyRequest, reply: FastifyReply, article: (language: Language) => Article) => {
    const language = acceptedLanguage(request.headers['accept-language'])
    const { title, paragraph, button } = article(language)
    const sections = [{ paragraphs: [paragraph] }]
    const { headers, html } = renderArticle(language, { title, sections, ...(button !== undefined && { button }) })
    reply.headers({ ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return reply.send(html)
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    show(request, reply.code(404), (language) => ({
      title: texts[language].unknown,
      paragraph: texts[language].incomplete,
    }))

  app.get(path, options, async (request, reply) => {
    const mails = read(request.query)
    if (mails === undefined) return refuse(request, reply)
    return show(request, reply, (language) => ({
      title: texts[language].title,
      paragraph: askOf(language, mails),
      button: texts[language].button,
    }))
  })
  app.post(path, options, async (request, reply) => {
    const mails = read(request.query)
    if (mails === undefined) return refuse(request, reply)
    await stop(mails)
    return show(request, reply, (language) => ({ title: texts[language].done, paragraph: texts[language].change }))
  })
}
