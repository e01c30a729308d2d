import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import type { FieldError } from '../../errors.ts'
import type { StoredMedia } from '../media/media.ts'
import { optionProblems, publishingProblems } from '../posts/validation/problems.ts'
import { networks } from './registry.ts'

const t = await testApp()
const owner = await withWorkspace(t)

/** The text that the console shows in Turkish: the translation, or its own text for a code that says all. */
const textOf = ({ code, translations }: FieldError) =>
  translations?.tr ?? (['required', 'url_not_allowed'].includes(code) ? code : undefined)

function expectTurkish(errors: FieldError[], context: string) {
  expect(errors, context).not.toEqual([])
  for (const error of errors) {
    expect(textOf(error), `${context}: ${JSON.stringify(error)}`).toBeDefined()
    expect(error.translations?.tr, context).not.toBe(error.message)
  }
}

test('every network explains in Turkish why it refuses a form', async () => {
  for (const { id, connect } of networks) {
    if (connect.kind !== 'form' || connect.fields.length === 0) continue
    for (const wrong of ['?', 'x'.repeat(2001), 'http://127.0.0.1:9/none']) {
      const fields = Object.fromEntries(connect.fields.map(({ key }) => [key, wrong]))
      const { body } = expectStatus(await owner.post('/api/v1/accounts', { network: id, ...fields }), 400)
      expectTurkish(body.errors, id)
    }
  }
})

test('every rule of a network has a text in each language', async () => {
  let rules = 0
  for await (const path of glob('server/modules/networks/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const source = await readFile(path, 'utf8')
    const untranslated = /\binvalid\(\s*'[^']*',\s*['"`]/.exec(source)
    expect(untranslated?.[0], path).toBeUndefined()
    rules += source.match(/\b(invalid|connectProblem)\(/g)?.length ?? 0
  }
  expect(rules).toBeGreaterThan(30)
})

const file = (changes: Partial<StoredMedia>): StoredMedia => ({
  ...{ id: '', workspace_id: '', name: 'x', extension: 'x', alt: 'x'.repeat(9000), thumbnail_bytes: null },
  ...{ mime: 'image/tiff', bytes: 5_000_000_000, width: 90_000, height: 9, duration_s: null, opaque: false },
  kind: 'image',
  ...changes,
})

test('every network explains in Turkish why it refuses a text, files, a thread or a comment', () => {
  const media = new Map([
    ['image', file({})],
    ['video', file({ kind: 'video', mime: 'video/x', duration_s: 90_000 })],
    ['document', file({ kind: 'document', mime: 'text/x', width: null, height: null })],
  ])
  const ids = [...media.keys()]
  for (const { id } of networks) {
    const target = { network: id, options: {}, status: 'pending', account_status: 'paused', account_limits: {} }
    const own = { content: null, media_ids: null, thread: null, first_comment: null }
    for (const content of ['', 'ı'.repeat(66_000)]) {
      const thread = Array.from({ length: 100 }, () => ({ content: '', media_ids: [] }))
      const post = { content, media_ids: ids, thread, first_comment: content, media, targets: [{ ...target, ...own }] }
      expectTurkish(publishingProblems(post, 'targets'), id)
    }
  }
})

test('every network explains in Turkish why it refuses a setting', () => {
  for (const { id, options } of networks)
    for (const { key, type } of options)
      for (const text of ['\n', 'x'.repeat(10_000)]) {
        const value = type === 'list' ? Array(500).fill(text) : text
        const errors = optionProblems({ network: id, options: { [key]: value } }, 0)
        // A text without a pattern takes the short one.
        if (type !== 'text' || text !== '\n' || errors.length > 0) expectTurkish(errors, `${id} ${key}`)
      }
})
