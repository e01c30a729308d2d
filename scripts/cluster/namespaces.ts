/** Runs a script in namespaces of its own: whatever it starts, mounts or connects ends with it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set in the process that has namespaces of its own. Its value is a folder that is removed at the end. */
const INSIDE = 'MEYDAN_NAMESPACES'

/** The folder, in a process that has namespaces of its own. */
export const ownFolder = () => process.env[INSIDE]

/** Starts this script again as process 1 of its own namespaces. `keep`: leave the folder there at the end. */
export function runInNamespaces({ keep = false } = {}) {
  if (process.getuid?.() !== 0) throw new Error('This script needs root, for its networks and mounts')
  const own = mkdtempSync(join(tmpdir(), 'meydan-machines-'))
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']
  const script = [process.execPath, ...process.argv.slice(1)]
  const child = spawn('setpriv', ['--pdeathsig=KILL', 'unshare', ...namespaces, ...script], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: own },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGKILL'))
  child.on('exit', (code) => {
    if (keep) process.stderr.write(`Kept: ${own}\n`)
    else rmSync(own, { recursive: true, force: true })
    process.exitCode = code ?? 1
  })
}
