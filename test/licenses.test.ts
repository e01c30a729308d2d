import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const permissive = 'Asks for its notice to be kept.'
const withoutTerms = 'Asks for nothing.'
/** Licenses that Meydan, which is MIT, can be distributed with. */
const allowed: Record<string, string> = {
  MIT: permissive,
  ISC: permissive,
  'BSD-2-Clause': permissive,
  'BSD-3-Clause': permissive,
  'Apache-2.0': permissive,
  'BlueOak-1.0.0': permissive,
  'Python-2.0': permissive,
  Zlib: permissive,
  'MIT-0': withoutTerms,
  '0BSD': withoutTerms,
  Unlicense: withoutTerms,
  'OFL-1.1': 'Of fonts: they may be distributed with programs, and not sold by themselves.',
  'MPL-2.0': 'Asks for the source of its own files, which are used as they are.',
  'LGPL-3.0-or-later': 'Of libvips, which sharp loads as a library that can be replaced.',
}

/** Packages whose metadata in the lock name no license, with the file that says that it is MIT. */
const mitByFile: Record<string, string> = {
  busboy: 'LICENSE',
  'combine-errors': 'Readme.md',
  dicer: 'LICENSE',
  'humanize-number': 'Readme.md',
  only: 'Readme.md',
  'png-js': 'LICENSE',
  streamsearch: 'LICENSE',
}

/** Whether one of the alternatives of an SPDX expression asks for allowed licenses only. */
const isAllowed = (expression: string) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((alternative) => alternative.split(/ and /i).every((license) => license in allowed))

type Packages = Record<string, { license?: string; link?: boolean }>
const { packages }: { packages: Packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
// Checks packages for development too: the console is built from some of them.
const locked = Object.entries(packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')

test('every package has a license that Meydan can be distributed with', () => {
  expect(locked.length).toBeGreaterThan(500)
  const refused = locked
    .map(([path, { license }]) => ({
      name: nameOf(path),
      license: license ?? (nameOf(path) in mitByFile ? 'MIT' : 'none'),
    }))
    .filter(({ license }) => !isAllowed(license))
  expect(refused).toEqual([])
})

test('every allowed license is that of a package, and so is every package without one in its metadata', () => {
  const licenses = locked.map(([, { license }]) => license).join(' ')
  expect(Object.keys(allowed).filter((license) => !licenses.includes(license))).toEqual([])
  for (const [name, file] of Object.entries(mitByFile)) {
    expect(packages[`node_modules/${name}`]).not.toHaveProperty('license')
    const text = readFileSync(join(root, 'node_modules', name, file), 'utf8')
    expect(text).toMatch(/Permission is hereby granted, free of charge|## License\s+MIT\s/)
  }
})
