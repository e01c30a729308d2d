import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../server/errors.ts'
import { scopes } from '../server/lib/http/scopes.ts'
import { flat, groupsOf, localeFiles, textsOf } from './texts.ts'

const root = join(import.meta.dirname, '../console')
const en = textsOf('en')
const tr = textsOf('tr')

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
/** i18next selects one of these two suffixes by number. */
const withoutNumber = (key: string) => {
  const base = key.replace(/_(one|other)$/, '')
  return en.has(`${base}_one`) && en.has(`${base}_other`) ? base : key
}

const source = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/^dist\/|\.gen\.d\.ts$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
const keys = new Set([...en.keys()].map(withoutNumber))
const groups = [...new Set([...keys].map((key) => key.split('.')[0]))]
const named = new RegExp(`'((?:${groups.join('|')})(?:\\.\\w+)+)'`, 'g')
const composed = new RegExp(`\`((?:${groups.join('|')})\\.[\\w.]*\\$\\{[^\`]*)\``, 'g')
const literals = [...new Set(source.flatMap((text) => [...text.matchAll(named)].map(([, key = '']) => key)))]
/** Keys with a part known only at run time, as patterns. Such a part, as the name of a feature, may have a dot. */
const patterns = [...new Set(source.flatMap((text) => [...text.matchAll(composed)].map(([, key = '']) => key)))].map(
  (key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+(\\.\\w+)?')}$`),
)

const staticImport = /^(?:import|export) (?!type )(?:[^'"();]*? from )?'(\.[^']+)'/gm
const anyImport = /(?:^(?:import|export) (?!type )(?:[^'"();]*? from )?|(?<!typeof )import\()'(\.[^']+)'/gm

/** The groups of texts that these files and their imports use. */
function groupsUsedBy(imports: RegExp, ...starts: string[]) {
  const files = starts.map((file) => join(root, file))
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      const path = join(dirname(file), name)
      const found = [path, `${path}.ts`, `${path}.tsx`].find(
        (candidate) => /\.tsx?$/.test(candidate) && existsSync(candidate),
      )
      if (found && !files.includes(found)) files.push(found)
    }
  const usedKey = new RegExp(`['\`](${groups.join('|')})\\.[\\w.$]`, 'g')
  return new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(usedKey)].map(([, group = '']) => group)),
  )
}
const signedOut = groupsOf('signed-out')
const further = groupsOf('further')
const instanceAdmin = groupsOf('instance-admin')

/** The pages that routes load, each with the parts of the texts that are loaded with it. */
const pages = globSync('{layout-routes.ts,features/*/routes.tsx}', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:withTexts|loadCode)\(\s*import\('([^']+)'\)([^)]*)\)/g)].map(
    ([, path = '', parts = '']) => ({
      file: `${join(dirname(file), path)}.tsx`,
      isSignedOut: parts === '',
      hasFurther: parts.includes("'further'"),
      isInstanceAdmin: parts.includes("'instance-admin'"),
    }),
  ),
)

describe("the parts of the console's texts", () => {
  test('the signed-out part holds exactly the texts that its pages show', () => {
    const signedOutPages = pages.filter(({ isSignedOut }) => isSignedOut).map(({ file }) => file)
    expect(signedOutPages.length).toBeGreaterThan(3)
    const shown = groupsUsedBy(staticImport, 'main.tsx', 'features/auth/signed-out/SecondFactor.tsx', ...signedOutPages)
    expect(shown.size).toBeGreaterThan(10)
    expect([...shown].sort()).toEqual(signedOut)
  })

  test('the shell, the calendar and the list of posts show no text of the further part, not even in their dialogs', () => {
    const without = pages.filter(({ isSignedOut, hasFurther }) => !isSignedOut && !hasFurther).map(({ file }) => file)
    expect(without).toEqual(
      expect.arrayContaining(['shell/Shell.tsx', 'features/posts/calendar/CalendarPage.tsx'].map((file) => join(file))),
    )
    const shown = groupsUsedBy(anyImport, ...without)
    expect(shown.size).toBeGreaterThan(20)
    expect([...shown].filter((group) => further.includes(group))).toEqual([])
  })

  test('the texts of instance administration are used only by its pages', () => {
    const of = (wanted: boolean) =>
      pages.filter(({ isInstanceAdmin }) => isInstanceAdmin === wanted).map(({ file }) => file)
    expect([of(true).length > 10, of(false).length > 40]).toEqual([true, true])
    const shown = groupsUsedBy(staticImport, 'shell/CommandPalette.tsx', ...of(false))
    expect([...shown].filter((group) => instanceAdmin.includes(group))).toEqual([])
    expect([...groupsUsedBy(staticImport, ...of(true))]).toEqual(expect.arrayContaining(instanceAdmin))
  })
})

describe("the files of the console's texts", () => {
  test('each key is in one file of a language', () => {
    const seen = new Set<string>()
    const twice = localeFiles.flatMap(({ language, texts }) =>
      flat(texts).flatMap(([key]) => {
        const name = `${language} ${key}`
        if (seen.has(name)) return [name]
        seen.add(name)
        return []
      }),
    )
    expect(twice).toEqual([])
  })

  test('each group of texts is in one part', () => {
    const all = (['signed-out', 'workspace', 'further', 'instance-admin'] as const).flatMap(groupsOf)
    expect(all.filter((group, at) => all.indexOf(group) !== at)).toEqual([])
  })

  test('each file of texts exists in both languages', () => {
    const of = (language: string) =>
      localeFiles.flatMap((file) => (file.language === language ? [dirname(file.file)] : [])).sort()
    expect(of('tr')).toEqual(of('en'))
    expect(of('en').length + of('tr').length).toBe(localeFiles.length)
  })
})

describe('the languages of the console', () => {
  test('both languages have the same keys', () => {
    expect([...tr.keys()].sort()).toEqual([...en.keys()].sort())
  })

  test('both languages use the same placeholders in a text', () => {
    const differing = [...en].filter(([key, text]) => `${placeholders(text)}` !== `${placeholders(tr.get(key) ?? '')}`)
    expect(differing).toEqual([])
  })

  test('no text is empty', () => {
    expect([...en, ...tr].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('every key that the console uses has a text', () => {
    expect(literals.length).toBeGreaterThan(200)
    expect(literals.filter((key) => !keys.has(key))).toEqual([])
    expect(patterns.filter((pattern) => ![...keys].some((key) => pattern.test(key)))).toEqual([])
  })

  test('every text is used by the console', () => {
    const used = new Set(literals)
    expect([...keys].filter((key) => !used.has(key) && !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })

  test('every scope of API tokens, and every area of them, has a label', () => {
    const names = Object.keys(scopes)
    const labels = new Set(names.flatMap((scope) => [scope.split(':', 1)[0] ?? scope, scope.replace(':', '_')]))
    for (const language of [en, tr]) {
      const labelled = [...language.keys()].flatMap((key) => (key.startsWith('scopes.') ? [key.slice(7)] : []))
      expect(labelled.sort()).toEqual([...labels].sort())
    }
  })

  test('every error code that reaches the console has a text', () => {
    /** Only direct calls of the API get these. */
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
    /** The console's own, for a request without a response. */
    const own = ['offline', 'unreachable']
    const translated = [...keys].flatMap((key) => (key.startsWith('problem.') ? [key.slice('problem.'.length)] : []))
    expect(translated.filter((code) => !own.includes(code)).sort()).toEqual(
      Object.keys(catalogue)
        .filter((code) => !never.includes(code))
        .sort(),
    )
  })
})
