/** Longest title that is made of a first line, in UTF-16 units. */
const MAX_TITLE = 100

/**
 * The title and the text below it. Without a title of its own, a post has its first line as one. A line that is too
 * long for a title is shortened there, and stays in the text.
 */
export function titleAndBody(text: string, title: string): { title: string; body: string } {
  if (title) return { title, body: text }
  const [first = '', ...others] = text.trim().split('\n')
  const line = first.trim()
  const below = others.join('\n').trim()
  if (line.length > MAX_TITLE) return { title: shortened(line), body: text }
  return { title: line, body: below || text }
}

const segmenter = new Intl.Segmenter()

/** Cuts between words where it can, and never within an emoji. */
function shortened(line: string) {
  let cut = ''
  for (const { segment } of segmenter.segment(line)) {
    if (cut.length + segment.length > MAX_TITLE) break
    cut += segment
  }
  return `${cut.replace(/\s+\S*$/, '')}…`
}
