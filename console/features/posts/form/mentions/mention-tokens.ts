import { mentionById } from '../../../../../shared/text/mentions'

/** Pieces of a stored text in their order: a mention with an id, which a field shows by its name, or the text between. */
type Piece = { stored: string; shown: string }

function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: stored, 1: name = '', index } of content.matchAll(mentionById)) {
    const between = content.slice(end, index)
    pieces.push({ stored: between, shown: between }, { stored, shown: `@${name}` })
    end = index + stored.length
  }
  const rest = content.slice(end)
  return [...pieces, { stored: rest, shown: rest }]
}

const isText = ({ stored, shown }: Piece) => stored === shown

/** The text as a field shows it. */
export const toShown = (content: string) =>
  piecesOf(content)
    .map(({ shown }) => shown)
    .join('')

/** Puts a stored text in place of what is shown between two places. A mention that it touches becomes plain text. */
export function replaceShown(content: string, start: number, end: number, stored: string) {
  let [before, after, at] = ['', '', 0]
  for (const piece of piecesOf(content)) {
    const [from, to] = [at, at + piece.shown.length]
    before += !isText(piece) && to <= start ? piece.stored : piece.shown.slice(0, Math.max(0, start - from))
    after += !isText(piece) && from >= end ? piece.stored : piece.shown.slice(Math.max(0, end - from))
    at = to
  }
  return before + stored + after
}

/** The stored text after somebody changed the shown one. */
export function afterChange(content: string, shown: string) {
  const former = toShown(content)
  const most = Math.min(former.length, shown.length)
  let start = 0
  while (start < most && former[start] === shown[start]) start++
  let kept = 0
  while (kept < most - start && former.at(-1 - kept) === shown.at(-1 - kept)) kept++
  return replaceShown(content, start, former.length - kept, shown.slice(start, shown.length - kept))
}

/** The name that is being written before the caret: after an `@` whom to mention, after a `/` a snippet. */
export function writingAt(text: string, caret: number) {
  const found = /(?:^|[\s(])([@/])([\p{L}\p{N}._@-]{0,100})$/u.exec(text.slice(Math.max(0, caret - 102), caret))
  if (!found) return
  const [, sign, name = ''] = found
  return { sign: sign === '/' ? ('/' as const) : ('@' as const), name, start: caret - name.length - 1 }
}
