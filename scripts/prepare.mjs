// Installs the dependencies when the lock changed. Plain JavaScript: it runs on whatever Node the machine has, before
// the Node that Meydan brings along is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules', '.meydan-lock')

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Meydan needs Node 20 or later to install itself; this is ${process.version}.`)
  process.exit(1)
}

const stamp = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex')

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  console.error('Installing dependencies (once, and again when they change) …')
  const start = Date.now()
  // npm tells its own path to the scripts that it runs; without it, the one on the PATH is used.
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const { status, error } = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options)
  if (status !== 0) {
    console.error(
      `npm ci failed${error ? `: ${error.message}` : ''}. Mend what it says above, then run the command again.`,
    )
    process.exit(status || 1)
  }
  writeFileSync(stampFile, stamp)
  console.error(`Installed in ${Math.round((Date.now() - start) / 1000)} s.`)
}
