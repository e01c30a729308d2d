import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../../../../errors.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { anyone } from '../../../../lib/http/access.ts'
import { callLimit } from '../../../../lib/http/limits/call-limit.ts'
import { languageOf } from '../../../../lib/language.ts'
import { openCardPage, openPaymentPage, returnFromCard, returnFromPayment } from './page.ts'

const MAX_BYTES = 16_000
/** Forms a minute for the card of one subscription: each is two calls of iyzico, and can lead to a charge. */
const FORMS_A_MINUTE = 5

const show = (reply: FastifyReply, { html, policy }: { html: string; policy: string }) =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    .send(html)

/**
 * The page around a form of iyzico, and the address that iyzico sends the browser back to. That call is a form from
 * another site, so it has no session: the token in it names the checkout, and decides nothing.
 */
export async function iyzicoPageRoutes(app: FastifyInstance, deps: Deps) {
  const options = { config: { access: anyone() }, schema: { hide: true }, bodyLimit: MAX_BYTES }
  const countForm = callLimit('card-form', FORMS_A_MINUTE, deps.clock)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.get<{ Params: { token: string } }>('/billing/iyzico/pay/:token', options, async (request, reply) => {
    const page = await openPaymentPage(deps, request.params.token)
    if (!page) throw notFound()
    return 'html' in page ? show(reply, page) : reply.redirect(page.back, 303)
  })
  app.get<{ Querystring: { of?: string } }>('/billing/iyzico/card', options, async (request, reply) =>
    show(
      reply,
      await openCardPage(
        deps,
        request.query.of ?? '',
        languageOf(request.headers['accept-language'] ?? 'en'),
        (subscription) => countForm(subscription, reply),
      ),
    ),
  )
  app.post<{ Body: { token?: string } | undefined; Querystring: { of?: string } }>(
    '/billing/iyzico/callback',
    options,
    async ({ body, query }, reply) => {
      const back = query.of ? await returnFromCard(deps, query.of) : await returnFromPayment(deps, body?.token ?? '')
      return reply.redirect(back, 303)
    },
  )
}
