import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anyone } from './lib/access.ts'
import { StartError } from './lib/start-error.ts'

const sources = join(import.meta.dirname, '../console')
const dist = join(sources, 'dist')
/** Where the API and its documentation answer: an unknown path there is a problem document, never the console. */
const elsewhere = /^\/(api|docs|openapi\.json|healthz|readyz)(\/|$)/

/** Mantine sets its sizes and colours by style attributes; scripts come from here only. */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Answers a GET for an address that a person opens, and no route has. undefined: it is not one of those. */
export type OpenPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined

function isForPeople({ method, url, headers }: FastifyRequest) {
  const path = url.split('?', 1)[0] ?? '/'
  if ((method !== 'GET' && method !== 'HEAD') || elsewhere.test(path)) return false
  return path === '/' || headers.accept?.includes('text/html') === true
}

const config = { access: anyone() }

/** Serves the built console: its files under /console/, and its page for every address that a person can open. */
export async function serveConsole(app: FastifyInstance): Promise<OpenPage> {
  const page = await readFile(join(dist, 'index.html')).catch((cause: unknown) => {
    throw new StartError('The console has not been built. Run: node scripts/prepare.mjs', { cause })
  })
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 27)}"`

  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config }
    })
    await files.register(fastifyStatic, {
      root: dist,
      prefix: '/console/',
      index: false,
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      schemaHide: true,
      setHeaders: (reply, path) => {
        reply.header('x-content-type-options', 'nosniff')
        // The names of the files under assets/ change with their content.
        const lasting = path.startsWith(join(dist, 'assets'))
        reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  })

  return (request, reply) => {
    if (!isForPeople(request)) return undefined
    reply.headers({
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      // Links from mails carry one-time codes: no other site is to see them.
      'referrer-policy': 'no-referrer',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.code(200).type('text/html; charset=utf-8').send(page)
  }
}

/** Serves the console from its sources, and has open pages follow each change of them. For `npm run dev`. */
export async function serveConsoleSources(app: FastifyInstance): Promise<OpenPage> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(sources, '../vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  app.addHook('onClose', () => vite.close())

  app.get('/console/*', { config, schema: { hide: true } }, (request, reply) => {
    reply.hijack()
    vite.middlewares(request.raw, reply.raw)
  })
  return (request, reply) => {
    if (!isForPeople(request)) return undefined
    return readFile(join(sources, 'index.html'), 'utf8')
      .then((page) => vite.transformIndexHtml(request.url, page))
      .then((page) => reply.code(200).type('text/html; charset=utf-8').send(page))
  }
}
