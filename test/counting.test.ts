import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters, type LengthRules } from '../server/modules/networks/text/counting.ts'
import { consoleModule } from './console-module.ts'

test('the console counts every text as the API does, by the rules of every network', async () => {
  type Characters = { countCharacters: typeof countCharacters }
  const inConsole = await consoleModule<Characters>('features/networks/characters.ts')
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'https://bakery.example/a?b=c',
      '(http://x.test).',
      'bakery.com/menu?a=b',
      'bakery.com.tr',
      'https://t.co/abc-d',
      'bakery.みんなです',
      'https://✪bakery.com/日本',
      'index.html',
      'https://bakery.example/a_(b)',
      'https://bakery.example’da',
      'a_b.bakery.com',
      '“çörek.com”',
      '@ada@social.example',
      '@ada',
      '👨‍👩‍👧',
      ' ',
      '\n',
    ),
  )
  const rules: fc.Arbitrary<LengthRules> = fc.record({
    counting: fc.constantFrom('graphemes', 'code_points', 'utf16', 'weighted', 'emoji_bytes'),
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

/** Lengths by the configuration v3 of twitter-text. */
test.each([
  ['Fresh bread', 11],
  ['Çiğ köfte ığdır', 15],
  ['パン', 4],
  ['한국어', 6],
  ['👨‍👩‍👧 🇹🇷 1️⃣', 8],
  ['“quoted” – it’s…', 17],
  ['e\u0301', 1],
  ['See https://bakery.com/a/long/path?with=query now', 31],
  ['See bakery.com.', 28],
  ['bakery.com.tr/a/long/path?with=query, or çörekçi.com:8080', 56],
  ['BAKERY.COM?a=b', 27],
  ['bakery.com.loaf', 28],
  ['ada@bakery.com and @bakery.com', 30],
  ['index.html, 3.5 and e.g. node.js', 32],
  ['bakery.comx bakery.com-x', 24],
  ['©®', 2],
  ['©️', 2],
  ['çok.com.tr', 24],
  ['(çok.com.tr)', 25],
  ['a_b.bakery.com', 25],
  ['bakery.xn--p1ai', 23],
  ['https://пример.рф/путь', 23],
  ['https://bakery', 14],
  ['http://localhost/x', 18],
  ['metinhttps://bakery.com', 23],
  ['https://user:pw@bakery.com/x', 28],
  ['https://bakery.com/g()/h.html', 32],
  ['https://bakery.com/日本', 27],
  ['https://bakery.com—okuyun', 30],
  ['https://bakery.com’da okuyun', 33],
  ['https://bakery.com/menu’yü inceleyin', 36],
  ['https://bakery.com/a_(b_(c))', 23],
  ['https://bakery.com/n?x=[1]', 24],
])('X counts %j as %d', (text, length) => {
  expect(countCharacters(text, { counting: 'weighted', link_length: 23, short_mentions: false })).toBe(length)
})

test.each([
  ['Çörek', 5],
  ['🥯', 4],
  ['👨‍👩‍👧', 18],
])('Threads counts %j as %d', (text, length) => {
  expect(countCharacters(text, { counting: 'emoji_bytes', link_length: null, short_mentions: false })).toBe(length)
})
