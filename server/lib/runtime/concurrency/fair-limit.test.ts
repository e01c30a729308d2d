import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitFairly } from './fair-limit.ts'

/** Work that the test ends. `begun`: its names, in the order in which it began. */
function heldWork(limit: ReturnType<typeof limitFairly>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (key: string, ...names: string[]) => {
    for (const name of names)
      void limit(key, () => {
        begun.push(name)
        return new Promise<void>((end) => ends.set(name, end))
      })
    return turn()
  }
  const end = (name: string) => {
    ends.get(name)?.()
    return turn()
  }
  return { begun, add, end }
}

test('one key never has all places, so another begins at once', async () => {
  const { begun, add, end } = heldWork(limitFairly(2))
  await add('a', 'a1', 'a2', 'a3')
  expect(begun).toEqual(['a1'])
  await add('b', 'b1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

test('keys take turns, however much one of them has waiting', async () => {
  const { begun, add, end } = heldWork(limitFairly(1))
  await add('a', 'a1', 'a2', 'a3')
  await add('b', 'b1', 'b2')
  await add('c', 'c1')
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('work that fails makes room for the next', async () => {
  const limit = limitFairly(1)
  const failed = limit('a', () => Promise.reject(new Error('failed')))
  const next = limit('a', async () => 'next')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('next')
})
