import { describe, expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'

type Draft = Record<string, unknown> & { content: string; own: Record<string, Record<string, unknown>> }
type Choices = {
  accounts: { id: string; signature: string | null }[]
  adds: boolean
  maySign: (id: string) => boolean
}
type Signatures = { signAfter: (before: Draft, after: Draft, choices: Choices) => Draft['own'] }
const { signAfter } = await consoleModule<Signatures>('features/posts/form/signatures.ts')

const empty: Draft = { content: '', media_ids: [], thread: [], first_comment: '', accounts: ['sky', 'square'], own: {} }
const accounts = [
  { id: 'sky', signature: 'Bakery' },
  { id: 'square', signature: 'Kızılay 5' },
  { id: 'plain', signature: null },
]
const choices: Choices = { accounts, adds: true, maySign: () => true }
const changed = (before: Draft, change: Partial<Draft>, others: Partial<Choices> = {}) => {
  const after = { ...before, ...change }
  return { ...after, own: signAfter(before, after, { ...choices, ...others }) }
}
const signedOf = (content: string) => ({
  sky: { content: `${content}\n\nBakery` },
  square: { content: `${content}\n\nKızılay 5` },
})

describe('signatures of accounts', () => {
  test('each account of a new post gets its own with the first content, and follows the text', () => {
    const first = changed(empty, { content: 'Sim' })
    expect(first.own).toEqual(signedOf('Sim'))
    expect(changed(first, { content: 'Simit\n' }).own).toEqual(signedOf('Simit'))
  })

  test('a post without content has none, so that nothing is saved', () => {
    expect(changed(empty, { accounts: ['sky'] }).own).toEqual({})
    expect(changed(changed(empty, { content: 'S' }), { content: ' ' }).own).toEqual({})
  })

  test('a post with files alone has the signature as its text', () => {
    expect(changed(empty, { media_ids: ['a'], accounts: ['sky'] }).own).toEqual({ sky: { content: 'Bakery' } })
  })

  test('an account that is chosen later gets its own, and others stay', () => {
    const first = changed({ ...empty, accounts: ['sky'] }, { content: 'Simit' })
    expect(Object.keys(first.own)).toEqual(['sky'])
    expect(changed(first, { accounts: ['sky', 'square', 'plain'] }).own).toEqual(signedOf('Simit'))
  })

  test('a version that somebody changed no longer follows, and keeps its files', () => {
    const first = changed(empty, { content: 'Simit' })
    const own = { ...first.own, sky: { content: 'Mine', media_ids: ['b'] } }
    const second = changed(first, { own })
    expect(changed(second, { content: 'Tea' }).own).toEqual({ sky: own.sky, square: signedOf('Tea').square })
  })

  test('posts that exist get none by themselves, and those that have some keep them up to date', () => {
    expect(changed(empty, { content: 'Simit' }, { adds: false }).own).toEqual({})
    const signed = { ...empty, content: 'Simit', own: signedOf('Simit') }
    expect(changed(signed, { content: 'Tea' }, { adds: false }).own).toEqual(signedOf('Tea'))
    expect(changed(signed, { content: '' }, { adds: false }).own).toEqual({
      ...{ sky: { content: 'Bakery' }, square: { content: 'Kızılay 5' } },
    })
  })

  test('accounts that leave it out or take no text have none', () => {
    const maySign = (id: string) => id !== 'sky'
    expect(changed(empty, { content: 'Simit' }, { maySign }).own).toEqual({ square: signedOf('Simit').square })
    const signed = changed(empty, { content: 'Simit' })
    expect(changed(signed, { labels: ['spring'] }, { maySign }).own).toEqual({ square: signedOf('Simit').square })
  })

  test('a change that touches no signature keeps the versions as they are', () => {
    const signed = changed(empty, { content: 'Simit' })
    expect(changed(signed, { labels: ['spring'] }).own).toBe(signed.own)
  })
})
