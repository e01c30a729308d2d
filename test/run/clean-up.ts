import { execFileSync, spawn } from 'node:child_process'
import { readdir, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * The end of a run. A process of its own waits for the end of the runner, however it ends: it is killed, interrupted, or
 * crashes. Then it kills the processes that the run has left, and removes the folder of the run.
 */

/** PostgreSQL frees its shared memory when it ends by itself, so it gets this long for that. */
const QUIT_MS = 5000
const LOOK_MS = 100
const QUIET_LOOKS = 5
const GIVE_UP_MS = 60_000

/** Starts the process that cleans up behind this one. `folder`: the temporary folder of the run. */
export function cleanUpAfterThisProcess(folder: string) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    // An interrupt from the keyboard reaches all processes of the group of the runner, and must not reach this one.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
  })
  child.unref()
}

/** Processes that belong to a run: its folder is in their environment or among their arguments. */
export async function processesOf(folder: string) {
  const found = process.platform === 'linux' ? await fromProc(folder) : fromPs(folder)
  return found.filter(({ pid }) => pid !== process.pid)
}

type Found = { pid: number; isPostgres: boolean }

async function fromProc(folder: string): Promise<Found[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
      const [command, environment] = await Promise.all([read('cmdline'), read('environ')])
      return { pid: Number(pid), command, isOurs: `${command}\0${environment}`.includes(folder) }
    }),
  )
  return all
    .filter(({ isOurs }) => isOurs)
    .map(({ pid, command }) => ({ pid, isPostgres: /postgres\0-D\0/.test(command) }))
}

function fromPs(folder: string): Found[] {
  const lines = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return lines
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), isPostgres: /postgres -D /.test(line) }))
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

async function cleanUp(folder: string) {
  // A process that was just ending may have started another one, so they are looked for again.
  for (let waited = 0, quiet = 0; waited < GIVE_UP_MS && quiet < QUIET_LOOKS; waited += LOOK_MS) {
    const found = await processesOf(folder)
    quiet = found.length === 0 ? quiet + 1 : 0
    for (const { pid, isPostgres } of found) signal(pid, isPostgres && waited < QUIT_MS ? 'SIGQUIT' : 'SIGKILL')
    await sleep(LOOK_MS)
  }
  for (const cluster of await clustersElsewhere(folder)) await rm(cluster, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Where root cannot leave its rights, the cluster of a DATA_DIR stands behind a link. */
async function clustersElsewhere(folder: string) {
  const dataDirs = await readdir(folder).catch(() => [])
  const clusters = await Promise.all(
    dataDirs.map((name) => realpath(join(folder, name, 'postgres')).catch(() => folder)),
  )
  return clusters.filter((cluster) => !cluster.startsWith(folder))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2]
  if (!folder) throw new Error('usage: clean-up.ts <folder>')
  process.stdin.on('end', () => void cleanUp(folder))
  process.stdin.on('error', () => void cleanUp(folder))
  process.stdin.resume()
}
