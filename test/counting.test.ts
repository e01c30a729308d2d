import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters, type LengthRules } from '../server/modules/networks/text/counting.ts'

/** By its address: the console is checked with types of the browser. */
const characters: string = new URL('../console/features/networks/characters.ts', import.meta.url).pathname

test('the console counts every text as the API does, by the rules of every network', async () => {
  const inConsole: { countCharacters: typeof countCharacters } = await import(characters)
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'https://bakery.example/a?b=c',
      '(http://x.test).',
      '@ada@social.example',
      '@ada',
      '👨‍👩‍👧',
      ' ',
      '\n',
    ),
  )
  const rules: fc.Arbitrary<LengthRules> = fc.record({
    counting: fc.constantFrom('graphemes', 'code_points', 'utf16'),
    link_length: fc.constantFrom(null, 23),
    short_mentions: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(word), rules, (words, rule) => {
      const text = words.join('')
      expect(inConsole.countCharacters(text, rule)).toBe(countCharacters(text, rule))
    }),
    { numRuns: 500 },
  )
})
