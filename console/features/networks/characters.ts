import { countCharacters } from '../../../shared/text/counting'
import { linksIn } from '../../../shared/text/links'
import type { Account, Network } from '../../api'

type Capabilities = Network['capabilities']

const segmenter = new Intl.Segmenter()

/** The first link of a text, which networks show as a card. */
export const firstLink = (text: string) => linksIn(text)[0]?.url

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
