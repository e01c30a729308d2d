import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from '../lib/deps.ts'
import { anyone } from '../lib/http/access.ts'
import { FOREVER, pack, sendPacked } from '../lib/http/response/compression.ts'
import { FONT_FAMILY, fontFaces } from '../lib/http/response/fonts.ts'
import { backToConsole, guideForReference } from './docs-pages.ts'
import { openapiDocument, publicPart, sessionPart } from './openapi.ts'

const lazily = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

/** Allows inline styles on the page of the reference, and the script that starts it, by its hash. */
function policyFor(page: string) {
  const scripts = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const PREFIX = '/docs'
const SCRIPT = `${PREFIX}/js/scalar.js`

/** A line above the reference that leads to the rest of Meydan. Scalar makes room for it by a variable. */
const header = `<nav class="meydan" aria-label="Meydan">${backToConsole} <a href="/docs/guides">Guides</a></nav>`
const customCss = `${fontFaces}
:root{--scalar-font:${FONT_FAMILY};--scalar-custom-header-height:44px}
.light-mode{--scalar-color-accent:#05656e}
.dark-mode{--scalar-color-accent:#71c6cb}
.meydan{position:sticky;top:0;z-index:100;display:flex;gap:1.5rem;align-items:center;height:44px;padding:0 1rem;font:500 .875rem ${FONT_FAMILY};color:var(--scalar-color-1);background:var(--scalar-background-1,#fff);border-bottom:1px solid var(--scalar-border-color)}
.meydan a{color:inherit;text-decoration:none}
.meydan a:hover{text-decoration:underline}
.meydan img{vertical-align:-.3em}`

async function scalarVersion() {
  const manifest = new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference'))
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
}

/**
 * The page of the reference, and its script, nearly 4 MB. Their plugin takes a tenth of a second to load, and most starts
 * serve neither, so it is registered on a server of its own at the first request.
 */
async function loadReference() {
  const [{ default: apiReference }, version] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    scalarVersion(),
  ])
  const app = Fastify()
  await app.register(apiReference, {
    routePrefix: PREFIX,
    configuration: {
      title: 'Meydan API',
      // The plugin would serve a document of its own if it did not find one here.
      url: '/openapi.public.json',
      sources: [
        { title: 'API for programs', slug: 'public', url: '/openapi.public.json', default: true },
        { title: 'API for sessions', slug: 'session', url: '/openapi.session.json' },
      ],
      cdn: `js/scalar.js?v=${version}`,
      withDefaultFonts: false,
      customCss,
      // Disables features that would send this document or readers' questions elsewhere.
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  })
  const page = await app.inject(`${PREFIX}/`)
  const script = await app.inject(SCRIPT)
  const body = page.body.replace(/<body[^>]*>/, `$&${header}`)
  return { version, page: body, policy: policyFor(body), script: script.body }
}

/** Serves the documents, and the reference page made from them, which opens on the guide to the first steps. */
export function reference(app: FastifyInstance, { baseUrl }: Pick<Deps, 'baseUrl'>) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  const document = lazily(() => openapiDocument(app))
  const documents = {
    '/openapi.json': document,
    '/openapi.public.json': async () => publicPart(document(), await guideForReference('start', baseUrl)),
    '/openapi.session.json': () => sessionPart(document()),
  }
  for (const [path, make] of Object.entries(documents)) {
    const packed = lazily(async () => pack('application/json; charset=utf-8', JSON.stringify(await make())))
    app.get(path, options, async (request, reply) => sendPacked(request, reply, await packed()))
  }

  const loaded = lazily(loadReference)
  const packedScript = lazily(async () => pack('text/javascript; charset=utf-8', (await loaded()).script))
  app.get(PREFIX, options, (_, reply) => reply.redirect(`${PREFIX}/`, 301))
  app.get(`${PREFIX}/`, options, async (_, reply) => {
    const { page, policy } = await loaded()
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
  })
  app.get(SCRIPT, options, async (request, reply) => {
    const isCurrent = request.url.endsWith(`?v=${(await loaded()).version}`)
    return sendPacked(request, reply, await packedScript(), isCurrent ? FOREVER : 'no-cache')
  })
}
