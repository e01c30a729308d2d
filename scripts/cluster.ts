/**
 * Raises a cluster that survives the loss of any machine but its proxy, breaks it under load, and counts what that
 * costs: `node scripts/cluster.ts`. Three PostgreSQL under Patroni, three etcd, HAProxy, and four nodes of Meydan are
 * machines of their own, in namespaces of Linux with Debian as their root. Needs root on Linux, mmdebstrap, and a built
 * console. Exits with 0 only if nothing was lost, doubled or had to be started again.
 *
 *   --only NAME,…     run these breaks, in this order
 *   --list            list the breaks
 *   --cache FOLDER    keep Debian here (600 MB); default: ~/.cache/meydan-cluster
 *   --keep            keep the logs
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { breaks } from './cluster/breaks.ts'
import { clusterPackages, debianRoot, versionsOf } from './cluster/debian.ts'
import { setUp } from './cluster/load.ts'
import { ownFolder, runInNamespaces } from './cluster/namespaces.ts'
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

const folder = ownFolder()

if (options.list) for (const { name, title } of breaks) say(`${name.padEnd(20)} ${title}`)
else if (folder === undefined) {
  const debian = debianRoot(options.cache, clusterPackages, say)
  say(versionsOf(debian, ['postgresql-18', 'patroni', 'etcd-server', 'haproxy']))
  runInNamespaces({ keep: options.keep })
} else process.exit((await run(folder)) ? 0 : 1)

function findBreak(name: string) {
  const found = breaks.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`No break is called ${name}: --list shows all`)
  return found
}

async function run(own: string) {
  const wanted = options.only?.split(',')
  const chosen = (wanted ?? breaks.map(({ name }) => name)).map((name) => findBreak(name))
  const site = createSite(debianRoot(options.cache, clusterPackages, say), own)
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
