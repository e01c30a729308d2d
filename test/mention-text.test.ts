import { expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'

type Person = { id: string; name: string }
type MentionText = {
  toShown: (body: string, people: Person[]) => string
  toStored: (text: string, people: Person[]) => string
  mentionAt: (text: string, caret: number) => { name: string; start: number } | undefined
  suggest: (people: Person[], written: string) => Person[]
  distinctNames: (members: (Person & { email: string })[]) => Person[]
}
const { toShown, toStored, mentionAt, suggest, distinctNames } = await consoleModule<MentionText>(
  'features/posts/comments/mention-text.ts',
)

const ada = { id: '01993a4b-7c55-7e0a-8f43-6b2d9e01c7a4', name: 'Ada' }
const adaYilmaz = { id: '01993a4b-7c55-7e0a-8f43-6b2d9e01c7a5', name: 'Ada Yılmaz' }
const irem = { id: '01993a4b-7c55-7e0a-8f43-6b2d9e01c7a6', name: 'İrem (O’Hara)' }
const people = [ada, adaYilmaz, irem]

test('names become ids, the longest first, and ids become names again', () => {
  const text = 'Hello @Ada Yılmaz, @Ada and @İrem (O’Hara)! $& @Adana @nobody'
  const stored = `Hello @[${adaYilmaz.id}], @[${ada.id}] and @[${irem.id}]! $& @Adana @nobody`
  expect(toStored(text, people)).toBe(stored)
  expect(toShown(stored, people)).toBe(text)
})

test('a mention of somebody who left stays as it is stored', () => {
  const stored = `Hello @[${ada.id}]`
  expect(toShown(stored, [irem])).toBe(stored)
  expect(toStored(toShown(stored, [irem]), [irem])).toBe(stored)
})

test('members are suggested by the beginning of any of their names, without regard to case and marks', () => {
  expect(suggest(people, 'ad')).toEqual([ada, adaYilmaz])
  expect(suggest(people, 'YILM')).toEqual([adaYilmaz])
  expect(suggest(people, 'irem')).toEqual([irem])
  expect(suggest(people, 'lmaz')).toEqual([])
})

test('an address is no mention, and the text behind the caret does not count', () => {
  expect(mentionAt('See @Ada Yıl', 12)).toEqual({ name: 'Ada Yıl', start: 4 })
  expect(mentionAt('@', 1)).toEqual({ name: '', start: 0 })
  expect(mentionAt('@Ada', 2)).toEqual({ name: 'A', start: 0 })
  expect(mentionAt('ada@example.com', 15)).toBeUndefined()
})

test('members of one name have their addresses', () => {
  const members = [
    { ...ada, email: 'ada@example.com' },
    { ...irem, name: 'Ada', email: 'second@example.com' },
    { ...adaYilmaz, email: 'yilmaz@example.com' },
  ]
  expect(distinctNames(members).map(({ name }) => name)).toEqual([
    ...['Ada (ada@example.com)', 'Ada (second@example.com)', 'Ada Yılmaz'],
  ])
})
