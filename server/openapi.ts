import { createHash } from 'node:crypto'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { Deps } from './deps.ts'
import { catalogue } from './errors.ts'
import { type Access, anyone } from './lib/access.ts'
import { escapeHtml } from './lib/html.ts'

const problemResponse = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** The statuses that a route can answer with besides its own, from what it declares. */
function problems({
  access,
  hasInput,
  hasId,
  method,
}: {
  access: Access
  hasInput: boolean
  hasId: boolean
  method: string
}) {
  const open = access.level === 'anyone'
  const inWorkspace = !['anyone', 'user', 'instance_admin'].includes(access.level)
  return {
    ...(hasInput && { 400: problemResponse('Malformed or invalid') }),
    ...(!open && { 401: problemResponse('No or bad credentials') }),
    403: problemResponse('Not allowed'),
    ...((hasId || inWorkspace) && { 404: problemResponse('Absent, or not yours') }),
    ...((method !== 'GET' || inWorkspace) && { 409: problemResponse('In conflict with what is there') }),
    ...(method !== 'GET' && { 413: problemResponse('Body too large'), 415: problemResponse('Body is not JSON') }),
    default: problemResponse('Any other problem'),
  }
}

type Documented = FastifySchema & { 'x-access'?: Access }

/** How /openapi.json is made from the routes' own schemas. */
export const openapi = ({ baseUrl }: Pick<Deps, 'baseUrl'>): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Meydan',
      version: '1.0.0',
      description:
        'Social media management on your own machine. Routes under /public are for API tokens, each with its scope; the others are for signed-in sessions, and for tokens without scopes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    components: {
      schemas: {
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'detail', 'code'],
          properties: {
            type: { type: 'string', description: 'Where the code is explained' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string', description: 'What is wrong, and what to do' },
            instance: { type: 'string', description: 'The path that was called' },
            code: { type: 'string', enum: Object.keys(catalogue), description: 'Stable: branch on this' },
            request_id: { type: 'string', description: 'Under this the server log tells more' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['pointer', 'code', 'message'],
                properties: {
                  pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) to the field' },
                  code: { type: 'string' },
                  message: { type: 'string' },
                },
              },
            },
          },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, meydan_pat_…' },
        session: { type: 'apiKey', in: 'cookie', name: 'meydan.session_token' },
      },
    },
  },
  hideUntagged: true,
  transform: ({ schema, url, route }) => {
    const access = route.config?.access
    if (!access || schema.hide) return { schema, url }
    const documented: Documented = { ...schema }
    const isPublic = route.config?.mount === 'public'
    if (access.level === 'anyone') documented.security = []
    else if (isPublic) documented.security = [{ token: access.scope ? [access.scope] : [] }]
    else documented.security = [{ session: [] }, ...(access.token === false ? [] : [{ token: [] }])]
    documented['x-access'] = access
    documented.response = {
      ...(schema.response as Record<string, unknown>),
      ...problems({
        access,
        hasInput: Boolean(schema.body || schema.querystring || schema.params),
        hasId: url.includes(':'),
        method: String(route.method),
      }),
    }
    return { schema: documented, url }
  },
})

const descriptions: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'Done' }

/**
 * Moves every schema that has a title into components and leaves a reference, so that clients which are generated from
 * the document get one type a record, with its name.
 */
export function nameSchemas(document: object) {
  const schemas: Record<string, unknown> = {}
  const walk = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item))
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, walk(child, name)]))
    if (copy.description === 'Default Response') copy.description = descriptions[key] ?? key
    if (typeof copy.title !== 'string' || !('type' in copy)) return copy
    const { title, ...schema } = copy
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const named = walk(document) as { components?: { schemas?: object } }
  return { ...named, components: { ...named.components, schemas: { ...named.components?.schemas, ...schemas } } }
}

const lazily = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

/** The pages under /docs write styles into themselves, and start the reference by a script that is known by its hash. */
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
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
  }
  done(null, page)
}

/** The document itself, the reference page made from it, and the page that explains the error codes. */
export async function documentation(app: FastifyInstance) {
  const config = { access: anyone() }
  const document = lazily(() => nameSchemas(app.swagger()))
  app.get('/openapi.json', { config, schema: { hide: true } }, document)

  const rows = Object.entries(catalogue)
    .map(([code, [status, title]]) => `<tr id="${code}"><td><code>${code}</code><td>${status}<td>${escapeHtml(title)}`)
    .join('\n')
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Meydan: error codes</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}td,th{text-align:left;padding:.3rem 1rem .3rem 0}:target{background:#fff3bf}</style>
<h1>Error codes</h1><table><tr><th>Code<th>Status<th>Meaning\n${rows}</table></html>`
  app.get('/docs/errors', { config, schema: { hide: true }, onSend: allowReference }, (_, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  )

  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/docs')) return
    route.config = { ...route.config, ...config }
    route.onSend = allowReference
  })
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      title: 'Meydan API',
      url: '/openapi.json',
      withDefaultFonts: false,
      // Nothing that would carry this instance's document or its readers' questions elsewhere.
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  })
}
