import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batched.ts'

type Batch = { items: string[]; end: (done: string[]) => Promise<void>; fail: (error?: Error) => Promise<void> }

/** Batches that the test ends. `alone`: the items that were done outside of one. */
function heldBatches(max = 10) {
  const batches: Batch[] = []
  const alone: string[] = []
  const warnings: unknown[] = []
  const log = { warn: (fields: unknown) => warnings.push(fields) }
  const context = { log }
  const call = batched({
    max,
    keyOf: (item: string) => item.charAt(0),
    together: (_, items: string[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      batches.push({
        items,
        end: (done) => {
          resolve(new Map(done.map((item) => [item.charAt(0), `${item} together`])))
          return turn()
        },
        fail: (error = new Error('failed')) => {
          reject(error)
          return turn()
        },
      })
      return promise
    },
    alone: async (_, item) => {
      alone.push(item)
      return `${item} alone`
    },
  })
  const add = async (...items: string[]) => {
    const results = items.map((item) => call(context, item))
    await turn()
    await turn()
    return results
  }
  return { add, batches, alone, warnings }
}

test('calls of the same time are one batch, and those that come in during it are the next', async () => {
  const { add, batches, alone } = heldBatches()
  const first = await add('a', 'b')
  const later = await add('c', 'd')
  expect(batches.map(({ items }) => items)).toEqual([['a', 'b']])
  await batches[0]?.end(['a', 'b'])
  expect(await Promise.all(first)).toEqual(['a together', 'b together'])
  expect(batches.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  await batches[1]?.end(['c', 'd'])
  expect(await Promise.all(later)).toEqual(['c together', 'd together'])
  expect(alone).toEqual([])
})

test('a batch has no two items with the same key, and no more than allowed', async () => {
  const { add, batches } = heldBatches(2)
  await add('a1', 'a2', 'b', 'c')
  await batches[0]?.end(['a1', 'b'])
  await batches[1]?.end(['a2', 'c'])
  expect(batches.map(({ items }) => items)).toEqual([
    ['a1', 'b'],
    ['a2', 'c'],
  ])
})

test('what a batch leaves out is done alone, and does not keep the next batch', async () => {
  const { add, batches, alone } = heldBatches()
  const results = await add('a', 'b')
  await batches[0]?.end(['b'])
  expect(await Promise.all(results)).toEqual(['a alone', 'b together'])
  expect(alone).toEqual(['a'])
})

test('when a batch fails, each of its items is done alone', async () => {
  const { add, batches, alone, warnings } = heldBatches()
  const results = await add('a', 'b')
  await batches[0]?.fail()
  expect(await Promise.all(results)).toEqual(['a alone', 'b alone'])
  expect(alone).toEqual(['a', 'b'])
  expect(warnings).toHaveLength(1)
  const next = await add('c')
  await batches[1]?.end(['c'])
  expect(await Promise.all(next)).toEqual(['c together'])
})

test('when the connection of a batch is lost, nothing is done again, because the batch may still commit', async () => {
  const { add, batches, alone } = heldBatches()
  const results = await add('a', 'b')
  const failed = expect(Promise.all(results)).rejects.toThrow('Connection terminated')
  await batches[0]?.fail(new Error('Connection terminated unexpectedly'))
  await failed
  expect(alone).toEqual([])
})
