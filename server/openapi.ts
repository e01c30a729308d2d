import { createHash } from 'node:crypto'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { catalogue } from './errors.ts'
import { type Access, anyone } from './lib/access.ts'
import { escapeHtml } from './lib/html.ts'
import { audienceOf, components, partsOf, securityOf } from './lib/openapi-parts.ts'

type Media = { also?: Record<string, string>; instead?: Record<string, string> }
type Documented = FastifySchema & { 'x-access'?: Access; 'x-media'?: Media }

const tags: Record<string, string> = {
  'Sign-in': 'Sign-up, sign-in and forgotten passwords. What a browser gets is a session in a cookie.',
  Me: 'The person behind the call.',
  Workspaces: 'Where accounts, posts and members belong together.',
  Members: 'Who belongs to a workspace, with which role.',
  Invitations: 'How somebody becomes a member.',
  'API tokens': 'Keys for programs.',
  Webhooks: 'Addresses that Meydan posts events to.',
  'Audit log': 'Who changed what, and from where.',
  Users: 'Everybody who has an account on this installation.',
  Outbox: 'The mails that Meydan wrote.',
  Options: 'What an instance admin sets while Meydan runs.',
  'E-mail templates': 'Texts of mails, in place of those of Meydan.',
  'AI models': 'Models of vendors, and the keys that they are called with.',
  Plans: 'What workspaces may use, for which price.',
  Generation: 'Texts, images and videos that AI models make.',
  Accounts: 'Connected accounts on networks.',
  Posts: 'What is written, scheduled and published.',
}

/** How /openapi.json is made from the routes' own schemas. */
export const openapi = (): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Meydan',
      version: '1.0.0',
      description:
        'Social media management on your own machine. Routes under /public are for API tokens, each with its scope; the others are for signed-in sessions, and for tokens without scopes.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Whoever runs this installation' },
    },
  },
  hideUntagged: true,
  transform: ({ schema, url, route }) => {
    const access = route.config?.access
    if (!access || schema.hide) return { schema, url }
    const media = route.config?.media
    const documented: Documented = { ...schema, 'x-access': access, ...(media && { 'x-media': media }) }
    return { schema: documented, url }
  },
})

const descriptions: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'Done' }

/**
 * Moves every schema that has a title into components and leaves a reference, so that clients which are generated from
 * the document get one type a record, with its name.
 */
function nameSchemas(document: object): Document {
  const schemas: Record<string, unknown> = {}
  const walk = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item))
    if (typeof value !== 'object' || value === null) return value
    const copy: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, walk(child, name)]),
    )
    if (copy.description === 'Default Response') copy.description = descriptions[key] ?? key
    if ([copy.type].flat().includes('integer')) copy.format = 'int32'
    if (typeof copy.title !== 'string' || !('type' in copy)) return copy
    const { title, ...schema } = copy
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const named = walk(document) as Document
  return { ...named, components: { schemas } }
}

type Response = { content?: Record<string, { schema?: { $ref?: string } & object }>; $ref?: string }
type Operation = {
  'x-access': Access
  'x-media'?: Media
  description?: string
  security?: Record<string, string[]>[]
  tags?: string[]
  parameters?: object[]
  responses: Record<string, Response>
}
type Document = { components?: { schemas?: object }; paths?: Record<string, Record<string, Operation>> }

/** Answers that are no JSON: what they hold is told in words. */
const contentOf = (media: Record<string, string>): NonNullable<Response['content']> =>
  mapValues(media, (description, type) => ({
    schema: {
      type: 'string',
      description,
      ...(type.startsWith('text/') ? { maxLength: 10_000_000 } : { format: 'binary', maxLength: 100_000_000 }),
    },
  }))

/** Adds what follows from an operation's access: who may call, headers that it takes and gives, and its problems. */
function complete(operation: Operation, method: string, path: string): Operation {
  const { 'x-media': media = {}, ...said } = operation
  const { 'x-access': access, description, parameters: own = [] } = said
  const responses = mapValues(said.responses, (answer) => ({
    ...answer,
    ...((media.also || media.instead) && {
      content: { ...(media.instead ? {} : answer.content), ...contentOf({ ...media.also, ...media.instead }) },
    }),
  }))
  const [success] = Object.values(responses)
  const record = Object.values(success?.content ?? {})[0]
    ?.schema?.$ref?.split('/')
    .at(-1)
  const { parameters, headers, responses: problems } = partsOf(access, { method, path, record })
  return {
    ...said,
    description: [description, audienceOf(access, path)].filter(Boolean).join('\n\n'),
    security: securityOf(access, path),
    ...(own.length + parameters.length && { parameters: [...own, ...parameters] }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, answer]) => [status, { ...answer, headers }])),
      ...problems,
    },
  }
}

const mapValues = <V, W>(record: Record<string, V>, map: (value: V, key: string) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

/** The whole document of an app that is ready. */
export function openapiDocument(app: FastifyInstance) {
  const { components: named, paths = {}, ...document } = nameSchemas(app.swagger())
  const completed = mapValues(paths, (operations, path) =>
    mapValues(operations, (operation, method) => complete(operation, method, path)),
  )
  const used = new Set(
    Object.values(completed).flatMap((operations) => Object.values(operations).flatMap(({ tags = [] }) => tags)),
  )
  return {
    ...document,
    // Whoever reads the document here means this installation, by whatever name they reach it.
    servers: [{ url: '/', 'x-internal': false }],
    tags: Object.entries(tags)
      .flatMap(([name, description]) => [
        { name, description },
        { name: `Public: ${name}`, description: `${description} For API tokens.` },
      ])
      .filter(({ name }) => used.has(name)),
    components: { ...components, schemas: { ...components.schemas, ...named?.schemas } },
    paths: completed,
  }
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
        "form-action 'none'",
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
  const document = lazily(() => openapiDocument(app))
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
