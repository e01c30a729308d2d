import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { knownRoutes, pageAddresses, recordNames, unusedSearches } from '../bench/console-pages.ts'
import { documentedLists } from '../bench/growth/documented-lists.ts'
import { names, requests } from '../bench/growth/requests.ts'

describe('npm run bench -- data-growth', () => {
  const all = requests()
  const requestsOf = (path: string) => all.filter(({ list }) => list === path)

  test('requests every list and export of openapi.json', () => {
    expect(documentedLists.length).toBeGreaterThan(90)
    expect(documentedLists.filter(({ path }) => requestsOf(path).length === 0)).toEqual([])
    for (const { path } of all) expect(path(names)).not.toContain('{')
  })

  test('uses every filter of every list', () => {
    const unused = documentedLists
      .filter(({ path }) => !path.startsWith('/public/'))
      .flatMap(({ path, filters }) => {
        const queries = requestsOf(path).map((request) => request.path(names))
        return filters
          .filter((name) => !queries.some((query) => new RegExp(`[?&]${name}=`).test(query)))
          .map((name) => `${path} ${name}`)
      })
    expect(unused).toEqual([])
  })
})

describe('npm run bench -- console', () => {
  test('loads the page of every route of the console', () => {
    const cwd = join(import.meta.dirname, '../console')
    const declared = globSync('{*,features/**/*,shell/**/*,ui/**/*}.{ts,tsx}', { cwd }).flatMap((file) => [
      ...readFileSync(join(cwd, file), 'utf8').matchAll(/\bcreateRoute\(/g),
    ])
    expect(pageAddresses.length).toBeGreaterThan(80)
    expect(knownRoutes).toBe(declared.length)
  })

  test('has a record for each parameter of an address', () => {
    const parameters = pageAddresses.flatMap(({ address }) =>
      [...address.matchAll(/([\w-]+)\/\$\w+/g)].map(([, before]) => before),
    )
    expect(recordNames).toEqual(expect.arrayContaining(parameters))
    expect(unusedSearches).toEqual([])
  })
})
