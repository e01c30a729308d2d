// Installs the dependencies when the lock file changed, then builds the console when its sources changed.
// --install-only skips the build. Plain JavaScript: it runs on the Node that the machine has, before the Node that
// Meydan brings is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules', '.meydan-lock')

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Meydan requires Node 20 or later to install itself; this is ${process.version}.`)
  process.exit(1)
}

const lock = readFileSync(join(root, 'package-lock.json'))
const stamp = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  // npm passes its own path to the scripts that it runs. Without it, the npm on the PATH is used.
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  step('Installing dependencies (once, and again when they change)', 'npm ci', () =>
    npm ? run(process.execPath, [npm, ...args]) : run('npm', args),
  )
  writeFileSync(stampFile, stamp)
}

if (!process.argv.includes('--install-only')) {
  const dist = join(root, 'console', 'dist')
  const builtFile = join(dist, '.built-from')
  const sources = hashSources()
  if (!existsSync(builtFile) || readFileSync(builtFile, 'utf8') !== sources) {
    const node = join(root, 'node_modules', '.bin', 'node')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    step('Building the console (once, and again when it changes)', 'vite build', () =>
      run(existsSync(node) ? node : process.execPath, [vite, 'build', '--logLevel', 'warn']),
    )
    mkdirSync(dist, { recursive: true })
    writeFileSync(builtFile, sources)
  }
}

/** Hashes everything that the built console depends on. */
function hashSources() {
  const hash = createHash('sha256')
    .update(lock)
    .update(readFileSync(join(root, 'vite.config.ts')))
  const files = ['console', 'shared']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.startsWith(join(root, 'console', 'dist') + sep))
  for (const file of files.sort()) hash.update(relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

function run(command, args) {
  // A development build is half as large again, and would not be replaced later.
  const env = { ...process.env, NODE_ENV: 'production' }
  return spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
}

function step(what, name, work) {
  console.error(`${what} …`)
  const start = Date.now()
  const { status, error } = work()
  if (status !== 0) {
    console.error(`${name} failed${error ? `: ${error.message}` : ''}. Fix the error above and try again.`)
    process.exit(status || 1)
  }
  console.error(`Done in ${Math.round((Date.now() - start) / 1000)} s.`)
}
