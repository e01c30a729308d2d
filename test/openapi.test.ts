import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../server/config/config.ts'
import { catalogue } from '../server/errors.ts'
import { eventTypes } from '../server/events.ts'
import { isEmail } from '../server/lib/email.ts'
import { roles } from '../server/lib/http/roles.ts'
import { scopes } from '../server/lib/http/scopes.ts'
import { plain, secrets } from '../server/modules/options/catalogue.ts'
import { testApp } from './app.ts'
import type { ApiResponse, Client } from './client.ts'
import { expectStatus, memberOf, playgroundAccount, signedIn, withToken, withWorkspace } from './factories.ts'
import { recipes } from './fuzz/recipes.ts'
import { oneMount, type RegisteredRoute, registeredRoutes } from './routes.ts'
import { EVERY_CREDENTIAL, SEED } from './torture/settings.ts'

type Schema = { $ref?: string; properties?: Record<string, Schema> } & { [keyword: string]: unknown }
type DocumentedResponse = {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}
type Operation = {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters?: { $ref?: string; name?: string }[]
  responses: Record<string, DocumentedResponse>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

const t = await testApp()
const document: Document = expectStatus(await t.anyone.get('/openapi.json'), 200).body
// A CORS preflight belongs to no operation, and only payment providers send events.
const routes = (await registeredRoutes(t.deps)).filter(
  ({ method, path }) =>
    path.startsWith('/api/') && method !== 'OPTIONS' && !path.startsWith('/api/v1/billing/webhooks/'),
)

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    ...operation,
  })),
)
const operationByName = new Map(operations.map((operation) => [operation.name, operation]))
const operationOf = (route: RegisteredRoute) => {
  const found = operationByName.get(nameOf(route))
  if (!found) throw new Error(`${nameOf(route)} is not documented`)
  return found
}

test('the document has exactly the routes under /api, each with a unique operationId', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(operations.map(({ name }) => name).sort()).toEqual(routes.map(nameOf).sort())
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each recipe of the fuzzer is for an operation of the document', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId))
  expect(Object.keys(recipes).filter((id) => !ids.has(id))).toEqual([])
})

describe('texts of the document', () => {
  const banned =
    /\b(for who|anew|tells?|told|meanwhile|so many|by and by|is none|who(m|so)?ever|answer(s|ed)?|vendors?|(?<!e-)mails)\b/i
  const riddle = /^(What|Who|Whom|Whose|Of|For who)\b/

  /** Every summary and description of the document, and other texts from the same lists. */
  const texts = () => {
    const found: { where: string; text: string }[] = []
    const walk = (value: unknown, where: string) => {
      if (typeof value !== 'object' || value === null) return
      for (const [name, child] of Object.entries(value)) {
        // Examples are data of users.
        if (name === 'example' && !where.endsWith('.properties')) continue
        if ((name === 'summary' || name === 'description') && typeof child === 'string')
          found.push({ where: `${where}.${name}`, text: child })
        walk(child, `${where}.${name}`)
      }
    }
    walk(document, 'openapi.json')
    const add = (list: string, entries: [string, string][]) => {
      for (const [name, text] of entries) found.push({ where: `${list}.${name}`, text })
    }
    add(
      'errors',
      Object.entries(catalogue).map(([code, [, title]]) => [code, `${title}.`]),
    )
    add(
      'events',
      Object.entries(eventTypes).map(([type, { description }]) => [type, description]),
    )
    add(
      'settings',
      Object.entries(keys).map(([key, { doc }]) => [key, doc]),
    )
    add(
      'options',
      Object.entries({ ...plain, ...secrets }).map(([key, { description }]) => [key, description]),
    )
    return found
  }

  test('no text has a banned word or begins with a question word', () => {
    expect(texts().length).toBeGreaterThan(1000)
    expect(texts().filter(({ text }) => banned.test(text) || riddle.test(text))).toEqual([])
  })

  test('every description of more than one word ends with a full stop', () => {
    const isOpen = ({ where, text }: { where: string; text: string }) =>
      !where.endsWith('.summary') && /\s/.test(text) && !text.endsWith('.')
    expect(texts().filter(isOpen)).toEqual([])
  })

  test('every operation has a summary of at most 60 characters, without a full stop', () => {
    const isBad = (summary: string) => summary === '' || summary.length > 60 || summary.endsWith('.')
    expect(operations.filter(({ summary }) => isBad(summary)).map(({ name }) => name)).toEqual([])
  })
})

