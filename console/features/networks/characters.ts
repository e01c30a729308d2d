import type { Account, Network } from '../../api'
import { linksIn, linksOnX, linksWithDomain, replaceLinks } from './links'

type Capabilities = Network['capabilities']

const segmenter = new Intl.Segmenter()

/** Code points of weight 1 by the configuration of X; all others have weight 2. */
const isLight = (code: number) =>
  code <= 0x10ff ||
  (code >= 0x2000 && code <= 0x200d) ||
  (code >= 0x2010 && code <= 0x201f) ||
  (code >= 0x2032 && code <= 0x2037)

/** © and ® are letters, unless a variation selector makes them emoji. */
const emoji = /(?![©®](?!\ufe0f))\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

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

const counters: Record<Capabilities['counting'], (text: string) => number> = {
  graphemes: (text) => {
    let count = 0
    for (const _ of segmenter.segment(text)) count++
    return count
  },
  code_points: (text) => {
    let count = 0
    for (const _ of text) count++
    return count
  },
  utf16: (text) => text.length,
  weighted: weigh,
  emoji_bytes: withEmojiBytes,
}

type LengthRules = Pick<Capabilities, 'counting' | 'link_length' | 'short_mentions'>

const asWritten: LengthRules = { counting: 'graphemes', link_length: null, short_mentions: false }

const remoteMentions = /(?<![\w/@])@(\w[\w.-]*)@[\w-]{1,63}(?:\.[\w-]{1,63})+/giu

/** The first link of a text, which networks show as a card. */
export const firstLink = (text: string) => linksIn(text)[0]?.url

/** Counts a text as its network does; as readers do where there is no network yet. */
export function countCharacters(text: string, { counting, link_length, short_mentions }: LengthRules = asWritten) {
  let counted = text
  if (short_mentions) counted = counted.replace(remoteMentions, '@$1')
  if (link_length !== null) {
    const links = counting === 'weighted' ? linksOnX(counted) : linksWithDomain(counted)
    counted = replaceLinks(counted, links, () => '-'.repeat(link_length))
  }
  return counters[counting](counted)
}

/** The capabilities of an account, and the name of its network. */
export type AccountRules = Capabilities & { name: string }

/** `options`: settings of the post for this account. */
type Destination = Pick<Account, 'network'> & Partial<Pick<Account, 'limits'>> & { options?: Record<string, unknown> }

/**
 * Returns the capabilities of an account: those of its network, with the limits of its own server and of the settings
 * of the post.
 */
export function capabilitiesOf(
  { network: id, limits, options = {} }: Destination,
  networks: readonly Network[],
): AccountRules | undefined {
  const network = networks.find((one) => one.id === id)
  if (!network) return
  const rules = { name: network.name, ...network.capabilities, ...limits }
  for (const { key, choices } of network.options)
    Object.assign(rules, choices?.find(({ value }) => value === options[key])?.limits)
  return rules
}

/** Maximum length of a text, which can be less beside files. */
export const maxLengthOf = ({ max_length, max_length_with_media }: Capabilities, hasMedia: boolean) =>
  hasMedia ? (max_length_with_media ?? max_length) : max_length

/** Splits a text where it reaches the limit: what is published, and what is too much. */
export function splitAtLimit(text: string, rules: Capabilities | undefined, hasMedia: boolean): [string, string] {
  const limit = rules && maxLengthOf(rules, hasMedia)
  if (!rules || limit === undefined || countCharacters(text, rules) <= limit) return [text, '']
  const parts = Array.from(segmenter.segment(text), ({ segment }) => segment)
  let fits = 0
  let tooMuch = parts.length
  while (tooMuch - fits > 1) {
    const middle = (fits + tooMuch) >> 1
    if (countCharacters(parts.slice(0, middle).join(''), rules) <= limit) fits = middle
    else tooMuch = middle
  }
  return [parts.slice(0, fits).join(''), parts.slice(fits).join('')]
}
