const LINKS = /https?:\/\/\S+/gu
const NAMES = /[@#][\p{L}\p{N}_.-]+/gu

/** Trigrams of the words, without links, mentions, hashtags and punctuation. */
function trigramsOf(text: string) {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(LINKS, ' ')
    .replace(NAMES, ' ')
    .match(/[\p{L}\p{N}\p{M}]+/gu)
  const found = new Set<string>()
  for (const word of words ?? []) {
    const letters = [' ', ' ', ...word, ' ']
    for (let at = 0; at + 3 <= letters.length; at++) found.add(letters.slice(at, at + 3).join(''))
  }
  return found
}

/** Share of common trigrams (Jaccard), from 0 to 1. Equals `similarity` of pg_trgm. */
function shareOf(first: ReadonlySet<string>, second: ReadonlySet<string>) {
  const common = first.intersection(second).size
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

/** The text among `others` that is most like this one. */
export function mostSimilar(text: string, others: readonly string[]) {
  const own = trigramsOf(text)
  let nearest = { similarity: 0, text: '' }
  for (const other of others) {
    const similarity = shareOf(own, trigramsOf(other))
    if (similarity > nearest.similarity) nearest = { similarity, text: other }
  }
  return nearest
}
