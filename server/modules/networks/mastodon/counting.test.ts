import { expect, test } from 'vitest'
import { countCharacters, type LengthRules } from '../../../../shared/text/counting.ts'
import { linksWithDomain } from '../../../../shared/text/links.ts'

const rules: LengthRules = { counting: 'graphemes', link_length: 23, short_mentions: true }

const link = `http://${'b'.repeat(30)}.com/example`

/** The texts of `status_length_validator_spec.rb` of Mastodon, whose limit is 500 (AGPL-3.0; only the values are used). */
test.each([
  ['a text that is too long', 'a'.repeat(520), 520],
  ['a link behind a space as 23', `${'a'.repeat(476)} ${link}`, 500],
  ['a link behind a letter as written', `${'a'.repeat(476)}${link}`, 525],
  ['a link of more than 4096 characters as written', `http://example.com/valid?${'#foo?'.repeat(1000)}`, 5025],
  ['the name of a person elsewhere without the server', `${'a'.repeat(475)} @alice@${'b'.repeat(30)}.com`, 482],
  ['a server whose name is too long as written', `@alice@${'b'.repeat(500)}.com`, 511],
  ['an emoji as one', '✨'.repeat(500), 500],
  ['a joined emoji as one', '🏳️‍⚧️'.repeat(500), 500],
])('Mastodon counts %s', (_, text, length) => {
  expect(countCharacters(text, rules)).toBe(length)
})

/**
 * The texts of `text_formatter_spec.rb` and the link in each; null: all of it. `xmpp:` and `magnet:` are left out, because
 * they are counted as written here.
 */
test.each([
  ['https://hackernoon.com/the-power-to-build-communities-a-response-to-mark-zuckerberg-3f2cac9148a4', null],
  ['http://google.com', null],
  ['http://example.gay', null],
  ['https://nic.みんな/', null],
  [
    'http://www.mcmansionhell.com/post/156408871451/50-states-of-mcmansion-hell-scottsdale-arizona. ',
    'http://www.mcmansionhell.com/post/156408871451/50-states-of-mcmansion-hell-scottsdale-arizona',
  ],
  ['(http://google.com/)', 'http://google.com/'],
  ['http://www.google.com!', 'http://www.google.com'],
  ["http://www.google.com'", 'http://www.google.com'],
  ['http://www.google.com>', 'http://www.google.com'],
  ['https://www.ruby-toolbox.com/search?utf8=%E2%9C%93&q=autolink', null],
  ['https://www.ruby-toolbox.com/search?utf8=✓&q=autolink', null],
  ['https://www.ruby-toolbox.com/search?utf8=✓', null],
  ['https://www.ruby-toolbox.com/search?utf8=%E2%9C%93&utf81=✓&q=autolink', null],
  ['https://en.wikipedia.org/wiki/Diaspora_(software)', null],
  ['"https://example.com/"', 'https://example.com/'],
  ['<https://example.com/>', 'https://example.com/'],
  ['https://ja.wikipedia.org/wiki/日本', null],
  ['https://ko.wikipedia.org/wiki/대한민국', null],
  ['https://example.com/\u3000abc123', 'https://example.com/'],
  ['「[https://example.org/」', 'https://example.org/'],
  ['https://baike.baidu.com/item/中华人民共和国', null],
  ['https://zh.wikipedia.org/wiki/臺灣', null],
  ['http://example.com/b<del>b</del>', 'http://example.com/b'],
  ['http://example.com/blahblahblahblah/a<script>alert("Hello")</script>', 'http://example.com/blahblahblahblah/a'],
])('Mastodon finds the link in %j', (text, found) => {
  expect(linksWithDomain(text).map(({ url }) => url)).toEqual([found ?? text])
})

test('Mastodon finds no link in an address that is invalid', () => {
  expect(linksWithDomain('http://www\\.google\\.com')).toEqual([])
  expect(linksWithDomain('https://bakery http://localhost/x')).toEqual([])
})
