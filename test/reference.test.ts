import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventTypes } from '../server/events.ts'
import { type TestApp, testApp } from './app.ts'
import { expectStatus, withWorkspace } from './factories.ts'
import { webhookReceiver } from './receiver.ts'

type Header = { name: string; required: boolean }
type Document = {
  webhooks: Record<string, { post: { parameters: { $ref: string }[]; requestBody: { content: object } } }>
  components: Record<string, Record<string, unknown>> & { parameters: Record<string, Header> }
}

let t: TestApp
let whole: Document
beforeAll(async () => {
  t = await testApp()
  whole = expectStatus(await t.anyone.get('/openapi.json'), 200).body
})
afterAll(() => t.close())

describe('webhooks of /openapi.json', () => {
  test('have every event type, with an example that fits its schema', () => {
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
