import type { Network } from '../../api'

const segmenter = new Intl.Segmenter()

const counters: Record<Network['capabilities']['counting'], (text: string) => number> = {
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
}

type LengthRules = Pick<Network['capabilities'], 'counting' | 'link_length' | 'short_mentions'>

const asWritten: LengthRules = { counting: 'graphemes', link_length: null, short_mentions: false }

const links = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/giu
const remoteMentions = /(?<![\w/@])@(\w[\w.-]*)@[\w-]+(?:\.[\w-]+)+/giu

/** Counts a text as its network does; as readers do where there is no network yet. */
export function countCharacters(text: string, { counting, link_length, short_mentions }: LengthRules = asWritten) {
  let counted = text
  if (short_mentions) counted = counted.replace(remoteMentions, '@$1')
  if (link_length !== null) counted = counted.replace(links, 'x'.repeat(link_length))
  return counters[counting](counted)
}
