import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { acceptedLanguage, renderArticle } from '../../../lib/http/response/article-page.ts'
import type { Language } from '../../../lib/language.ts'
import { stopMails } from '../preferences.ts'
import { readUnsubscribe } from './unsubscribe.ts'

const MAX_BYTES = 16_000

const texts = {
  en: {
    title: 'Stop these e-mails',
    ask: 'You will no longer get e-mails about this kind of notification. The console still lists them.',
    askDigest: 'You will no longer get the daily summary. The console still lists its notifications.',
    button: 'Stop these e-mails',
    done: 'These e-mails are turned off',
    change: 'You can turn them on again in your profile, under Notifications.',
    unknown: 'This address is not valid',
    incomplete:
      'It may have been copied without its end. You choose your e-mails in your profile, under Notifications.',
  },
  tr: {
    title: 'Bu e-postaları durdur',
    ask: 'Bu tür bildirimler için artık e-posta almayacaksınız. Konsol onları göstermeye devam eder.',
    askDigest: 'Günlük özeti artık almayacaksınız. Konsol, içindeki bildirimleri göstermeye devam eder.',
    button: 'Bu e-postaları durdur',
    done: 'Bu e-postalar kapatıldı',
    change: 'Profilinizdeki Bildirimler bölümünden yeniden açabilirsiniz.',
    unknown: 'Bu adres geçerli değil',
    incomplete: 'Sonu kopyalanmamış olabilir. E-postalarınızı profilinizdeki Bildirimler bölümünden seçersiniz.',
  },
} as const satisfies Record<Language, Record<string, string>>

/**
 * Registers the address that mails carry as List-Unsubscribe. Programs that look at the links of a mail call it, so GET
 * changes nothing.
 */
export async function unsubscribeRoutes(app: FastifyInstance, deps: Deps) {
  const options = { config: { access: anyone() }, schema: { hide: true }, bodyLimit: MAX_BYTES }
  // Mail programs send the body of RFC 8058 in any form. It says nothing that the address does not.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    article: (text: (typeof texts)[Language]) => { title: string; paragraph: string; button?: string },
  ) => {
    const language = acceptedLanguage(request.headers['accept-language'])
    const { title, paragraph, button } = article(texts[language])
    const sections = [{ paragraphs: [paragraph] }]
    const { headers, html } = renderArticle(language, { title, sections, ...(button !== undefined && { button }) })
    reply.headers({ ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return reply.send(html)
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    show(request, reply.code(404), ({ unknown, incomplete }) => ({ title: unknown, paragraph: incomplete }))

  app.get('/unsubscribe', options, async (request, reply) => {
    const unsubscribed = readUnsubscribe(deps, request.query)
    if (!unsubscribed) return refuse(request, reply)
    return show(request, reply, ({ title, ask, askDigest, button }) => ({
      title,
      paragraph: unsubscribed.kind === 'digest' ? askDigest : ask,
      button,
    }))
  })
  app.post('/unsubscribe', options, async (request, reply) => {
    const unsubscribed = readUnsubscribe(deps, request.query)
    if (!unsubscribed) return refuse(request, reply)
    await stopMails(deps.db, unsubscribed.user_id, unsubscribed.kind)
    return show(request, reply, ({ done, change }) => ({ title: done, paragraph: change }))
  })
}
