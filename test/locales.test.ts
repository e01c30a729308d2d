import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../server/errors.ts'

/** The console's words, as `room.word → text`. */
type Words = { [key: string]: string | Words }
const flat = (words: Words, under = ''): [key: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[under + key, value]] : flat(value, `${under}${key}.`),
  )
const root = join(import.meta.dirname, '../console')
const read = (language: string) =>
  new Map(flat(JSON.parse(readFileSync(join(root, `locales/${language}.json`), 'utf8'))))
const en = read('en')
const tr = read('tr')

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
/** i18next chooses by the number between keys of these two endings. */
const withoutNumber = (key: string) => {
  const base = key.replace(/_(one|other)$/, '')
  return en.has(`${base}_one`) && en.has(`${base}_other`) ? base : key
}

const source = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/^dist\/|\.gen\.d\.ts$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
const keys = new Set([...en.keys()].map(withoutNumber))
const rooms = [...new Set([...keys].map((key) => key.split('.')[0]))]
const named = new RegExp(`'((?:${rooms.join('|')})(?:\\.\\w+)+)'`, 'g')
const composed = new RegExp(`\`((?:${rooms.join('|')})\\.[\\w.]*\\$\\{[^\`]*)\``, 'g')
const literals = [...new Set(source.flatMap((text) => [...text.matchAll(named)].map(([, key = '']) => key)))]
/** Keys with a part that is known only at run time, as patterns. */
const patterns = [...new Set(source.flatMap((text) => [...text.matchAll(composed)].map(([, key = '']) => key)))].map(
  (key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+')}$`),
)

/** What these files and all that they import at once say, as names of rooms. */
function saidBy(...starts: string[]) {
  const files = starts.map((file) => join(root, file))
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )(?:[^'"();]*? from )?'(\.[^']+)'/gm,
    )) {
      const path = join(dirname(file), name)
      const found = [path, `${path}.ts`, `${path}.tsx`].find(
        (candidate) => /\.tsx?$/.test(candidate) && existsSync(candidate),
      )
      if (found && !files.includes(found)) files.push(found)
    }
  const said = new RegExp(`['\`](${rooms.join('|')})\\.[\\w.$]`, 'g')
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(said)].map(([, room = '']) => room)))
}
const parts: { first: string[]; desk: string[] } = JSON.parse(readFileSync(join(root, 'locales/parts.json'), 'utf8'))

describe("the console's texts come in parts", () => {
  test('the first has what is shown before any room, and no more', () => {
    const shown = saidBy('main.tsx')
    expect(shown.size).toBeGreaterThan(10)
    expect([...shown].sort()).toEqual(parts.first.toSorted())
  })

  test('nothing but the desk needs those of the desk', () => {
    const shown = saidBy(
      ...['rooms.ts', 'forms.ts', 'person.ts', 'office.ts', 'features/workspaces/Palette.tsx'],
      ...['features/workspaces/SetUp.tsx', 'features/plans/PricingPage.tsx'],
    )
    expect([...shown].filter((room) => parts.desk.includes(room))).toEqual([])
    expect([...saidBy('desk.ts')]).toEqual(expect.arrayContaining(parts.desk))
  })
})

describe("the console's languages", () => {
  test('say the same things', () => {
    expect([...tr.keys()].sort()).toEqual([...en.keys()].sort())
  })

  test('fill in the same values', () => {
    const differing = [...en].filter(([key, text]) => `${placeholders(text)}` !== `${placeholders(tr.get(key) ?? '')}`)
    expect(differing).toEqual([])
  })

  test('leave nothing empty', () => {
    expect([...en, ...tr].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('hold every key that the console asks for', () => {
    expect(literals.length).toBeGreaterThan(200)
    expect(literals.filter((key) => !keys.has(key))).toEqual([])
    expect(patterns.filter((pattern) => ![...keys].some((key) => pattern.test(key)))).toEqual([])
  })

  test('hold no key that nobody asks for', () => {
    const asked = new Set(literals)
    expect([...keys].filter((key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })

  test('know every error that the server tells the console', () => {
    /** Only who calls the API by hand meets these. */
    const never = [
      'insufficient_scope',
      'token_not_accepted',
      'method_not_allowed',
      'request_timeout',
      'uri_too_long',
      'unsupported_media_type',
      'expectation_failed',
      'headers_too_large',
    ]
    /** The console says these by itself, when there is no answer. */
    const own = ['offline', 'unreachable']
    const told = [...keys].flatMap((key) => (key.startsWith('problem.') ? [key.slice('problem.'.length)] : []))
    expect(told.filter((code) => !own.includes(code)).sort()).toEqual(
      Object.keys(catalogue)
        .filter((code) => !never.includes(code))
        .sort(),
    )
  })
})
