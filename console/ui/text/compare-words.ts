import { diffArrays } from 'diff'

/** A piece of a text that both versions have, or only one of them. */
type Piece = { kind: 'same' | 'added' | 'removed'; text: string }

/** Beyond this number of changed words, a text is shown as replaced: comparing would take too long. */
const MAX_CHANGES = 2000

/** Words, spaces and punctuation; joined again they are the text. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []

export function compareWords(before: string, after: string): Piece[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_CHANGES })
  if (!changes)
    return joined([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ])
  return joined(
    changes.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    })),
  )
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
    result.push({ kind, text })
  }
  close()
  return result
}
