import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { createTimings } from '../server/lib/runtime/timings.ts'
import { machineFactor, scaled } from './run/machine.ts'

/** Divisor of the leases, heartbeats and polls of processes. A process of a slow machine must hold a lease for longer. */
const timingsDivisor = () => Number(process.env.TIMINGS_DIVISOR ?? Math.max(1, Math.round(20 / machineFactor())))

/** The leases, heartbeats and polls of processes that are started here. */
export const processTimings = () => createTimings(timingsDivisor())

/** A timeout in which another process takes up what a killed one has left: its leases end, and the work is done. */
export const recoveryTimeout = () => scaled(30_000) + 2 * processTimings().deliveryLease

/** Variables of a process of Meydan. The folder of the run lets its clean-up find what outlives the run. */
export const processEnv = (settings: Record<string, string | undefined>) => {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    TMPDIR,
    NODE_COMPILE_CACHE,
    TIMINGS_DIVISOR: String(timingsDivisor()),
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'run/cheap-scrypt.ts'))}`,
    ...settings,
  }
}

/** Starts Meydan in a separate process, as users do, and resolves when it reports that it is ready. */
export const startMeydan = (settings: Record<string, string>) => startProcess(['server/cli.ts', 'serve'], settings)

/** Runs a file that reports `Meydan is ready`. */
export async function startProcess(command: string[], settings: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, command, {
    env: processEnv({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', ...settings }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { stderr } = child
  if (!stderr) throw new Error('no output')
  const said: string[] = []
  for await (const line of createInterface({ input: stderr })) {
    said.push(line)
    if (line.startsWith('Meydan is ready')) {
      stderr.resume()
      return child
    }
  }
  throw new Error(`Meydan did not start:\n${said.join('\n')}`)
}

/** A port of this machine that nothing listens on: `wanted`, if it is free. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (wanted === 0) throw error
    return freePort()
  }
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** Ends a process if it still runs, and resolves after its exit. */
export async function kill(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL') {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** The process id of a DATA_DIR's embedded PostgreSQL; 0 if there is none. */
export async function postmasterOf(dataDir: string) {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(file.split('\n', 1)[0])
}

export async function killPostgres(dataDir: string) {
  const pid = await postmasterOf(dataDir)
  try {
    if (pid) process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

/** Removes a DATA_DIR, and its cluster if that is elsewhere. */
export async function removeCluster(dataDir: string) {
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => dataDir)
  await rm(cluster, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}
