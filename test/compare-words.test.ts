import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'

type Piece = { kind: 'same' | 'added' | 'removed'; text: string }
type CompareWords = { compareWords: (before: string, after: string) => Piece[] }
const { compareWords } = await consoleModule<CompareWords>('ui/text/compare-words.ts')

const sentence = fc
  .array(fc.constantFrom('soup', 'of', 'the', 'day', ' ', ' ', ', ', '.', '\n', 'çorba', '🍲'), { maxLength: 40 })
  .map((words) => words.join(''))
const without = (kind: Piece['kind'], pieces: Piece[]) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('')

describe('the comparison of two texts', () => {
  test('has the whole of both, and no two neighbours of a kind', () => {
    fc.assert(
      fc.property(sentence, sentence, (before, after) => {
        const pieces = compareWords(before, after)
        expect(without('added', pieces)).toBe(before)
        expect(without('removed', pieces)).toBe(after)
        for (const [index, { kind, text }] of pieces.entries()) {
          expect(text).not.toBe('')
          expect(kind).not.toBe(pieces[index + 1]?.kind)
        }
      }),
    )
  })

  test('shows words that were replaced one after the other as one change', () => {
    expect(compareWords('Write about one soup.', 'Write of two soups.')).toEqual([
      { kind: 'same', text: 'Write ' },
      { kind: 'removed', text: 'about one soup' },
      { kind: 'added', text: 'of two soups' },
      { kind: 'same', text: '.' },
    ])
  })

  test('of long texts without a common word takes no more than a moment', () => {
    const [before, after] = ['old ', 'new '].map((word) => word.repeat(2000))
    expect(compareWords(before ?? '', after ?? '').map(({ kind }) => kind)).toContain('removed')
  })
})
