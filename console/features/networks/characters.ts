import type { Network } from '../../api'

const segmenter = new Intl.Segmenter()

const counters: Record<Network['capabilities']['counting'], (text: string) => number> = {
  graphemes: (text) => {
    let count = 0
    for (const _ of segmenter.segment(text)) count++
    return count
  },
}

/** Counts a text as its network does; as readers do where there is no network yet. */
export const countCharacters = (text: string, counting: keyof typeof counters = 'graphemes') => counters[counting](text)
