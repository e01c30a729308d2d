/** A piece of a text that both versions have, or only one of them. */
type Piece = { kind: 'same' | 'added' | 'removed'; text: string }

/** Above this product of word counts, a text is shown as replaced: comparing takes that many steps. */
const MAX_STEPS = 4_000_000

/** Compares two texts word by word, by their longest common sequence. */
export function compareWords(before: string, after: string): Piece[] {
  const old = wordsOf(before)
  const now = wordsOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return joined([
    ...old.slice(0, start).map(piece('same')),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(piece('same')),
  ])
}

/** Words, spaces and punctuation; joined again they are the text. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []

const piece =
  (kind: Piece['kind']) =>
  (text: string): Piece => ({ kind, text })

function compareMiddle(old: string[], now: string[]): Piece[] {
  if (old.length * now.length > MAX_STEPS) return [...old.map(piece('removed')), ...now.map(piece('added'))]
  const width = now.length + 1
  // The length of the longest common sequence of the words from each pair of positions on.
  const lengths = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]]
    if (left !== undefined && left === right) {
      pieces.push({ kind: 'same', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ kind: 'removed', text: left })
      i++
    } else if (right !== undefined) {
      pieces.push({ kind: 'added', text: right })
      j++
    }
  }
  return pieces
}

/**
 * Joins neighbouring changes: what was removed stands before what was added in its place. Spaces between changes belong
 * to them.
 */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  let removed = ''
  let added = ''
  const close = () => {
    if (removed) result.push({ kind: 'removed', text: removed })
    if (added) result.push({ kind: 'added', text: added })
    removed = added = ''
  }
  for (const [index, { kind, text }] of pieces.entries()) {
    const next = pieces[index + 1]
    const isBetween = kind === 'same' && (removed || added) && /^ +$/.test(text) && next && next.kind !== 'same'
    if (kind === 'removed' || isBetween) removed += text
    if (kind === 'added' || isBetween) added += text
    if (kind !== 'same' || isBetween) continue
    close()
    const last = result.at(-1)
    if (last?.kind === 'same') last.text += text
    else result.push({ kind, text })
  }
  close()
  return result
}
