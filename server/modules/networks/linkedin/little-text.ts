/** Characters with a meaning in LinkedIn's "little text". Unescaped, they and what follows disappear. */
const RESERVED = /[\\|{}@[\]()<>#*_~]/g

/** Escapes a text so that readers see it as it was written. Hashtags stay hashtags. */
export const escaped = (text: string) =>
  text.replace(RESERVED, (character, index: number) =>
    character === '#' && isHashtag(text, index) ? character : `\\${character}`,
  )

/** A word begins at white space, and behind an opening mark. */
const isHashtag = (text: string, index: number) =>
  (index === 0 || /[\s([{"'“”„‘‚«‹]/.test(text[index - 1] ?? '')) &&
  /^#[\p{L}\p{N}]/u.test(text.slice(index, index + 3))
