/**
 * Letters that look like Latin ones, and these: those of the SQL function `name_skeleton`. Letters of Latin alphabets stay
 * different, such as ı and ş: they make different words.
 */
export const lookAlikes = [
  'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿαγικνορστυχϳЅІЈАВЕКМНОРСТУХҮӀԌԜЬѴавгекмнорстухѕіјѡѵүһӏԁԛԝьՍՏՕզգհոսօցքաɑɡᴄᴏᴠᴡᴢꜱ',
  'ABEZHIKMNOPTYXJayiknopotuxjSIJABEKMHOPCTYXYIGWBVabrekmhopctyxsijwvyhidqwbUSOqqhnuogfwagcovwzs',
] as const

const latinOf = new Map([...lookAlikes[0]].map((letter, at) => [letter, lookAlikes[1][at] ?? letter]))
const withLatin = (text: string) => [...text].map((letter) => latinOf.get(letter) ?? letter).join('')

const count = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0

/**
 * Puts Latin letters in place of those that look like them: within words that have a Latin letter, too, and in any word
 * of a text that is mostly Latin. A Russian word in a Russian text can look like a Latin one, and is another.
 */
function withoutLookAlikes(text: string) {
  const isLatin =
    count(text, /\p{Script=Latin}/gu) >= count(text, /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/gu)
  return text.replace(/[\p{L}\p{N}]+/gu, (word) => (isLatin || /\p{Script=Latin}/u.test(word) ? withLatin(word) : word))
}

/** A text without what readers cannot see: other forms of its letters, marks without width and on letters, kinds of spaces. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u0300-\u036f]/gu, '')
    .replace(/\s+/g, ' ')

/** Lower case. I stays: it can be that of i or of ı. */
const lower = (text: string) => text.replaceAll('İ', 'i').replace(/[^I]+/g, (part) => part.toLowerCase())

/** Marks that people put into a word so that it is not found, and those between its letters when it is spelled out. */
const WITHIN = '[-‐‑_.·•*~|]?'
const BETWEEN = '[\\s\\p{P}\\p{S}]{1,3}'
/** Letters that a word has at least to be found with marks inside, spelled out, and with an ending. */
const [MIN_PARTED, MIN_SPELLED, MIN_INFLECTED] = [5, 4, 4]

const isLetter = (letter: string) => /[\p{L}\p{N}]/u.test(letter)
const ofLetter: Record<string, string> = { i: '[iI]', ı: '[ıI]', I: '[iıI]' }

/** A pattern of the letters of a word, with `mark` between each two of them. */
function letters(word: string, mark: string) {
  const all = [...word]
  return all
    .map((letter, at) => {
      const isParted = at > 0 && isLetter(letter) && isLetter(all[at - 1] ?? '')
      return `${isParted ? mark : ''}${ofLetter[letter] ?? RegExp.escape(letter)}`
    })
    .join('')
}

/** Turkish endings of nouns: plural, possessive and case. Those that make other words are left out, such as -siz. */
const cases = (a: string, i: string) => `(?:[yn]?${i}|n?${i}n|[yn]?${a}|n?[dt]${a}n?|y?l${a})`
const endings = (a: string, i: string) => `(?:l${a}r)?(?:s?${i})?${cases(a, i)}?`
const ENDING = `(?:${endings('e', '[iüI]')}|${endings('a', '[ıuI]')})`
/** Consonants that become soft before an ending with a vowel. */
const soft: Record<string, string> = { p: 'b', ç: 'c', t: 'd', k: '[ğg]' }
const SOFT_ENDING = '(?:[iüI]n?|[ıuI]n?|[ea])'

/** A pattern of a word in its forms. */
function forms(word: string, isTurkish: boolean) {
  const mark = [...word].length >= MIN_PARTED ? WITHIN : ''
  const stem = letters(word, mark)
  if (!isTurkish || [...word].length < MIN_INFLECTED || !/\p{L}$/u.test(word)) return stem
  const softened = soft[word.slice(-1)]
  return softened
    ? `(?:${stem}${ENDING}|${letters(word.slice(0, -1), mark)}${softened}${SOFT_ENDING})`
    : `${stem}${ENDING}`
}

const isTurkish = (text: string) => /[ğĞşŞıİ]/.test(text)

/** Whether `text` has `phrase`; both are as `plain` and `lower` leave them. */
function matches(text: string, phrase: string, turkish: boolean) {
  const words = phrase.split(' ')
  const last = words.pop() ?? ''
  const ways = [
    [...words.map((word) => forms(word, false)), forms(last, turkish)].join('[\\s\\p{Pd}_.·•]{1,3}'),
    ...([...phrase].length >= MIN_SPELLED && words.length === 0 ? [letters(phrase, BETWEEN)] : []),
    // Hashtags have no spaces.
    ...(words.length > 0
      ? [`(?<=[#@])${[...words.map((word) => letters(word, '')), forms(last, turkish)].join('_?')}`]
      : []),
  ]
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${ways.join('|')})(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** Whether a text has a word or phrase, in the same case. */
export const hasExactPhrase = (text: string, phrase: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(phrase.trim())}(?![\\p{L}\\p{N}])`, 'u').test(text)

/**
 * Finds words and phrases in a text in any case, in other forms of their letters, in letters that look like them, with
 * marks inside, spelled out, as hashtags, and with Turkish endings if the text is Turkish. `language`: that of the text,
 * if known.
 */
export function phraseFinder(text: string, language?: string) {
  const turkish = /^tr\b/i.test(language ?? '') || isTurkish(text)
  const shown = plain(text)
  const [seen, read] = [lower(withoutLookAlikes(shown)), lower(shown)]
  return (phrase: string) => {
    const wanted = plain(phrase).trim()
    if (wanted === '') return false
    return matches(read, lower(wanted), turkish) || matches(seen, lower(withLatin(wanted)), turkish)
  }
}

export const hasPhrase = (text: string, phrase: string) => phraseFinder(text)(phrase)
