/**
 * Cleans a message of an external server for storage and display: no NUL or other control characters, no lone
 * surrogates, at most 400 bytes.
 */
export function sanitizeExternalText(text: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  const clean = text.toWellFormed().replace(/[\u0000-\u001f\u007f]+/g, ' ')
  return Buffer.from(clean)
    .subarray(0, 400)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

/**
 * A value without what jsonb refuses, and texts of external servers may have: NUL, and halves of surrogate pairs. Any
 * other value is returned as it is.
 */
export function storableJson<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  if (text === undefined || !/\\u(0000|d[89a-f])/.test(text)) return value
  return JSON.parse(text, (_, each) => (typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '') : each))
}

/**
 * Makes text of others safe as a part of a sentence: one line of at most `max` characters, without marks that reorder
 * the text around it.
 */
export function quoted(text: string, max: number) {
  const line = text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : line
}

/** Cuts streamed text between characters only: many JSON parsers reject half of a surrogate pair. */
export function wholeCharacters() {
  let half = ''
  return (part: string) => {
    const text = half + part
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    return text.slice(0, text.length - half.length).toWellFormed()
  }
}

/** A label as it is stored: composed and trimmed. */
export const storedLabel = (label: string) => label.normalize('NFC').trim()

/**
 * Labels as they are stored, each once. Spellings that differ in case, in marks or in I, İ, ı and i
 * are one label, the first.
 */
export function distinctLabels(labels: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const label of labels) {
    const stored = storedLabel(label)
    const key = stored.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')
    if (stored !== '' && !found.has(key)) found.set(key, stored)
  }
  return [...found.values()]
}

/** Letters that Unicode does not take apart into one of ASCII and a diacritic. */
const asciiOf: Record<string, string> = {
  ...{ ı: 'i', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', ø: 'o', æ: 'ae', œ: 'oe', þ: 'th', ŋ: 'n', ħ: 'h', ə: 'e' },
}

/** A part of an address, made from a name: letters without diacritics, hyphens for everything else. It can be empty. */
export const toSlug = (name: string, max: number) =>
  name
    .toLowerCase()
    .replace(/[ıßłđðøæœþŋħə]/g, (letter) => asciiOf[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replace(/^-+|-+$/g, '')

/** Flags of England, Scotland and Wales: the only use of tag characters that people see. */
const FLAG = '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{4,6}\\u{e007f}'

/** Zero-width spaces, marks that reorder text, tag characters, soft hyphens, and control characters but line ends and tabs. */
const HIDDEN =
  '[\\u{0}-\\u{8}\\u{b}-\\u{1f}\\u{7f}-\\u{9f}\\u{ad}\\u{61c}\\u{180e}\\u{200b}\\u{200e}\\u{200f}\\u{2028}-\\u{202e}\\u{2060}-\\u{206f}\\u{feff}\\u{fff9}-\\u{fffb}\\u{e0000}-\\u{e007f}]'

const flagOrHidden = new RegExp(`${FLAG}|${HIDDEN}`, 'gu')

/** Removes what readers cannot see, and what could carry a message past them. Keeps what joins emoji and letters. */
export const withoutHiddenCharacters = (text: string) =>
  text.toWellFormed().replace(flagOrHidden, (found) => (found.startsWith('\u{1f3f4}') ? found : ''))
