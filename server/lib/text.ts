/**
 * What somebody else's server said, fit to be kept and told on: no NUL or other control characters, no half of a
 * surrogate pair, at most 400 bytes.
 */
export function foreignText(text: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const clean = text.toWellFormed().replace(/[\u0000-\u001f\u007f]+/g, ' ')
  return Buffer.from(clean)
    .subarray(0, 400)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

/** Text that comes in parts, each of them cut between characters: half of a surrogate pair is JSON that few can read. */
export function inCharacters() {
  let half = ''
  return (part: string) => {
    const text = half + part
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    return text.slice(0, text.length - half.length).toWellFormed()
  }
}
