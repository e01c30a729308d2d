import { createHash } from 'node:crypto'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guideForReference } from './docs-pages.ts'
import type { Deps } from './lib/deps.ts'
import { anyone } from './lib/http/access.ts'
import { openapiDocument, publicPart, sessionPart } from './openapi.ts'

const lazily = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

/** Allows inline styles on pages under /docs, and the script that starts the reference, by its hash. */
const allowReference = (
  _: FastifyRequest,
  reply: FastifyReply,
  page: unknown,
  done: (err: null, page: unknown) => void,
) => {
  if (typeof page === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
    const scripts = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    reply.header(
      'content-security-policy',
      [
        "default-src 'self'",
        ['script-src', "'self'", ...scripts].join(' '),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "object-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
  }
  done(null, page)
}

/** Serves the documents, and the reference page made from them, which opens on the guide to the first steps. */
export async function reference(app: FastifyInstance, { baseUrl }: Pick<Deps, 'baseUrl'>) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  const start = await guideForReference('start', baseUrl)
  const document = lazily(() => openapiDocument(app))
  app.get('/openapi.json', options, document)
  app.get(
    '/openapi.public.json',
    options,
    lazily(() => publicPart(document(), start)),
  )
  app.get(
    '/openapi.session.json',
    options,
    lazily(() => sessionPart(document())),
  )

  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/docs')) return
    route.config = { ...route.config, ...options.config }
    route.onSend = allowReference
  })
  const sources = [
    { title: 'API for programs', slug: 'public', url: '/openapi.public.json', default: true },
    { title: 'API for sessions', slug: 'session', url: '/openapi.session.json' },
  ]
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      title: 'Meydan API',
      // The plugin would serve a document of its own if it did not find one here.
      url: '/openapi.public.json',
      sources,
      withDefaultFonts: false,
      // Disables features that would send this document or readers' questions elsewhere.
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  })
}
