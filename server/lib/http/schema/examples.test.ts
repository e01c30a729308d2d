import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { exampleFrom } from './examples.ts'
import { Closed, nullable, Time } from './schema.ts'

const Name = Type.String({ examples: ['Ada'] })

test('an example has the required fields, and the optional ones that have an example of their own', () => {
  const schema = Closed({
    name: Name,
    kind: Type.Enum(['first', 'second'], { type: 'string' }),
    at: Time,
    note: nullable(Type.String()),
    nested: Type.Array(Type.Object({ name: Name, count: Type.Integer({ minimum: 1 }) })),
    nickname: Type.Optional(Name),
    limit: Type.Optional(Type.Integer()),
  })
  expect(exampleFrom(schema, 'body')).toEqual({
    name: 'Ada',
    kind: 'first',
    at: '2026-03-02T09:30:00.412Z',
    note: null,
    nested: [{ name: 'Ada', count: 1 }],
    nickname: 'Ada',
  })
})

test('the example of a whole record is taken as it is', () => {
  expect(exampleFrom(Closed({ name: Name }, { examples: [{ name: 'Grace' }] }), 'body')).toEqual({ name: 'Grace' })
})

test('a required field without an example is refused by name', () => {
  const schema = Type.Object({ data: Type.Array(Type.Object({ text: Type.String() })) })
  expect(() => exampleFrom(schema, 'GET /posts')).toThrow('GET /posts/data/0/text needs an example')
})
