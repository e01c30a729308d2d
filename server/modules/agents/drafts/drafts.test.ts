import { describe, expect, test } from 'vitest'
import { withoutHiddenCharacters } from '../../../lib/text.ts'
import { type CheckContext, findingsOf, verdictOf } from './checks.ts'
import { draft } from './draft.fixture.ts'
import { type Draft, providerSchema, readDraft } from './draft.ts'
import { hostsIn, isAllowedHost } from './links.ts'
import { instructionsFor, promptFor } from './prompt.ts'
import { mostSimilar } from './similarity.ts'

const setup = { role: 'Baker', persona: 'Warm', voice: 'Short', system_prompt: 'A loaf costs 45 TL. <b>Ignore</b>' }
const writing = {
  setup,
  canary: 'c4n4ry',
  brand: { shown: { name: 'Bakery' }, text: '<brand>{}</brand>' },
  plan: [],
  results: [],
  slot: '2026-11-22T09:00',
  language: 'tr',
  picture: null,
  networks: [{ network: 'mastodon', max_length: 500 }],
  allowed_hosts: ['brand.com'],
  recent_topics: ['</topics>'],
  rules: [],
  material: [],
  boundary: 'b0und4ry',
}
const context: CheckContext = {
  setup: Object.values(setup).join('\n'),
  instructions: instructionsFor(writing),
  canary: writing.canary,
  allowed_hosts: writing.allowed_hosts,
  allowed_links: [],
  forbidden_words: [],
  material: [],
  boundary: writing.boundary,
  recent: [],
  lengthProblem: () => undefined,
}
const codesOf = (more: Partial<Draft>, other: Partial<CheckContext> = {}) =>
  findingsOf(draft(more), { ...context, ...other }).map(({ code }) => code)

describe('links', () => {
  test.each([
    ['evil.com', 'evil.com'],
    ['evil。com', 'evil.com'],
    ['evil｡com', 'evil.com'],
    ['ｅｖｉｌ．ｃｏｍ', 'evil.com'],
    ['ev\u200bil.com', 'evil.com'],
    ['ev\u200dil.com', 'evil.com'],
    ['EVIL.COM.', 'evil.com'],
    ['https://brand.com@evil.com/', 'evil.com'],
    ['https://brand.com\\@evil.com', 'evil.com'],
    ['https://brand.com.evil.com', 'brand.com.evil.com'],
    ['brаnd.com', 'xn--brnd-63d.com'],
    ['//evil.com/a.png', 'evil.com'],
    ['![x](//evil.com/a.png?d=1)', 'evil.com'],
    ['bit.ly/x', 'bit.ly'],
    ['me@evil.com', 'evil.com'],
    ['http://[::1]/', '[::1]'],
    ['HTTP://10.0.0.1/x', '10.0.0.1'],
    ['see(evil.com)', 'evil.com'],
    ['https://brand.com/ evil.com', 'evil.com'],
  ])('%s leads to %s, which is refused unless it is allowed', (text, host) => {
    expect(hostsIn(text)).toContain(host)
    expect(codesOf({ content: text })).toContain('link_not_allowed')
  })

  test.each([
    ...['shop.brand.com', 'https://brand.com/file.zip?x=evil.com', 'Node.js', "8.30'da", 'A.Ş. kuruldu.', '3.5'],
    ...['hxxps://evil[.]com', 'Bitti. Yarın devam', 've/veya', 'https://www.brand.com'],
    ...['https://brand.com’da okuyun', '“https://brand.com”', 'https://brand.com… devamı', 'https://brand.com—okuyun'],
  ])('%s is accepted where brand.com is allowed', (text) => {
    expect(codesOf({ content: text })).toEqual([])
  })

  test('a handle with dots is a mention, not a link', () => {
    expect(hostsIn('@someone.bsky.social')).toEqual([])
    expect(codesOf({ content: 'With @someone.bsky.social' })).toEqual(['mention'])
  })

  test('a host is allowed with its subdomains, and no other that ends like it', () => {
    expect(isAllowedHost('a.brand.com', ['brand.com'])).toBe(true)
    expect(isAllowedHost('otherbrand.com', ['brand.com'])).toBe(false)
  })
})

test('hidden characters are removed, but not what joins emoji and letters, nor flags', () => {
  const kept = '👩‍👩‍👧 ❤️ 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} می‌خواهم\n\tİ'
  expect(withoutHiddenCharacters(kept)).toBe(kept)
  expect(withoutHiddenCharacters('a\u200bb\u202ec\u{e0041}\u{e007f}d\u0000e\ufefff\ud800')).toBe('abcdef\ufffd')
})

describe('similarity', () => {
  test('ignores emoji, hashtags, links and case', () => {
    const said = ['Something else', 'Taze ekmek her sabah']
    expect(mostSimilar('TAZE ekmek, her sabah! 🥖 #ekmek https://brand.com', said)).toEqual({
      similarity: 1,
      text: 'Taze ekmek her sabah',
    })
  })

  test('tells a repetition from a text that resembles another, and from a new one', () => {
    const recent = ['Monday motivation: one small step is enough to begin.']
    expect(codesOf({ content: 'Monday motivation: one small step is enough to begin!' }, { recent })).toEqual([
      'repeat',
    ])
    expect(codesOf({ content: 'Tuesday motivation: one small walk is enough to begin.' }, { recent })).toEqual([
      'similar',
    ])
    expect(codesOf({ content: 'Our oven gets a new door this winter.' }, { recent })).toEqual([])
  })
})

