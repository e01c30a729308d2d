import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakingChanges } from './compare.ts'
import { contractOf, type Document, type Operation, type Schema } from './document.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): Document => JSON.parse(readFileSync(join(root, path), 'utf8'))
const released = read('test/contract/released.json')

/** Changes that a client of the last release could notice, each with its reason. CHANGELOG.md lists them for users. */
const accepted: Record<string, string> = {
  'PostUpdatedEvent.data.by: can be null now': 'an account that its network had deleted ends the pause of its queue',
  'PostReviewRequestedEvent.data.by: can be null now': 'a change of a policy can ask for an approval, which nobody did',
  'PostReviewApprovedEvent.data.by: can be null now': 'a client approves through a link, without an account',
  'PostReviewRejectedEvent.data.by: can be null now': 'a post whose time came without an approval expires by itself',
}

test('the API only grows after a release', () => {
  const changes = breakingChanges(released, contractOf(read('openapi.json')))
  expect(changes.sort()).toEqual(Object.keys(accepted).sort())
})

test('the contract is that of the last release in CHANGELOG.md', () => {
  const [, version] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? []
  expect(released.info.version).toBe(version)
})

const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const text: Schema = { type: 'string', maxLength: 10 }
const documentOf = (operation: Operation): Document => ({
  info: { version: '1.0.0' },
  paths: { '/posts': { post: operation } },
  components: { schemas: {} },
})
const taking = (schema: Schema): Operation => ({ requestBody: { content: { 'application/json': { schema } } } })
const returning = (schema: Schema): Operation => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
})
const compare = (before: Operation, after: Operation) => breakingChanges(documentOf(before), documentOf(after))

test.each<[string, Operation, Operation, string]>([
  ['a field that is taken no more', taking(object({ a: text })), taking(object({})), 'POST /posts body.a: is gone'],
  ['a new required field', taking(object({})), taking(object({ a: text })), 'POST /posts body.a: is required now'],
  ['a shorter text', taking(text), taking({ ...text, maxLength: 9 }), 'POST /posts body: has a narrower maxLength'],
  ['a first limit', taking({ type: 'integer' }), taking({ type: 'integer', minimum: 1 }), 'narrower minimum'],
  ['a type that is taken no more', taking({ type: ['string', 'null'] }), taking({ type: 'string' }), 'takes no null'],
  ['a value that is taken no more', taking({ enum: ['a', 'b'] }), taking({ enum: ['a'] }), 'takes no b any more'],
  ['another pattern', taking(text), taking({ ...text, pattern: '^a' }), 'has another pattern'],
  [
    'a variant that is gone',
    taking({ anyOf: [text, { type: 'null' }] }),
    taking({ anyOf: [text] }),
    'a variant no more',
  ],
  ['a field that is returned no more', returning(object({ a: text })), returning(object({})), '200.a: is gone'],
  [
    'a field that can be absent',
    returning(object({ a: text })),
    returning(object({ a: text }, [])),
    'can be absent now',
  ],
  ['a field that can be null', returning(text), returning({ type: ['string', 'null'] }), '200: can be null now'],
  ['another variant', returning({ anyOf: [text] }), returning({ anyOf: [text, { type: 'null' }] }), 'another variant'],
  ['another status', returning(text), { responses: { 202: {} } }, 'does not respond with 200 any more'],
  [
    'a parameter that is required',
    {},
    { parameters: [{ in: 'query', name: 'q', required: true }] },
    'POST /posts query q: is required now',
  ],
  ['a parameter that is gone', { parameters: [{ in: 'query', name: 'q' }] }, {}, 'POST /posts query q: is gone'],
  [
    'other rights',
    { 'x-access': { level: 'author' } },
    { 'x-access': { level: 'admin' } },
    'POST /posts: asks for other rights',
  ],
])('%s is a breaking change', (_, before, after, finding) => {
  expect(compare(before, after)).toEqual([expect.stringContaining(finding)])
  expect(compare(before, before)).toEqual([])
})

test.each<[string, Operation, Operation]>([
  ['a new optional field', taking(object({ a: text })), taking(object({ a: text, b: text }, ['a']))],
  ['a longer text', taking(text), taking({ type: 'string', maxLength: 11 })],
  ['a field that becomes optional', taking(object({ a: text })), taking(object({ a: text }, []))],
  ['a type that is taken too', taking({ type: 'integer' }), taking({ type: ['number', 'null'] })],
  ['a new field of a response', returning(object({ a: text })), returning(object({ a: text, b: text }))],
  ['a new value of a response', returning({ enum: ['a'] }), returning({ enum: ['a', 'b'] })],
  ['a new parameter', {}, { parameters: [{ in: 'query', name: 'q' }] }],
])('%s breaks no client', (_, before, after) => {
  expect(compare(before, after)).toEqual([])
})

test('a schema that refers to itself is compared once', () => {
  const document = (item: Schema): Document => ({
    ...documentOf(returning({ $ref: '#/components/schemas/Tree' })),
    components: {
      schemas: {
        Tree: object({ value: item, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
      },
    },
  })
  expect(breakingChanges(document(text), document({ type: 'integer' }))).toEqual(['Tree.value: can be integer now'])
})
