import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

type Texts = { [key: string]: string | Texts }
type Part = 'signed-out' | 'workspace' | 'further' | 'instance-admin'
const folders: readonly string[] = ['signed-out', 'further', 'instance-admin']

const root = join(import.meta.dirname, '../console')

/** Every file of the console's texts. `part`: the pages that load it. */
export const localeFiles = globSync('**/locales/**/*.json', { cwd: root }).map((file) => {
  const folder = basename(dirname(file))
  const part = folders.includes(folder) ? (folder as Part) : 'workspace'
  const texts: Texts = JSON.parse(readFileSync(join(root, file), 'utf8'))
  return { file, language: basename(file, '.json'), part, texts }
})

export const flat = (texts: Texts, under = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[under + key, value]] : flat(value, `${under}${key}.`),
  )

/** The console's texts in a language, as `group.key → text`. */
export const textsOf = (language: 'en' | 'tr') =>
  new Map(localeFiles.filter((file) => file.language === language).flatMap(({ texts }) => flat(texts)))

/** The groups of texts that these pages load. */
export const groupsOf = (part: Part) =>
  [...new Set(localeFiles.flatMap((file) => (file.part === part ? Object.keys(file.texts) : [])))].sort()