// Their types fit neither each other nor the exports.
const load = createRequire(import.meta.url)
const oas: RulesetDefinition = load('@stoplight/spectral-rulesets').oas
const owasp: RulesetDefinition = load('@stoplight/spectral-owasp-ruleset')

test(`Spectral finds no error by the OWASP rules, and no finding at all by the OpenAPI rules (seed ${SEED})`, async () => {
  const spectral = new Spectral()
  spectral.setRuleset({
    extends: [
      [oas, 'recommended'],
      [owasp, 'all'],
    ],
    rules: {
      // Responses to a session deliberately lack this header. It is documented where it is sent.
      'owasp:api8:2023-define-cors-origin': 'off',
      // Some instance admin routes are outside /admin: options, AI models and templates.
      'owasp:api5:2023-admin-security-unique': 'off',
      // Since 3.1 every scheme may list requirements, as that for tokens does; this rule knows only OAuth scopes.
      'oas3-operation-security-defined': 'off',
      // A warning for nearly each text, which takes two thirds of the time. Only errors of these rules count.
      'owasp:api4:2023-string-restricted': 'off',
      // They compile every schema again for every example. The next test, and those in sweeps, check all examples.
      'oas3-valid-media-example': 'off',
      'oas3-valid-schema-example': 'off',
    },
  })
  // Both mounts of a route have the same schemas.
  const chosen = new Set(oneMount(routes).map(nameOf))
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const some = Object.entries(methods).filter(([method]) =>
      chosen.has(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    return some.length > 0 ? [[path, Object.fromEntries(some)]] : []
  })
  const found = await spectral.run({ ...document, paths: Object.fromEntries(paths) })
  const faults = found
    .filter(({ code, severity }) => severity === 0 || !String(code).startsWith('owasp:'))
    .map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`)
    // This rule takes a field `type` in an example for that of a schema.
    .filter((fault) => !/^owasp:api4:2023-string-limit \S*\/example[/:]/.test(fault))
    // An invitation link is the only credential of an invited person: valid once, for a week, for one address.
    .filter((fault) => !/^owasp:api2:2023-no-credentials-in-url paths\/\/api\/v1\/invitations\/\{token\}/.test(fault))
  expect(faults).toEqual([])
  // The OWASP rules ran.
  expect(found.some(({ code }) => String(code).startsWith('owasp:'))).toBe(true)
})

test('the example of every parameter and header fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addFormat('idn-email', isEmail)
  const examples = new Map<string, { schema: object; example: unknown; where: string }>()
  const walk = (value: unknown, where: string) => {
    if (typeof value !== 'object' || value === null) return
    const { schema, example }: { schema?: object; example?: unknown } = value
    if (schema && example !== undefined) examples.set(JSON.stringify([schema, example]), { schema, example, where })
    // The sweeps send the examples of bodies, and compare those of responses with their schemas.
    for (const [name, child] of Object.entries(value)) if (name !== 'content') walk(child, `${where}/${name}`)
  }
  walk(document, '#')
  expect(examples.size).toBeGreaterThan(30)
  const faults = [...examples.values()].filter(({ schema, example }) => !ajv.validate(schema, example))
  expect(faults.map(({ where, example }) => [where, example])).toEqual([])
})

test('exactly the routes that are not open require credentials, by a documented scheme', () => {
  for (const route of routes) {
    const { name, security } = operationOf(route)
    const isOpen = route.access?.level === 'anyone'
    expect([name, security.some((one) => Object.keys(one).length === 0)]).toEqual([name, isOpen])
    for (const scheme of security.flatMap((one) => Object.keys(one)))
      expect(document.components.securitySchemes).toHaveProperty(scheme)
    if (route.mount === 'public') expect(security).toEqual([{ token: route.access?.scope ? [route.access.scope] : [] }])
  }
})

test('no response has a field for a secret, except for secrets that are shown once', () => {
  const never =
    /hash(?!tags$)|password$|secret(?!_expires_at$)|credential|salt|^token$|_token$|(private|access|attempt|encryption|api)_?key|^otp$/
  const once = ['CreatedApiToken.token', 'CreatedWebhook.secret']
  // Whether there is a secret, alone or with its last four characters to recognize it by.
  const isIndicator = (schema: unknown) =>
    (schema as Schema).type === 'boolean' ||
    Object.keys((schema as Schema).properties ?? {})
      .sort()
      .join() === 'last4,set'
  const found = new Set<string>()
  const seen = new Set<string>()
  const walk = (schema: unknown, where: string) => {
    if (typeof schema !== 'object' || schema === null) return
    const { $ref, properties } = schema as Schema
    if ($ref) {
      const title = $ref.split('/').at(-1) ?? ''
      if (!seen.has(title)) walk(document.components.schemas[seen.add(title) && title], title)
      return
    }
    for (const [name, schema] of Object.entries(properties ?? {}))
      if (never.test(name) && !isIndicator(schema)) found.add(`${where}.${name}`)
    for (const child of Object.values(schema)) walk(child, where)
  }
  for (const { name, responses } of operations)
    for (const { content } of Object.values(responses))
      for (const { schema } of Object.values(content ?? {})) walk(schema, name)
  expect([...found].sort()).toEqual(once)
})

describe('documented statuses and headers', () => {
  let faults: string[] = []
  beforeEach(() => {
    faults = []
  })
  const check = (route: RegisteredRoute, { status, headers }: ApiResponse) => {
    const { name, responses } = operationOf(route)
    const documented = responses[status]
    if (!documented) return faults.push(`${name} responds with ${status}`)
    if (status >= 300) return
    for (const header of ['ETag', 'Access-Control-Allow-Origin', 'X-Request-Id'])
      if (headers.has(header) !== header in (documented.headers ?? {})) faults.push(`${name} ${status}: ${header}`)
  }
  const call = (who: Client, { method, path }: RegisteredRoute, id: string, more: object = {}) =>
    who.call(method, path.replace(/:\w+/g, id), { ...(method !== 'GET' && { body: {} }), ...more })

  /** Torture sends every wrong request to every route, and this run a part of them. */
  const PARTS = 3

  test(`every status and header of a failed request is documented, for every caller (seed ${SEED})`, async () => {
    const owner = await withWorkspace(t)
    const names = Object.keys(scopes)
    const tooLarge = 'x'.repeat(1_000_001)
    const sessions = [
      await signedIn(t),
      await signedIn(t, { instanceAdmin: true }),
      await memberOf(t, owner.workspace_id, 'viewer'),
    ]
    const tokens = [
      await withToken(t, owner),
      await withToken(t, owner, names),
      await withToken(t, owner, names.slice(0, 1)),
      await withToken(t, owner, names, { team_id: null }),
    ]
    // The routes for sessions refuse all tokens with scopes alike, and those for tokens all sessions.
    const callers = {
      session: [...sessions, ...tokens.slice(0, 2)],
      public: [...sessions.slice(0, 1), ...tokens],
    }
    /** What can be wrong with a request to the route. */
    const requestsTo = (route: RegisteredRoute) => {
      const as = (who: Client, id: string = randomUUID(), more: object = {}) => call(who, route, id, more)
      if (route.access?.level === 'anyone') return [() => as(t.anyone)]
      return [
        () => as(t.anyone),
        ...callers[route.mount === 'public' ? 'public' : 'session'].map((who) => () => as(who)),
        () => as(owner, 'no-id'),
        () => as(owner, randomUUID(), { headers: { 'x-workspace-id': 'nowhere' } }),
        () => as(owner, randomUUID(), { headers: { 'sec-fetch-site': 'cross-site' } }),
        ...(route.method === 'GET'
          ? []
          : [
              () => as(owner, randomUUID(), { body: '{not json' }),
              () => as(owner, randomUUID(), { body: 'x', headers: { 'content-type': 'text/plain' } }),
            ]),
        // Both mounts of a route have the same limit.
        ...(route.method === 'GET' || route.mount === 'public'
          ? []
          : [() => as(owner, randomUUID(), { body: tooLarge })]),
      ]
    }
    for (const [turn, route] of routes.entries())
      for (const [number, request] of requestsTo(route).entries())
        if (number === 0 || EVERY_CREDENTIAL || (number + turn + SEED) % PARTS === 0) check(route, await request())
    expect(faults).toEqual([])
  })

  test('every status and header of a request for an existing record is documented', async () => {
    const owner = await withWorkspace(t)
    const admin = await signedIn(t, { instanceAdmin: true })
    const token = await withToken(t, owner, Object.keys(scopes))
    const ids: Record<string, string> = {
      posts: expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201).body.id,
      accounts: await playgroundAccount(owner),
      webhooks: expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }), 201)
        .body.id,
      members: owner.id,
    }
    const tried: string[] = []
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const resource = /([\w-]+)\/:/.exec(route.path)?.[1] ?? ''
      const who = route.access?.level === 'instance_admin' ? admin : route.mount === 'public' ? token : owner
      const response = await call(who, route, ids[resource] ?? randomUUID())
      if (response.status === 200) tried.push(nameOf(route))
      check(route, response)
    }
    expect(tried.length).toBeGreaterThan(20)
    for (const [path, change] of [
      ['/me', { name: 'Grace' }],
      ['/workspace', { locale: 'en' }],
      [`/posts/${ids.posts}`, { content: 'Hello again' }],
    ] as const) {
      const route = routes.find(
        ({ method, path: known }) => method === 'PATCH' && known === `/api/v1${path.replace(/[0-9a-f-]{36}/, ':id')}`,
      )
      if (!route) throw new Error(`There is no PATCH ${path}`)
      for (const tag of ['"0"', '*']) check(route, await owner.patch(`/api/v1${path}`, change, { 'if-match': tag }))
    }
    const post = routes.find((route) => nameOf(route) === 'POST /api/v1/posts')
    for (const content of ['One', 'One', 'Another'])
      if (post) check(post, await owner.post(post.path, { content }, { 'idempotency-key': 'the-same' }))
    expect(faults).toEqual([])
  })

  test('every status and header of a rate limited request is documented', async () => {
    const limited = await testApp({ RATE_LIMIT_READ: '1', RATE_LIMIT_WRITE: '1', RATE_LIMIT_AUTH: '1' })
    try {
      const person = await signedIn(limited)
      let refused = 0
      for (const route of routes.filter(({ mount }) => mount !== 'public')) {
        const who = route.access?.level === 'anyone' ? limited.anyone : person
        const response = await call(who, route, randomUUID())
        if (response.status === 429) refused++
        check(route, response)
      }
      expect(refused).toBeGreaterThan(20)
      expect(faults).toEqual([])
    } finally {
      await limited.close()
    }
  })
})

test('every upload documents the problem of a damaged file', () => {
  const uploads = routes.filter(({ upload, access }) => upload && access?.level !== 'anyone')
  expect(uploads.length).toBeGreaterThan(2)
  for (const route of uploads) expect([nameOf(route), ...Object.keys(operationOf(route).responses)]).toContain('422')
})

test('the documented request headers follow from the access and the responses of a route', () => {
  const taken = (route: RegisteredRoute) =>
    (operationOf(route).parameters ?? []).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
  for (const route of routes) {
    const level = route.access?.level
    expect([nameOf(route), taken(route).includes('X-Workspace-Id')]).toEqual([
      nameOf(route),
      roles.some((role) => role === level),
    ])
    expect([nameOf(route), taken(route).includes('Idempotency-Key')]).toEqual([
      nameOf(route),
      route.method === 'POST' && level !== 'anyone' && !route.upload,
    ])
  }
  const change = routes.filter(({ method }) => method === 'PATCH' || method === 'PUT')
  expect(change.filter((route) => taken(route).includes('If-Match')).map(nameOf)).toContain('PATCH /api/v1/posts/:id')
})
