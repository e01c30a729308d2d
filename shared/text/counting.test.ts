import { expect, test } from 'vitest'
import { countCharacters } from './counting.ts'

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
