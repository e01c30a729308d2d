import { expect, test } from 'vitest'
import { allLinksIn, linksIn, linksOnX } from './links.ts'

const urls = (found: { url: string }[]) => found.map(({ url }) => url)

test.each([
  ['https://bakery.com’da okuyun', 'https://bakery.com'],
  ['https://bakery.com/menu’yü inceleyin', 'https://bakery.com/menu'],
  ["https://bakery.com'da okuyun", 'https://bakery.com'],
  ['“https://bakery.com/i” dedi', 'https://bakery.com/i'],
  ['«https://bakery.com/o»', 'https://bakery.com/o'],
  ['‘https://bakery.com/p’', 'https://bakery.com/p'],
  ['https://bakery.com/j… devamı', 'https://bakery.com/j'],
  ['https://bakery.com—okuyun', 'https://bakery.com'],
  ['https://bakery.com/a。', 'https://bakery.com/a'],
  ['https://bakery.com/a–b', 'https://bakery.com/a–b'],
])('a mark of the sentence ends the link in %j', (text, link) => {
  expect(urls(linksIn(text))).toEqual([link])
})

test.each([
  ['https://tr.wikipedia.org/wiki/Merkür_(gezegen)', 'https://tr.wikipedia.org/wiki/Merkür_(gezegen)'],
  ['(bkz. https://bakery.com/a_(b))', 'https://bakery.com/a_(b)'],
  ['https://bakery.com/d_(e).', 'https://bakery.com/d_(e)'],
  ['(https://bakery.com/c)', 'https://bakery.com/c'],
  ['[https://bakery.com/c].', 'https://bakery.com/c'],
  ['https://bakery.com/f()', 'https://bakery.com/f()'],
  ['https://bakery.com/n?x=[1]', 'https://bakery.com/n?x=[1]'],
])('a bracket belongs to the link in which it was opened: %j', (text, link) => {
  expect(urls(linksIn(text))).toEqual([link])
})

test('a scheme alone is no link', () => {
  expect(linksIn('https:// and http://. and https://)')).toEqual([])
})

test('links without a scheme are found beside others, not within them', () => {
  expect(
    urls(allLinksIn('bakery.com’un, https://bakery.com/bread.com ve “çörek.com.tr/ekmek”; ada@bakery.com')),
  ).toEqual(['bakery.com', 'https://bakery.com/bread.com', 'çörek.com.tr/ekmek'])
})

test('each link is where it is said to be', () => {
  const text = '😀 bakery.com (https://bakery.com/a) _x.bakery.com'
  for (const { url, index } of [...allLinksIn(text), ...linksOnX(text)])
    expect(text.slice(index, index + url.length)).toBe(url)
})
