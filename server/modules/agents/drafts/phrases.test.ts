import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { hasPhrase, lookAlikes, phraseFinder } from './phrases.ts'

// More of it: npm run torture -- phrases
const RUNS = timesOf('PHRASE_RUNS', 120)

const found: [text: string, phrase: string][] = [
  ['Better than Rakip.', 'Rakip'],
  ['RAKİP ve RAKIP', 'rakip'],
  ['Rakip', 'RAKIP'],
  // Cyrillic, Greek, full-width, mathematical and circled letters.
  ['Rаkip has it', 'Rakip'],
  ['СНЕАР bread', 'cheap'],
  ['Ραkip has it', 'Pakip'],
  ['Ｒａｋｉｐ has it', 'Rakip'],
  ['𝐑𝐚𝐤𝐢𝐩 has it', 'Rakip'],
  ['ⓡⓐⓚⓘⓟ has it', 'Rakip'],
  ['Новый RАКІР уже здесь, приходите к нам', 'RAKIP'],
  // Marks that nobody sees, and marks over letters.
  ['Ra\u200bk\u2060ip has it', 'Rakip'],
  ['Ra\u00adkip has it', 'Rakip'],
  ['R̶a̶k̶i̶p̶ has it', 'Rakip'],
  // Marks inside, and words that are spelled out.
  ['R a k i p has it', 'Rakip'],
  ['r.a.k.i.p', 'Rakip'],
  ['r - a - k - i - p', 'Rakip'],
  ['Ra-kip and ra_kip', 'Rakip'],
  ['Ra*kip', 'Rakip'],
  // Endings.
  ["Rakip'in ekmeği", 'Rakip'],
  ['Rakip’ten iyi', 'Rakip'],
  ['Rakipler geldi, şimdi sıra bizde', 'Rakip'],
  ['Rakiplerinden ucuzuz, şaka değil', 'Rakip'],
  ['Rakibin ekmeği değil', 'Rakip'],
  ['Rakıbın ışığı', 'rakıp'],
  ['Migrostan aldığınız', 'Migros'],
  ['Migrosla yarışıyoruz', 'Migros'],
  ['Kalede buluşalım, şimdi', 'Kale'],
  ['BÜYÜK İNDİRİMLER', 'indirim'],
  // Phrases.
  ['Other  Bakery', 'other bakery'],
  ['the other-bakery', 'Other Bakery'],
  ['Go! #OtherBakery', 'Other Bakery'],
  ['#other_bakery', 'Other Bakery'],
  ['Öteki Fırının ekmeği', 'Öteki Fırın'],
  ['CHEAP (REALLY)', 'cheap (really)'],
  ['C++ is fun', 'c++'],
  // Other scripts stay what they are.
  ['Рога и копыта', 'рога'],
]

const absent: [text: string, phrase: string][] = [
  // Words that only contain the phrase.
  ['We start the art-free day with a party', 'arty'],
  ['We start early', 'art'],
  ['Artık açığız', 'art'],
  ['Artı bir ekmek, ışıl ışıl', 'art'],
  ['indirimsiz ürün, şimdi', 'indirim'],
  ['Kalem aldık, şimdi', 'Kale'],
  ['The plane is late', 'plan'],
  ['Cheaper bread', 'cheap'],
  ['another', 'an other'],
  // ı and i make different words.
  ['Sık sık geliriz', 'sik'],
  ['Kir yok', 'kır'],
  // Letters that stand alone, and words beside each other.
  ['A r t', 'art'],
  ['a cat sat', 'acat'],
  ['ra. Kip is here', 'Rakipo'],
  ["the hour's end", 'hours'],
  // A Russian word that looks like a Latin one.
  ['Это первый том романа', 'tom'],
  ['Anything', ' '],
]

describe('a phrase', () => {
  test.each(found)('of %j is found: %j', (text, phrase) => {
    expect(hasPhrase(text, phrase)).toBe(true)
  })

  test.each(absent)('of %j is not found: %j', (text, phrase) => {
    expect(hasPhrase(text, phrase)).toBe(false)
  })

  test('has Turkish endings in a text that is Turkish by its language, and in no other', () => {
    expect(phraseFinder('Rakipten iyi', 'tr')('Rakip')).toBe(true)
    expect(phraseFinder('Rakipten iyi', 'en')('Rakip')).toBe(false)
  })
})

const latin = fc.stringMatching(/^[a-hj-z]{5,12}$/)
const withLookAlikes = (word: string) =>
  [...word].map((letter) => [...lookAlikes[0]][lookAlikes[1].indexOf(letter)] ?? letter).join('')
const disguises: ((word: string) => string)[] = [
  (word) => word.toUpperCase(),
  (word) => word.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  (word) => `${withLookAlikes(word)} (bakery)`,
  (word) => `${word.slice(0, 2)}${withLookAlikes(word.slice(2))}`,
  (word) => [...word].join('\u200b'),
  (word) => [...word].join(' '),
  (word) => [...word].join('.'),
  (word) => `${word.slice(0, 3)}-${word.slice(3)}`,
  (word) => `${word}'in`,
  (word) => `#${word}`,
]
const around = fc.constantFrom(
  ['We never write about ', ', and nobody misses it'],
  ['Bugün fırında “', '” yok, ekmek var'],
  ['Come and see: ', ''],
)

test(`a word is found in every disguise, and in none of another word (seed ${SEED})`, () => {
  fc.assert(
    fc.property(latin, latin, fc.constantFrom(...disguises), around, (word, other, disguise, [before, after]) => {
      const text = `${before}${disguise(word)}${after}`
      expect(hasPhrase(text, word), text).toBe(true)
      // One letter more is another word, and so is one within.
      for (const longer of [`q${word}`, `${word}q`, `q${word}q`]) expect(hasPhrase(longer, word), longer).toBe(false)
      if (!other.startsWith(word.slice(0, 4))) expect(hasPhrase(text, other), `${other} in ${text}`).toBe(false)
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

test(`the search ends soon for any text and phrase (seed ${SEED})`, () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      (text, phrase) => {
        hasPhrase(text, phrase)
        if (/^\p{L}+$/u.test(phrase)) expect(hasPhrase(` ${phrase} `, phrase)).toBe(true)
      },
    ),
    { numRuns: RUNS, seed: SEED },
  )
})

test('letters look alike as they do in names of workspaces', async () => {
  const t = await testApp()
  for (const letter of lookAlikes[0]) {
    const { rows } = await sql<{ skeleton: string }>`select name_skeleton(${letter}) as skeleton`.execute(t.deps.db)
    const { rows: latin } = await sql<{ skeleton: string }>`select name_skeleton(${
      [...lookAlikes[1]][[...lookAlikes[0]].indexOf(letter)] ?? ''
    }) as skeleton`.execute(t.deps.db)
    expect([letter, rows[0]?.skeleton]).toEqual([letter, latin[0]?.skeleton])
  }
})
