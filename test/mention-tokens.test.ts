import { expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'
import { randomNumbers } from './random.ts'

type MentionTokens = {
  toShown: (content: string) => string
  replaceShown: (content: string, start: number, end: number, stored: string) => string
  afterChange: (content: string, shown: string) => string
  writingAt: (text: string, caret: number) => { sign: string; name: string; start: number } | undefined
}
const { toShown, replaceShown, afterChange, writingAt } = await consoleModule<MentionTokens>(
  'features/posts/form/mentions/mention-tokens.ts',
)

const bakery = '@[Bakery](urn:li:organization:501)'
const other = '@[Bakery](urn:li:organization:502)'

test('a mention with an id is shown by its name', () => {
  expect(toShown(`By ${bakery}, not ${other}!`)).toBe('By @Bakery, not @Bakery!')
})

test.each([
  [`By ${bakery}`, 'By @Bakery!', `By ${bakery}!`],
  [`By ${bakery} & ${other}`, 'By @Bakery &', `By ${bakery} &`],
  [`${bakery} & ${other}`, ' & @Bakery', ` & ${other}`],
  [`By ${bakery}`, 'By @Baker', 'By @Baker'],
  [`By ${bakery}`, 'Written by @Bakery', `Written by ${bakery}`],
  [`By ${bakery}`, 'By @BakeryX', `By ${bakery}X`],
  [`By ${bakery}`, 'By @BXakery', 'By @BXakery'],
  // Handles and addresses with the same name are left alone.
  [`${bakery} `, '@Bakery @Bakery.bsky.social', `${bakery} @Bakery.bsky.social`],
  [`${bakery} `, '@Bakery https://youtube.com/@Bakery', `${bakery} https://youtube.com/@Bakery`],
  ['@Bakery', '@Bakery!', '@Bakery!'],
])('%j, shown as %j after a change, is stored as %j', (content, shown, stored) => {
  expect(afterChange(content, shown)).toBe(stored)
})

test('what is shown after any change is what was written, and untouched mentions stay', () => {
  const seed = Date.now()
  const numbers = randomNumbers(seed)
  const integer = (below: number) => Math.floor(numbers() * below)
  const pieces = ['By ', '@', 'Bakery', ' ', 'a', bakery, other, '\n', '😀']
  const some = (length: number) => Array.from({ length }, () => pieces[integer(pieces.length)] ?? '').join('')
  for (let round = 0; round < 2000; round++) {
    const content = some(8)
    const former = toShown(content)
    const start = integer(former.length + 1)
    const end = start + integer(former.length - start + 1)
    const shown = `${former.slice(0, start)}${toShown(some(3))}${former.slice(end)}`
    expect(toShown(afterChange(content, shown)), `seed ${seed}`).toBe(shown)
    expect(afterChange(content, former)).toBe(content)
  }
})

test('a mention is stored in place of what was being written', () => {
  expect(replaceShown(`${other} and @bak!`, 12, 16, `${bakery} `)).toBe(`${other} and ${bakery} !`)
})

test.each([
  ['Hi @ba', 6, 'ba'],
  ['Hi @ba see', 6, 'ba'],
  ['Hi @ba see', 10, undefined],
  ['me@ba', 5, undefined],
  ['(@a.b-c@d.example', 17, 'a.b-c@d.example'],
])('in %j with the caret at %i, %j is being written', (text, caret, name) => {
  expect(writingAt(text, caret)?.name).toBe(name)
})

test.each([
  ['Fresh /', { sign: '/', name: '', start: 6 }],
  ['/hash', { sign: '/', name: 'hash', start: 0 }],
  ['and/or', undefined],
  ['https://x', undefined],
  ['/etc/hosts', undefined],
  ['/ ', undefined],
  ['@/', undefined],
])('at the end of %j, this is being written: %j', (text, writing) => {
  expect(writingAt(text, text.length)).toEqual(writing)
})
