import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts Meydan in a process of its own, as a person does, and resolves when it says that it is ready. */
export async function startMeydan(settings: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/cli.ts', 'serve'], {
    env: { PATH: process.env.PATH, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'silent', ...settings },
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

/** Ends a process, if it is still there, and resolves when it is gone. */
export async function kill(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL') {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** The process of the embedded PostgreSQL of a DATA_DIR; 0 when there is none. */
export async function postmasterOf(dataDir: string) {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(file.split('\n', 1)[0])
}

export async function killPostgres(dataDir: string) {
  const pid = await postmasterOf(dataDir)
  try {
    if (pid) process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}

/** Removes a DATA_DIR, and the cluster that stands elsewhere where that is needed. */
export async function removeCluster(dataDir: string) {
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => dataDir)
  await rm(cluster, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}
