/**
 * Lists and copies the files of the image beside Debian: the parts of this checkout that the server reads, the packages
 * that it can load, and Node. The Dockerfile and `scripts/image.ts` both call `copyImageFiles`.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../../server/lib/error-code.ts'

const checkout = join(import.meta.dirname, '../..')

/** Read by the server: its code and that which it shares with the console, the migrations, the guides that it serves as pages, the built console. */
const parts = [
  ...['package.json', 'LICENSE', 'server', 'shared', 'migrations', 'docs', 'console/dist'],
  // The Dockerfile names these.
  'scripts/image/load-server.ts',
  'scripts/image/health-check.ts',
]

/** Never read when serving. Node runs no TypeScript of a package. */
const isUnread = (path: string) =>
  path.includes('/node_modules/') ? /\.([cm]?tsx?|map|a)$/.test(path) : /\.(test|fixture|d)\.ts$/.test(path)

/** Puts all files in their places in the image: `app` and `usr/local/bin/node`. */
export function copyImageFiles(root: string) {
  if (!existsSync(join(checkout, 'console/dist/manifest.json')))
    throw new Error('The console is not built yet. Run `node scripts/prepare.mjs` first.')
  // The packages inside a package are in the list by themselves.
  for (const path of [...parts, ...listServerPackages()])
    copy(join(checkout, path), join(root, 'app', path), ['node_modules'])
  copy(join(checkout, 'node_modules/node/bin/node'), join(root, 'usr/local/bin/node'))
}

/** Copies a file or a folder. `without`: names in that folder itself that are left out. */
function copy(source: string, target: string, without: string[] = []) {
  const entry = lstatSync(source)
  if (entry.isDirectory()) {
    mkdirSync(target, { recursive: true })
    for (const name of readdirSync(source))
      if (!without.includes(name) && !isUnread(join(source, name))) copy(join(source, name), join(target, name))
  } else {
    mkdirSync(dirname(target), { recursive: true })
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else copyFile(source, target)
  }
}

/** Copies no bytes where it can: 18,000 files are linked in a second. */
function copyFile(source: string, target: string) {
  try {
    linkSync(source, target)
  } catch (error) {
    // On another disk, or of another user.
    if (!['EXDEV', 'EPERM'].includes(codeOf(error))) throw error
    copyFileSync(source, target)
  }
}

type LockedPackage = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
type Packages = Record<string, LockedPackage>

/**
 * Folders of the packages that the server can load: its dependencies, theirs, and so on. Optional peers are left out,
 * unless one of these depends on them. With the production packages npm would install them: compilers, bundlers, React
 * and a test runner, because the console and the tests have them, and some packages can do something with them.
 */
function listServerPackages() {
  const { packages }: { packages: Packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'))
  const folders = new Set<string>()
  const add = (from: string, names: string[]) => {
    for (const name of names) {
      const folder = resolvePackage(packages, from, name)
      // The lock file also has the packages of other platforms.
      if (folder === undefined || folders.has(folder) || !existsSync(join(checkout, folder))) continue
      folders.add(folder)
      add(folder, neededBy(packages[folder] ?? {}))
    }
  }
  add('', Object.keys(packages['']?.dependencies ?? {}))
  return [...folders]
}

function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
  // Packages with nothing but types are for compilers.
  return names.filter((name) => !name.startsWith('@types/'))
}

/** Finds a package as Node does: in the closest `node_modules` at or above the folder that imports it. */
function resolvePackage(packages: Packages, from: string, name: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (packages[folder]) return folder
  if (!from) return undefined
  return resolvePackage(packages, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}
