import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import type { ProviderName } from '../providers/provider.ts'
import { receiveEvent } from './inbound.ts'

/** An event has its whole subject, such as an invoice with its lines. */
const MAX_BYTES = 256 * 1024

/** Registers the addresses that providers send events to, in a scope whose bodies stay as they were signed. */
export async function inboundEventRoutes(app: FastifyInstance, deps: Deps) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const route = routes(app, deps, 'Billing')
  for (const [provider, title, consumes] of [
    ['stripe', 'Stripe', 'application/json'],
    ['iyzico', 'iyzico', 'application/json'],
    ['paytr', 'PayTR', 'application/x-www-form-urlencoded'],
  ] as const satisfies [ProviderName, string, string][])
    route.post(`/billing/webhooks/${provider}`, {
      operationId: `receive${title.replace('iyzico', 'Iyzico')}Event`,
      summary: `Receive an event from ${title}`,
      description: `Called by ${title}. The signature is checked, the event is stored once, and its subject is then read from ${title}: an event decides nothing by itself. 404 while ${title} is not set up.`,
      access: anyone(),
      form: Type.Object({}, { description: `An event as ${title} signs it, at most 256 KB.` }),
      consumes,
      maxBytes: MAX_BYTES,
      response: { 200: Type.Unsafe<void>(Type.Null()) },
      instead: { 'text/plain': 'The acknowledgement that the provider expects.' },
      ownTransactions: true,
      handler: async ({ deps, request, reply }) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const text = await receiveEvent(deps, { provider, raw, headers: request.headers })
        reply.type('text/plain; charset=utf-8').send(text)
      },
    })
}
