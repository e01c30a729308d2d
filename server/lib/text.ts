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

/** Cuts streamed text between characters only: many JSON parsers reject half of a surrogate pair. */
export function wholeCharacters() {
  let half = ''
  return (part: string) => {
    const text = half + part
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    return text.slice(0, text.length - half.length).toWellFormed()
  }
}
