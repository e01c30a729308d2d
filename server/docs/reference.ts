import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import type { Deps } from '../lib/deps.ts'
import { anyone } from '../lib/http/access.ts'
import { FOREVER, pack, packedPayload, sendPacked } from '../lib/http/response/compression.ts'
import { guideForReference } from './docs-pages.ts'
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

const PREFIX = '/docs'

async function scalarVersion() {
  const manifest = new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference'))
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
}

/** Sends the script of the reference, nearly 4 MB, compressed once. The plugin sends the same text to every call. */
function sendScriptPacked(version: string): onSendAsyncHookHandler<unknown> {
  let packed: ReturnType<typeof pack> | undefined
  return async (request, reply, text) => {
    if (typeof text !== 'string' || reply.statusCode !== 200) return text
    packed ??= pack('text/javascript; charset=utf-8', text)
    return packedPayload(request, reply, await packed, request.url.endsWith(`?v=${version}`) ? FOREVER : 'no-cache')
  }
}

/** Serves the documents, and the reference page made from them, which opens on the guide to the first steps. */
export async function reference(app: FastifyInstance, { baseUrl }: Pick<Deps, 'baseUrl'>) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  const start = await guideForReference('start', baseUrl)
  const document = lazily(() => openapiDocument(app))
  const documents = {
    '/openapi.json': document,
    '/openapi.public.json': () => publicPart(document(), start),
    '/openapi.session.json': () => sessionPart(document()),
  }
  for (const [path, make] of Object.entries(documents)) {
    const packed = lazily(() => pack('application/json; charset=utf-8', JSON.stringify(make())))
    app.get(path, options, async (request, reply) => sendPacked(request, reply, await packed()))
  }

  const script = { path: `${PREFIX}/js/scalar.js`, version: await scalarVersion() }
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(PREFIX)) return
    route.config = { ...route.config, ...options.config }
    route.onSend = route.url === script.path ? sendScriptPacked(script.version) : allowReference
  })
  const sources = [
    { title: 'API for programs', slug: 'public', url: '/openapi.public.json', default: true },
    { title: 'API for sessions', slug: 'session', url: '/openapi.session.json' },
  ]
  await app.register(apiReference, {
    routePrefix: PREFIX,
    configuration: {
      title: 'Meydan API',
      // The plugin would serve a document of its own if it did not find one here.
      url: '/openapi.public.json',
      sources,
      cdn: `js/scalar.js?v=${script.version}`,
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
