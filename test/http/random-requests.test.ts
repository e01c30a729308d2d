import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

describe('random requests', () => {
  type Schema = {
    type?: string | string[]
    enum?: unknown[]
    properties?: Record<string, Schema>
    items?: Schema
    additionalProperties?: boolean | Schema
  }
  type Operation = {
    parameters?: { in: string; name: string }[]
    requestBody?: { content: Record<string, { schema: Schema }> }
  }

  const edges = [
    ...['', ' ', '\0', '\ud800', '😀', 'İ', 'null', '-1', '1e309', '../..', '%00', '{{x}}', "';--", '<b>', '__proto__'],
    ...['99999-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'],
    ...['http://127.0.0.1:1/', 'https://[::1]/', 'http://a', 'http://localhost:99999', 'file:///etc/passwd', '*'],
    ...['playground', 'post.published', 'posts:read', 'USD', 'Europe/Paris', 'tr', 'x'.repeat(70_000), 'ab'],
    ...[0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308, true, false, null],
    ...[[], {}, [[]], [null], [''], { a: { b: {} } }],
  ]

  test('a random request never gets a 5xx, and every refusal is a problem document', async () => {
    const { body: document } = await t.anyone.get('/openapi.json')
    const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
    )
    const account = await playgroundAccount(owner)
    const draft = async () => expectStatus(await owner.post('/api/v1/posts', { content: 'x' }), 201).body.id as string
    const webhook = await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] })
    const ids = [owner.id, owner.workspace_id, account, await draft(), await draft(), webhook.body.id, randomUUID()]

    const anything = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom<unknown>(...edges) },
      { weight: 2, arbitrary: fc.constantFrom<unknown>(...ids) },
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    )
    /** Mostly the shape the route expects, with parts replaced now and then. */
    const like = (schema: Schema, depth = 0): fc.Arbitrary<unknown> => {
      const types = [schema.type ?? []].flat()
      const fitting = schema.enum
        ? fc.constantFrom(...schema.enum)
        : schema.properties && depth < 4
          ? fc.record(
              Object.fromEntries(
                Object.entries(schema.properties).map(([name, property]) => [name, like(property, depth + 1)]),
              ),
              { requiredKeys: [] },
            )
          : types.includes('array')
            ? fc.array(schema.items ? like(schema.items, depth + 1) : anything, { maxLength: 4 })
            : types.includes('boolean')
              ? fc.boolean()
              : types.includes('integer')
                ? fc.integer()
                : anything
      return fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: anything })
    }
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : JSON.stringify(value))
    const encode = (value: unknown) => encodeURIComponent(text(value).toWellFormed())
    const requests = operations.map(({ method, path, parameters = [], requestBody }) => {
      const names = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
      return fc.record({
        method: fc.constant(method),
        path: fc
          .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, anything), { minLength: 1, maxLength: 1 })
          .map(([id]) => path.replace(/\{\w+\}/, encode(id) || '-')),
        query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'x', ...names('query')), anything, { maxKeys: 2 }),
        body: method === 'GET' ? fc.constant(undefined) : fc.option(like(requestBody ? bodySchema(requestBody) : {})),
      })
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...requests), { minLength: 10, maxLength: 10 }), async (batch) => {
        await Promise.all(
          batch.map(async ({ method, path, query, body }) => {
            const parameters = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
            const response = await owner.call(method, `${path}${parameters.length ? '?' : ''}${parameters.join('&')}`, {
              body,
              headers: { 'x-workspace-id': owner.workspace_id },
            })
            if (response.status >= 500) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
            if (response.status >= 400) expectProblem(response, response.status, response.body.code)
          }),
        )
      }),
      { numRuns: 150, seed: 20_260_101, endOnFailure: true },
    )
  })

  const bodySchema = ({ content }: NonNullable<Operation['requestBody']>) => Object.values(content)[0]?.schema ?? {}
})
