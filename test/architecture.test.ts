import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { files, moduleOf, root, source } from './server-files.ts'

/** All imports of our own files and of packages, as `from → to`, with paths from the repository root. */
const imports = files.flatMap((from) =>
  [
    ...(source[from] ?? '').matchAll(/^(?:import|export)\s(?:([^'";]*?)\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map(([, names = '', path = '', dynamic]) => {
    const to = dynamic ?? path
    return {
      from,
      to: to.startsWith('.') ? join(dirname(from), to) : to,
      typeOnly: names.startsWith('type '),
      rule: `${from} → ${to}`,
    }
  }),
)
/** The imports for which `isWrong` holds, as text. */
const offenders = (isWrong: (edge: (typeof imports)[number]) => boolean) =>
  imports.filter(isWrong).map(({ rule }) => rule)

test('the import graph covers all files', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(imports.filter(({ to }) => to.startsWith('server/') && !files.includes(to))).toEqual([])
  expect(imports.filter(({ to }) => moduleOf(to)).length).toBeGreaterThan(30)
})

test('lib imports no module, and of the other files only errors and config', () => {
  expect(
    offenders(
      ({ from, to }) => from.startsWith('server/lib/') && /^server\/(?!lib\/|(errors|config\/config)\.ts$)/.test(to),
    ),
  ).toEqual([])
})

test('a module imports its dependencies from their interface in lib, not from the file that creates them', () => {
  expect(offenders(({ from, to }) => to === 'server/deps.ts' && moduleOf(from) !== undefined)).toEqual([])
})

test('only routes and the files below them import Fastify', () => {
  const allowed = /\.routes\.ts$|^server\/(app|health|metrics)\.ts$|^server\/(console|docs|lib)\//
  const mayRun =
    /\.routes\.ts$|^server\/(app|health|console\/console|docs\/reference)\.ts$|^server\/lib\/http\/(route|problems|body|access)\.ts$/
  expect(
    offenders(
      ({ from, to, typeOnly }) => /^(@fastify\/|fastify$)/.test(to) && !(typeOnly ? allowed : mayRun).test(from),
    ),
  ).toEqual([])
})

test('a module imports no routes, jobs, meters and exports of another module', () => {
  expect(
    offenders(
      ({ from, to }) =>
        /\.(routes|jobs|meters|export|checks)\.ts$/.test(to) &&
        moduleOf(from) !== undefined &&
        moduleOf(from) !== moduleOf(to),
    ),
  ).toEqual([])
})

test('every file that declares jobs is in the list of the worker', () => {
  const declaring = files.filter((file) => /\bjob\(\{/.test(source[file] ?? ''))
  const listed = imports.filter(({ from }) => from === 'server/worker.ts').map(({ to }) => to)
  expect(declaring.length).toBeGreaterThan(5)
  expect(declaring.filter((file) => !listed.includes(file))).toEqual([])
})

test('every file that declares checks is in the list of checks', () => {
  const declaring = files.filter((file) => file.endsWith('.checks.ts'))
  const listed = imports.filter(({ from }) => from === 'server/checks.ts').map(({ to }) => to)
  expect(declaring.length).toBeGreaterThan(10)
  expect(declaring.filter((file) => !listed.includes(file))).toEqual([])
})

test('webhooks and audit are used through emit and audit, and imported by no other module', () => {
  const wiring = /^server\/(app|worker|deps|events|lifecycle|metrics|checks)\.ts$/
  expect(
    offenders(
      ({ from, to }) =>
        ['webhooks', 'audit'].includes(moduleOf(to) ?? '') && moduleOf(from) !== moduleOf(to) && !wiring.test(from),
    ),
  ).toEqual([])
})

/** Cycles of imports between the parts of the server that `partOf` names. Files without a part are left out. */
function cyclesOf(partOf: (file: string) => string | undefined) {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [a, b] = [partOf(from), partOf(to)]
    if (a && b && a !== b) edges.set(a, (edges.get(a) ?? new Set()).add(b))
  }
  const cycles: string[] = []
  const walk = (path: string[]) => {
    for (const next of edges.get(path.at(-1) ?? '') ?? [])
      if (path[0] === next) cycles.push([...path, next].join(' → '))
      else if (!path.includes(next)) walk([...path, next])
  }
  for (const name of edges.keys()) walk([name])
  return cycles
}

test('modules import each other without cycles', () => {
  expect(cyclesOf(moduleOf)).toEqual([])
})

test.each([...new Set(files.flatMap((file) => moduleOf(file) ?? []))])(
  'the folders of %s import each other without cycles',
  (name) => {
    const folder = new RegExp(`^server/modules/${name}/([^/]+)/`)
    expect(cyclesOf((file) => folder.exec(file)?.[1])).toEqual([])
  },
)

/**
 * The floors of modules, the lowest first. A floor is a list of folders that do not import each other; `.`: the files of
 * the module itself, or of the folder. Each imports only from the floors below.
 */
const floors: Record<string, string[][]> = {
  agents: [['record'], ['rules', 'sources'], ['drafts'], ['pictures'], ['runs'], ['.']],
  billing: [
    ['providers'],
    ['records'],
    ['invoices'],
    ['payments'],
    ['settlements'],
    ['subscriptions'],
    ['checkouts'],
    ['processes'],
    ['admin', 'webhooks'],
    ['.'],
  ],
  posts: [
    ['record', 'posting-times', 'metrics', 'link-preview', 'calendar-notes'],
    ['validation', 'approval', 'comments', 'calendar-feeds', 'snippets'],
    ['publishing'],
    ['authoring'],
    ['lists', 'review', 'import', 'recurrence', 'versions', 'copies'],
    ['queue', 'client-links'],
    ['.'],
  ],
  'media/files': [['rules'], ['worker'], ['client']],
  marketplace: [['gigs', 'payouts'], ['moderation', 'orders', 'sellers'], ['pages']],
  'marketplace/orders': [['record'], ['conversation'], ['money'], ['actions'], ['.']],
}

test.each(Object.entries(floors))('the folders of %s import only from the floors below', (name, levels) => {
  const base = `server/modules/${name}/`
  const folderOf = (file: string) =>
    file.slice(base.length).includes('/') ? file.slice(base.length).split('/')[0] : '.'
  const levelOf = (file: string) => levels.findIndex((folders) => folders.some((folder) => folder === folderOf(file)))
  const own = files.filter((file) => file.startsWith(base))
  expect(own.length).toBeGreaterThan(20)
  expect(own.filter((file) => levelOf(file) < 0)).toEqual([])
  expect(
    offenders(
      ({ from, to }) =>
        from.startsWith(base) && to.startsWith(base) && folderOf(from) !== folderOf(to) && levelOf(from) <= levelOf(to),
    ),
  ).toEqual([])
})

test('no process of Meydan loads the decoders: only their own process does', () => {
  const worker = 'server/modules/media/files/worker/'
  expect(imports.some(({ from, to }) => from.startsWith(worker) && to === 'sharp')).toBe(true)
  expect(offenders(({ from, to, typeOnly }) => to.startsWith(worker) && !from.startsWith(worker) && !typeOnly)).toEqual(
    [],
  )
})

test('only config.ts reads the environment', () => {
  expect(
    files.filter((file) => file !== 'server/config/config.ts' && /process\.env\b/.test(source[file] ?? '')),
  ).toEqual([])
})

test('the console imports nothing from the server, only the types from /openapi.json', () => {
  const own = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.startsWith('console/dist/'))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter((file) => /from '[^']*server\//.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('shared imports only packages and itself', () => {
  const own = globSync('shared/**/*.ts', { cwd: root })
  expect(own.length).toBeGreaterThan(0)
  const leading = own.filter((file) => /from '\.\.\/\.\.\//.test(readFileSync(join(root, file), 'utf8')))
  expect(leading).toEqual([])
})

test('the pricing page promises exactly the features that a route requires', () => {
  const required = files.flatMap((file) =>
    [...(source[file] ?? '').matchAll(/(?:feature: |FEATURE = )'([\w.]+)'/g)].map(([, name]) => name),
  )
  const page = readFileSync(join(root, 'console/features/plans/queries.ts'), 'utf8')
  const [, promised = ''] = /entitlements = (\[[^\]]*\])/.exec(page) ?? []
  expect([...promised.matchAll(/'([\w.]+)'/g)].map(([, name]) => name).sort()).toEqual([...new Set(required)].sort())
})
