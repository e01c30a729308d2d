import topLevelDomains from 'tlds' with { type: 'json' }

const topLevels = new Set(topLevelDomains)

/**
 * Domains of Latin letters without `https://`, with their path and query. A name begins only where no letter is before it:
 * otherwise a long word would be read again from each of its letters.
 */
const names =
  /(?<![\w\u00c0-\u024f@＠$#＃./-])((?:[a-z\d\u00c0-\u024f](?:[a-z\d\u00c0-\u024f-]*[a-z\d\u00c0-\u024f])?\.)+[a-z][a-z\d-]*)(?![\w\u00c0-\u024f@+-])((?:\/(?:[^\s<>"']*[^\s<>"'.,;:!?)\]}])?)?)/giu

/** The beginning of a name that ends in a top-level domain, if there is one. */
function domainOf(name: string) {
  const labels = name.split('.')
  while (labels.length > 1 && !topLevels.has(labels.at(-1)?.toLowerCase() ?? '')) labels.pop()
  return labels.length > 1 ? labels.join('.') : undefined
}

/** Replaces the links that are written without `https://`, such as `example.com/bread`. */
export const replaceBareLinks = (text: string, replacement: string) =>
  text.replace(names, (whole, name: string, rest: string) => {
    const domain = domainOf(name)
    if (domain === undefined) return whole
    return domain === name ? replacement : `${replacement}${name.slice(domain.length)}${rest}`
  })
