import { createRequire } from 'node:module'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { eventTypes } from '../server/events.ts'
import { testApp } from './app.ts'
import { expectStatus, withWorkspace } from './factories.ts'
import { webhookReceiver } from './receiver.ts'

type Operation = { operationId: string; tags: string[] }
type Header = { name: string; required: boolean }
type Document = {
  info: { description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { parameters: { $ref: string }[]; requestBody: { content: object } } }>
  components: Record<string, Record<string, unknown>> & { parameters: Record<string, Header> }
}

const t = await testApp({ BASE_URL: 'https://meydan.example.com' })
const read = async (path: string): Promise<Document> => expectStatus(await t.anyone.get(path), 200).body
const whole = await read('/openapi.json')
const forTokens = await read('/openapi.public.json')
const forSessions = await read('/openapi.session.json')

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods))

describe('/openapi.public.json and /openapi.session.json', () => {
  test('divide the paths of /openapi.json: those for tokens with scopes, and all others', () => {
    expect(Object.keys(forTokens.paths).every((path) => path.startsWith('/api/v1/public/'))).toBe(true)
    expect([...Object.keys(forTokens.paths), ...Object.keys(forSessions.paths)].sort()).toEqual(
      Object.keys(whole.paths).sort(),
    )
    expect(forSessions.paths).toEqual(
      Object.fromEntries(Object.entries(whole.paths).filter(([path]) => !(path in forTokens.paths))),
    )
  })

  test('name operations and tags without a prefix, each operation once', () => {
    for (const document of [forTokens, forSessions]) {
      const ids = operationsOf(document).map(({ operationId }) => operationId)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => id.startsWith('public'))).toEqual([])
      const tags = document.tags.map(({ name }) => name)
      expect(tags.filter((name) => name.includes('Public'))).toEqual([])
      expect(tags).toEqual(expect.arrayContaining(operationsOf(document).flatMap(({ tags }) => tags)))
    }
  })

  test('have the components that they refer to, and no others', () => {
    for (const document of [forTokens, forSessions]) {
      const { securitySchemes: _, ...components } = document.components
      const own = Object.entries(components).flatMap(([kind, parts]) =>
        Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
      )
      const used = [...JSON.stringify(document).matchAll(/"(#\/components\/[^"]+)"/g)].map(([, ref]) => ref)
      expect([...new Set(used)].sort()).toEqual(own.sort())
    }
    expect(Object.keys(forTokens.components.securitySchemes ?? {})).toEqual(['token'])
  })

  test('are faultless by the rules of OpenAPI', async () => {
    const oas: RulesetDefinition = createRequire(import.meta.url)('@stoplight/spectral-rulesets').oas
    const spectral = new Spectral()
    // Since 3.1 every scheme may list requirements; this rule knows only OAuth scopes. See test/openapi.test.ts.
    spectral.setRuleset({ extends: [[oas, 'recommended']], rules: { 'oas3-operation-security-defined': 'off' } })
    const found = await spectral.run(forTokens)
    const faults = found.filter(({ code }) => code !== 'oas3-valid-schema-example')
    expect(faults.map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([])
  })
})

test('the reference opens on the first steps, with the address of this instance', () => {
  expect(forTokens.info.description).toMatch(/^# Start here\n/)
  expect(forTokens.info.description).toContain('MEYDAN=https://meydan.example.com\n')
  expect(forTokens.info.description).toContain('](/docs/guides/webhooks)')
})

describe('webhooks of the documents', () => {
  test('have every event type, with an example that fits its schema', () => {
    expect(forTokens.webhooks).toEqual(whole.webhooks)
    expect(Object.keys(whole.webhooks).sort()).toEqual(Object.keys(eventTypes).sort())
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(whole, 'document')
    for (const [type, { post }] of Object.entries(whole.webhooks)) {
      const content = post.requestBody.content as Record<string, { example: unknown }>
      const media = `#/webhooks/${type}/post/requestBody/content/application~1json/schema`
      const validate = ajv.getSchema(`document${media}`)
      expect([type, validate?.(content['application/json']?.example), validate?.errors]).toEqual([type, true, null])
    }
  })

  test('have the headers of a delivery', async () => {
    const receiver = await webhookReceiver()
    try {
      const owner = await withWorkspace(t)
      const webhook = { url: receiver.url, events: ['*'] }
      const { id } = expectStatus(await owner.post('/api/v1/webhooks', webhook), 201).body
      expectStatus(await owner.post(`/api/v1/webhooks/${id}/test`), 200)
      const sent = Object.keys(receiver.received[0]?.headers ?? {})
      const documented = Object.values(whole.webhooks).map(({ post }) =>
        post.parameters.map(({ $ref }) => whole.components.parameters[$ref.split('/').at(-1) ?? '']),
      )
      for (const headers of documented) {
        expect(sent).toEqual(expect.arrayContaining(headers.flatMap((one) => (one?.required ? [one.name] : []))))
        const names = headers.map((one) => one?.name)
        expect(names).toEqual(expect.arrayContaining(sent.filter((name) => /^(webhook-|x-service-)/.test(name))))
      }
    } finally {
      receiver.close()
    }
  })
})