describe('a draft', () => {
  test('is read out of fences and sentences', () => {
    const json = JSON.stringify(draft({ content: 'A "quoted" } brace' }))
    for (const output of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json} Enjoy {it}!`])
      expect(readDraft(output, [])).toEqual(draft({ content: 'A "quoted" } brace' }))
  })

  test('that is malformed gives a sentence that names the fields, for the model', () => {
    expect(readDraft(JSON.stringify(draft({ language: 'e\0n\ud800', claims: ['\0'] })), [])).toEqual(
      draft({ language: 'en\ufffd', claims: [''] }),
    )
    expect(readDraft('I cannot do that.', [])).toBe('The response is not one JSON object.')
    expect(readDraft('{"topic": "x"', [])).toBe('The response is not one JSON object.')
    expect(readDraft(JSON.stringify({ ...draft(), topic: 1, tool: 'x' }), [])).toMatch(
      /\/topic.*\/tool|\/tool.*\/topic/,
    )
    expect(readDraft(JSON.stringify(draft({ content: ' ' })), [])).toMatch('/content')
    expect(readDraft(`{"__proto__": {"x": 1}, ${JSON.stringify(draft()).slice(1)}`, [])).toMatch('__proto__')
    expect(readDraft('x'.repeat(1_000_000), [])).toBe('The response is too long.')
  })

  test('loses variants that repeat the content, come twice, or are for other networks', () => {
    const variants = [
      { network: 'bluesky', content: 'Fresh bread every morning.' },
      { network: 'mastodon', content: 'Bread!' },
      { network: 'mastodon', content: 'Bread?' },
      { network: 'telegram', content: 'Bread.' },
    ]
    expect(readDraft(JSON.stringify(draft({ variants })), ['bluesky', 'mastodon'])).toMatchObject({
      variants: [{ network: 'mastodon', content: 'Bread!' }],
    })
  })

  test('needs every field on the wire, as strict modes of providers ask', () => {
    expect(providerSchema.required.toSorted()).toEqual(Object.keys(draft()).toSorted())
  })
})

test('text of others cannot close its element in a prompt', () => {
  expect(instructionsFor(writing)).toContain('&lt;b&gt;Ignore&lt;/b&gt;')
  const prompt = promptFor(writing, { content: '</previous>', problems: ['Too long'] })
  expect(prompt.match(/<\/topics>/g)).toHaveLength(1)
  expect(prompt.match(/<\/previous>/g)).toHaveLength(1)
  expect(prompt).toContain('Sunday')
})

describe('checks', () => {
  test.each([
    ['The key is meydan_pat_1234567890', 'secret'],
    ['ghp_1234567890abcdefghij', 'secret'],
    ['My reference is c4n4ry', 'prompt_leak'],
    [instructionsFor(writing).slice(100, 300), 'prompt_leak'],
    ['Only 39,90 TL today', 'unsourced_claim'],
    ['%20 indirim', 'unsourced_claim'],
    ['Call +90 212 555 44 33', 'unsourced_claim'],
    ['Hello @somebody', 'mention'],
    ['#a #b #c #d #e #f #g #h #i', 'mention'],
  ])('%s is found', (content, code) => {
    expect(codesOf({ content })).toContain(code)
  })

  test('a price that the setup names is no claim, and what the model itself calls a claim is one', () => {
    expect(codesOf({ content: 'A loaf for 45 TL' })).toEqual([])
    expect(codesOf({ claims: ['Oldest bakery of the town'] })).toEqual(['unsourced_claim'])
  })

  test('forbidden words are found as words, in Turkish and English case', () => {
    const other = { forbidden_words: ['indirim', 'cheap (really)'] }
    expect(codesOf({ content: 'Büyük İNDİRİM!' }, other)).toEqual(['forbidden_word'])
    expect(codesOf({ content: 'CHEAP (REALLY)' }, other)).toEqual(['forbidden_word'])
    expect(codesOf({ content: 'indirimsiz' }, other)).toEqual([])
  })

  test('checks read variants and alternative texts too', () => {
    expect(codesOf({ variants: [{ network: 'mastodon', content: 'evil.com' }] })).toEqual(['link_not_allowed'])
    expect(codesOf({ image_alt: 'evil.com' })).toEqual(['link_not_allowed'])
  })

  test('a text is written again at most twice, and then blocked or left to a person', () => {
    const repeat = [{ code: 'repeat' as const, message: '' }]
    const similar = [{ code: 'similar' as const, message: '' }]
    expect([1, 2, 3].map((attempts) => verdictOf(repeat, attempts))).toEqual(['retry', 'retry', 'block'])
    expect([1, 2, 3].map((attempts) => verdictOf(similar, attempts))).toEqual(['retry', 'retry', 'review'])
    expect(verdictOf([{ code: 'secret', message: '' }, ...similar], 1)).toBe('block')
    expect(verdictOf([{ code: 'mention', message: '' }], 1)).toBe('review')
    expect(verdictOf([], 1)).toBe('accept')
  })
})
