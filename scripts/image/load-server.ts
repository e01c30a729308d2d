/**
 * Loads every module of the server, and every package that one of them loads later. It fails if the image lacks a
 * package, and with NODE_COMPILE_CACHE set it keeps the compiled modules, so that no start has to compile them.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const server = join(import.meta.dirname, '../../server')
/** Entries of processes: they do their work when they are loaded. */
const entries = ['cli.ts', 'modules/media/files/worker/main.ts']
/** Loaded by `serve --dev` only, in a checkout. */
const development = ['vite']

const files = globSync('**/*.ts', { cwd: server }).filter(
  (file) => !/\.(test|fixture)\.ts$/.test(file) && !entries.includes(file),
)
const packages = files.flatMap((file) =>
  [...readFileSync(join(server, file), 'utf8').matchAll(/import\('([^'.][^']*)'\)/g)].map(([, name = '']) => name),
)
for (const file of files) await import(pathToFileURL(join(server, file)).href)
for (const name of new Set(packages)) if (!development.includes(name)) await import(name)
console.log(`Loaded ${files.length} modules of the server`)
