import { describe, expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'

type Draft = Record<string, unknown>
type Merge = {
  mergeDrafts: (mine: Draft, before: Draft, theirs: Draft) => { merged: Draft; conflicts: string[]; taken: string[] }
  combinePart: (draft: Draft, part: string, other: Draft) => Draft
  takePart: (draft: Draft, part: string, other: Draft) => Draft
}
const { mergeDrafts, combinePart, takePart } = await consoleModule<Merge>('features/posts/form/draft/merge.ts')

const before: Draft = {
  content: 'Simit',
  media_ids: ['a'],
  thread: [{ content: 'Two', media_ids: [] }],
  first_comment: '',
  accounts: ['sky', 'square'],
  own: { sky: { content: 'Short' } },
  options: {},
  labels: ['bakery'],
  when: 'draft',
  wall: null,
}

/** A change of each part, and another one of the same part. */
const changes: [string, Draft, Draft][] = [
  ['content', { content: 'Mine' }, { content: 'Theirs' }],
  ['media_ids', { media_ids: ['b', 'a'] }, { media_ids: [] }],
  ['thread', { thread: [] }, { thread: [{ content: 'Two', media_ids: ['c'] }] }],
  ['first_comment', { first_comment: 'Mine' }, { first_comment: 'Theirs' }],
  ['accounts', { accounts: ['sky'] }, { accounts: ['square'] }],
  ['labels', { labels: [] }, { labels: ['bakery', 'spring'] }],
  ['time', { when: 'later', wall: '2027-01-01 09:00:00' }, { when: 'later', wall: '2027-01-02 09:00:00' }],
  ['own.sky', { own: {} }, { own: { sky: { content: 'Short', media_ids: [] } } }],
  [
    'own.square',
    { own: { sky: { content: 'Short' }, square: { first_comment: 'A' } } },
    { options: { square: { x: 1 } } },
  ],
]

describe('two versions of a draft', () => {
  test.each(changes)('%s that only one of the two changed is taken from that one', (part, mine, theirs) => {
    const taken = mergeDrafts(before, before, { ...before, ...theirs })
    expect(taken).toEqual({ merged: { ...before, ...theirs }, conflicts: [], taken: [part] })
    const kept = mergeDrafts({ ...before, ...mine }, before, before)
    expect(kept).toEqual({ merged: { ...before, ...mine }, conflicts: [], taken: [] })
  })

  test.each(changes)('%s that both changed differently stays as it is and is a conflict', (part, mine, theirs) => {
    const { merged, conflicts, taken } = mergeDrafts({ ...before, ...mine }, before, { ...before, ...theirs })
    expect({ merged, conflicts, taken }).toEqual({ merged: { ...before, ...mine }, conflicts: [part], taken: [] })
    expect(mergeDrafts(takePart(merged, part, { ...before, ...theirs }), before, { ...before, ...theirs })).toEqual({
      merged: { ...before, ...theirs },
      conflicts: [],
      taken: [],
    })
  })

  test('changes of different parts are both kept, and the same change by both is no conflict', () => {
    for (const [part, mine] of changes)
      for (const [other, , theirs] of changes) {
        // Both are kept in one record by account.
        if (part === other || (part.startsWith('own') && other.startsWith('own'))) continue
        const { merged, conflicts, taken } = mergeDrafts({ ...before, ...mine }, before, { ...before, ...theirs })
        expect({ merged, conflicts, taken }).toEqual({
          merged: { ...before, ...theirs, ...mine },
          conflicts: [],
          taken: [other],
        })
      }
    for (const [, mine] of changes)
      expect(mergeDrafts({ ...before, ...mine }, before, { ...before, ...mine })).toMatchObject({
        conflicts: [],
        taken: [],
      })
  })

  test('versions for two accounts are merged account by account', () => {
    const mine = { ...before, own: { sky: { content: 'Shorter' } } }
    const theirs = { ...before, own: { sky: { content: 'Short' }, square: { thread: [] } } }
    const { merged, conflicts, taken } = mergeDrafts(mine, before, theirs)
    expect(merged.own).toEqual({ sky: { content: 'Shorter' }, square: { thread: [] } })
    expect({ conflicts, taken }).toEqual({ conflicts: [], taken: ['own.square'] })
  })

  test('combining keeps both texts, of the post, its comment and the version for an account', () => {
    const theirs = { ...before, content: 'B', first_comment: 'D', own: { sky: { content: 'F' } } }
    const mine = { ...before, content: 'A', first_comment: 'C', own: { sky: { content: 'E', media_ids: ['b'] } } }
    expect(combinePart(mine, 'content', theirs).content).toBe('A\n\nB')
    expect(combinePart(mine, 'first_comment', theirs).first_comment).toBe('C\n\nD')
    expect(combinePart(mine, 'own.sky', theirs).own).toEqual({ sky: { content: 'E\n\nF', media_ids: ['b'] } })
  })
})
