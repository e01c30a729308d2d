import { linksIn, linksOnX, linksWithDomain, replaceLinks } from './links.ts'
import { withMentionNames } from './mentions.ts'

const segmenter = new Intl.Segmenter()

/** Code points of weight 1 by the configuration of X; all others have weight 2. */
const isLight = (code: number) =>
  code <= 0x10ff ||
  (code >= 0x2000 && code <= 0x200d) ||
  (code >= 0x2010 && code <= 0x201f) ||
  (code >= 0x2032 && code <= 0x2037)

/** © and ® are letters, unless a variation selector makes them emoji. */
const emoji = /(?![©®](?!\ufe0f))\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

/** Matches texts of which every counter says the length: no character joins another, is an emoji or has a weight. */
const plain = /^[\n\x20-\x7e\u00c0-\u017f]*$/

function weigh(text: string) {
  let weight = 0
  for (const { segment } of segmenter.segment(text.normalize('NFC')))
    if (emoji.test(segment)) weight += 2
    else for (const character of segment) weight += isLight(character.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

/** Code points, but for emoji, which count as their bytes of UTF-8. */
function withEmojiBytes(text: string) {
  let count = 0
  for (const { segment } of segmenter.segment(text))
    if (emoji.test(segment)) count += new TextEncoder().encode(segment).length
    else count += [...segment].length
  return count
}

const counters = {
  /** As readers count: a family emoji is one. */
  graphemes: (text: string) => {
    let count = 0
    for (const _ of segmenter.segment(text)) count++
    return count
  },
  /** Unicode code points. */
  code_points: (text: string) => {
    let count = 0
    for (const _ of text) count++
    return count
  },
  /** UTF-16 code units, as JavaScript counts. */
  utf16: (text: string) => text.length,
  /** As X counts: an emoji is two, and so is a character of Chinese, Japanese or Korean. X finds bare links too. */
  weighted: weigh,
  /** As Threads counts: an emoji is four or more. */
  emoji_bytes: withEmojiBytes,
}

/** Unit in which a network counts the length of a text. */
type Counting = keyof typeof counters

/** The way in which a network counts the length of a text. */
export type LengthRules = {
  counting: Counting
  /** Characters that each link counts as, whatever its length; null if it counts as written. */
  link_length: number | null
  /** Whether `@name@host` counts as `@name`. */
  short_mentions: boolean
}

const remoteMentions = /(?<![\w/@])@(\w[\w.-]*)@[\w-]{1,63}(?:\.[\w-]{1,63})+/giu

/** The text with `@name` for each `@name@host`. */
export const withShortMentions = (text: string) => text.replace(remoteMentions, '@$1')

/** Whether the network finds a link in a text. X finds those without `https://` too. */
export function hasLink(text: string, { counting }: Pick<LengthRules, 'counting'>) {
  const shown = withMentionNames(text)
  return (counting === 'weighted' ? linksOnX(shown) : linksIn(shown)).length > 0
}

const asWritten: LengthRules = { counting: 'graphemes', link_length: null, short_mentions: false }

/** The length of a text as the network counts it. Without rules, as readers count. */
export function countCharacters(text: string, { counting, link_length, short_mentions }: LengthRules = asWritten) {
  let counted = withMentionNames(text)
  if (short_mentions) counted = withShortMentions(counted)
  if (link_length !== null) {
    const links = counting === 'weighted' ? linksOnX(counted) : linksWithDomain(counted)
    counted = replaceLinks(counted, links, () => '-'.repeat(link_length))
  }
  // Segmenting is slow.
  return plain.test(counted) ? counted.length : counters[counting](counted)
}
