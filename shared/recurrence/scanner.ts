const plain: Record<string, string> = {
  ç: 'c',
  ğ: 'g',
  ı: 'i',
  İ: 'i',
  I: 'i',
  ö: 'o',
  ş: 's',
  ü: 'u',
  '’': "'",
  '‘': "'",
}

/** The text in small letters without Turkish marks, so that keyboards without them can write it. Keeps all places. */
const folded = (text: string) =>
  Array.from({ length: text.length }, (_, index) => {
    const letter = text.charAt(index)
    const small = letter.toLowerCase().charAt(0)
    return plain[letter] ?? plain[small] ?? small
  }).join('')

const patterns = new Map<string, RegExp>()

/** A pattern at a place, which ends at the end of a word. */
function patternOf(source: string) {
  const known = patterns.get(source)
  if (known) return known
  const made = new RegExp(`[ \\t\\n]*(?:${source})(?![\\p{L}\\d])`, 'uy')
  patterns.set(source, made)
  return made
}

/** Reads a text phrase by phrase. */
export function scannerOf(text: string) {
  const small = folded(text)
  let place = 0
  /** The place where the current phrase begins. */
  let start = 0
  return {
    /** Takes what the pattern matches at this place, and returns its groups. */
    take(source: string): (string | undefined)[] | undefined {
      const pattern = patternOf(source)
      pattern.lastIndex = place
      const match = pattern.exec(small)
      if (!match) return
      place = pattern.lastIndex
      return match.slice(1)
    },
    /** Begins a phrase after what separates phrases. Returns whether there is more. */
    begin(filler: RegExp) {
      const more = small.slice(place).replace(filler, '')
      place = start = small.length - more.length
      return more !== ''
    },
    place: () => place,
    back(to: number) {
      place = to
    },
    /** Passes the next word. Returns whether there is another one. */
    pass() {
      const word = /^\s*\S+\s*/.exec(small.slice(place))
      place += word ? word[0].length : 0
      return place < small.length
    },
    /** The words since the phrase began, as they were written. */
    taken: () => text.slice(start, place).trim().slice(0, 60),
  }
}

export type Scanner = ReturnType<typeof scannerOf>
