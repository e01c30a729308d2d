/**
 * Raises a cluster that survives the loss of any machine but its proxy, breaks it under load, and counts what that
 * costs: `node scripts/cluster.ts`. Three PostgreSQL under Patroni, three etcd, HAProxy, and four nodes of Meydan are
 * machines of their own, in namespaces of Linux with Debian as their root. Needs root on Linux, mmdebstrap, and a built
 * console. Exits with 0 only if nothing was lost, doubled or had to be started again.
 *
 *   --only NAME,…     run these breaks only
 *   --list            list the breaks
 *   --cache FOLDER    keep Debian here (600 MB); default: ~/.cache/meydan-cluster
 *   --keep            keep the logs
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { breaks } from './cluster/breaks.ts'
import { debianRoot, versionsOf } from './cluster/debian.ts'
import { setUp } from './cluster/load.ts'
import { header, isGood, notesOf, rowOf } from './cluster/report.ts'
import { breakOnce, type Result, waitUntilWhole } from './cluster/run.ts'
import { createSite } from './cluster/site.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(homedir(), '.cache/meydan-cluster') },
    keep: { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

/** Set in the process that has namespaces of its own. Its value is the folder for everything that the machines write. */
const INSIDE = 'MEYDAN_CLUSTER'
const folder = process.env[INSIDE]

if (options.list) for (const { name, title } of breaks) say(`${name.padEnd(20)} ${title}`)
else if (folder === undefined) await runInNamespaces()
else process.exit((await run(folder)) ? 0 : 1)

/** Starts this script again as process 1 of its own namespaces: whatever it starts or mounts ends with it. */
async function runInNamespaces() {
  if (process.getuid?.() !== 0) throw new Error('The cluster needs root, for its networks and mounts')
  const debian = debianRoot(options.cache, say)
  say(versionsOf(debian))
  const own = mkdtempSync(join(tmpdir(), 'meydan-cluster-'))
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']
  const script = [process.execPath, ...process.argv.slice(1)]
  const child = spawn('setpriv', ['--pdeathsig=KILL', 'unshare', ...namespaces, ...script], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: own },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGKILL'))
  child.on('exit', (code) => {
    if (options.keep) say(`Logs: ${own}/*/log`)
    else rmSync(own, { recursive: true, force: true })
    process.exitCode = code ?? 1
  })
}

async function run(own: string) {
  const wanted = options.only?.split(',')
  const chosen = breaks.filter(({ name }) => !wanted || wanted.includes(name))
  const site = createSite(debianRoot(options.cache, say), own)
  await site.powerOnAll(say)
  await waitUntilWhole(site)
  const setup = await setUp(site)
  const results: Result[] = []
  for (const [index, broken] of chosen.entries()) {
    say(`${index + 1} of ${chosen.length}: ${broken.title}`)
    try {
      const result = await breakOnce(site, setup, broken, index + 1)
      say(rowOf(result))
      say(notesOf(result))
      results.push(result)
    } catch (error) {
      say(`Not measured: ${error instanceof Error ? error.stack : error}`)
    }
  }
  process.stdout.write(`${[...header, ...results.map(rowOf)].join('\n')}\n`)
  return results.length === chosen.length && results.every(isGood)
}
