import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anyone } from '../lib/http/access.ts'
import { etagOfBytes, FOREVER, type PackedFile, sendPacked } from '../lib/http/response/compression.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { type Manifest, pageWithLinks, scriptHashes } from './console-page.ts'

const sources = join(import.meta.dirname, '../../console')
const dist = join(sources, 'dist')

/** Paths for programs: an unknown one gets a problem document, never the console. */
const elsewhere = /^\/(api|console|docs|feeds|fonts|openapi\.json|healthz|readyz)(\/|;|$)/i

/**
 * Allows scripts from this origin, and the inline ones of the page by their hashes. An inline style sheet needs the
 * nonce of this response, as Mantine's have.
 */
const pageHeaders = (nonce: string, hashes: string[], frames: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    `frame-src ${frames}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'content-type': 'text/html; charset=utf-8',
  // The nonce makes every response different, so storing one is useless.
  'cache-control': 'no-cache',
})

/** The service worker that shows pushed notifications. Its policy is that of its own file, not of the page. */
const PUSH_WORKER = 'push-worker.js'
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** Keeps the page of a client link out of search engines and caches. */
const forClients = { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' }

/** Responds to a GET for a page of the console that no route handles. undefined: the address is not such a page. */
export type OpenPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined

/** The path as the router reads it: decoded, without dots and doubled slashes. */
function pathOf({ url }: FastifyRequest) {
  if (!url.startsWith('/')) return undefined
  try {
    return decodeURIComponent(new URL(`http://localhost${url}`).pathname).replace(/\/{2,}/g, '/')
  } catch {
    return undefined
  }
}

function isForPeople(request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request)
  if (!/^(GET|HEAD)$/.test(request.method) || path === undefined || elsewhere.test(path)) return false
  reply.header('vary', 'accept')
  return path === '/' || /text\/html/i.test(request.headers.accept ?? '')
}

const config = { access: anyone() }
const schema = { hide: true }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Loads the built console into memory (some 3 MB). A later build replaces the files on disk, which pages loaded before
 * it still need. It reads synchronously: nothing else runs yet, and hundreds of promises take four times as long.
 */
function readBuilt() {
  const names = new Set(
    readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const files = new Map<string, PackedFile>()
  const packed = (name: string) => (names.has(name) ? readFileSync(join(dist, name)) : undefined)
  for (const name of names) {
    const type = types[extname(name)]
    if (!type) continue
    const bytes = readFileSync(join(dist, name))
    files.set(name, { type, bytes, etag: etagOfBytes(bytes), br: packed(`${name}.br`), gzip: packed(`${name}.gz`) })
  }
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Manifest
  return { files, pageFor: pageWithLinks(page, manifest), hashes: scriptHashes(page) }
}

let loaded: ReturnType<typeof readBuilt> | undefined

/** The built console, which a process reads once. */
function loadBuilt() {
  try {
    loaded ??= readBuilt()
    return loaded
  } catch (cause) {
    throw new StartError('The console has not been built. Run: node scripts/prepare.mjs', { cause })
  }
}

/** The page of a checkout, which can show the form of a payment provider in a frame. */
const checkoutPath = /^\/w\/[^/]+\/billing\/checkouts\//

/**
 * Serves the built console: files under /console/, and its page for every address that a person can open.
 * `checkoutFrames`: origins of the forms that the page of a checkout shows.
 */
export function serveConsole(app: FastifyInstance, checkoutFrames: string[]): OpenPage {
  const built = loadBuilt()

  app.get<{ Params: { '*': string } }>('/console/*', { config, schema }, (request, reply) => {
    const name = request.params['*']
    const file = built.files.get(name)
    if (!file) return reply.callNotFound()
    if (name === PUSH_WORKER) reply.header('content-security-policy', workerPolicy)
    // The names of files under assets/ change with their content.
    return sendPacked(request, reply, file, name.startsWith('assets/') ? FOREVER : 'no-cache')
  })

  return (request, reply) => {
    if (!isForPeople(request, reply)) return undefined
    const nonce = randomBytes(16).toString('base64url')
    // The form leads to the page of the bank of the card, in the same frame.
    const isCheckout = checkoutPath.test(pathOf(request) ?? '')
    const frames = isCheckout ? ["'self'", 'https:', ...checkoutFrames].join(' ') : "'self'"
    return reply
      .code(200)
      .headers(pageHeaders(nonce, built.hashes, frames))
      .headers(pathOf(request)?.startsWith('/review/') ? forClients : {})
      .send(built.pageFor(request).replaceAll('<style>', `<style nonce="${nonce}">`))
  }
}

/** Serves the console from its sources, and updates open pages on each change. Used by `npm run dev`. */
export async function serveConsoleSources(app: FastifyInstance): Promise<OpenPage> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(sources, '../vite.config.ts'),
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: app.server },
      cors: false,
      // Allows no other folders of this machine, above all not the data.
      fs: { allow: [sources, join(sources, '../node_modules')] },
    },
  })
  // Closed before the server waits for its connections: an open page has one that never ends.
  app.addHook('preClose', () => vite.close())
  app.server.on('upgrade', (request, socket) => {
    if (!request.url?.startsWith('/console/')) socket.destroy()
  })

  app.get('/console/*', { config, schema }, (request, reply) => {
    reply.hijack()
    vite.middlewares(request.raw, reply.raw)
  })
  return (request, reply) => {
    if (!isForPeople(request, reply)) return undefined
    return (
      readFile(join(sources, 'index.html'), 'utf8')
        .then((page) => vite.transformIndexHtml(request.url, page))
        // The policy would block Vite's inline scripts and styles.
        .then((page) =>
          reply.code(200).removeHeader('content-security-policy').type('text/html; charset=utf-8').send(page),
        )
    )
  }
}
