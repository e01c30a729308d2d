import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { providerNames } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { createReceiver } from './inbound-events.ts'

/** Larger than any event of the providers. */
const MAX_BYTES = 262_144
const senders = providerNames.filter((name) => providerOf(name).kind !== 'payment_request')

/**
 * Registers the addresses that providers send events to, in a scope whose bodies stay as they were signed. Only
 * providers call them, so the API document does not list them. 404 while a provider is not set up.
 */
export async function inboundEventRoutes(app: FastifyInstance, deps: Deps) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const options = { config: { access: anyone() }, schema: { hide: true }, bodyLimit: MAX_BYTES }
  const receive = createReceiver(deps)
  for (const provider of senders)
    app.post(`/api/v1/billing/webhooks/${provider}`, options, async ({ body, headers }, reply) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      return reply.type('text/plain; charset=utf-8').send(await receive({ provider, raw, headers }))
    })
}
