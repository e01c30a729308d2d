import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, constants, mkdir, open, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf } from '../../error-code.ts'
import { invocation, isAlive, type PostgresCluster, port, socketName } from './postgres-cluster.ts'

const run = promisify(execFile)
/** Larger than any pid on the systems we support, and still valid to PostgreSQL. */
const impossiblePid = '2147483647'

export async function spawnPostgres(cluster: PostgresCluster, settings: Record<string, string>) {
  const { file, args, identity } = invocation(cluster.runner, 'postgres', [
    '-D',
    cluster.data,
    ...Object.entries({
      // The port is named because PGPORT in our environment would rename the socket.
      port: String(port),
      listen_addresses: '',
      unix_socket_directories: cluster.socketDirectory,
      unix_socket_permissions: '0700',
      logging_collector: 'on',
      log_directory: join(cluster.home, 'log'),
      // One file a weekday, overwritten a week later, so that logs stay bounded.
      log_filename: 'postgres-%a.log',
      log_truncate_on_rotation: 'on',
      log_rotation_age: '1440',
      log_rotation_size: '0',
      max_connections: '100',
      shared_buffers: '128MB',
      ...settings,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // Appends, because of two simultaneous starts neither may overwrite the output of the other's PostgreSQL.
  const made = await mkdir(join(cluster.home, 'log'), { recursive: true, mode: 0o700 })
  if (made && identity.uid !== undefined) await chown(made, identity.uid, identity.gid)
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants
  const output = await open(startLog(cluster), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    // In its own process group, so that Ctrl-C in a terminal does not reach it before Meydan has drained.
    const stdio: ['ignore', number, number] = ['ignore', output.fd, output.fd]
    const child = spawn(file, args, { ...identity, cwd: cluster.home, detached: true, stdio })
    child.unref()
    await once(child, 'spawn')
    // A signal that cannot be delivered must not become an uncaught error.
    child.on('error', () => {})
    return child
  } finally {
    await output.close()
  }
}

export function isRunning(child: ChildProcess) {
  return child.exitCode === null && child.signalCode === null
}

/** Stops a PostgreSQL that is not yet in use. Node knows that the pid is still its own child. */
export async function stopChild(child: ChildProcess) {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    child.kill(signal)
    for (const end = Date.now() + 6_000; isRunning(child) && Date.now() < end; ) await sleep(20)
  }
}

export async function stopPostmaster(cluster: PostgresCluster) {
  const pid = await findPostmaster(cluster)
  if (pid === undefined) return
  // Fast shutdown, then without a checkpoint, which the next start makes up for, then by force.
  for (const { signal, patience } of [
    { signal: 'SIGINT', patience: 6_000 },
    { signal: 'SIGQUIT', patience: 2_000 },
    { signal: 'SIGKILL', patience: 2_000 },
  ] as const) {
    if (!(await isPostmaster(cluster, pid)) || !send(pid, signal)) return
    for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
      if (!(await isPostmaster(cluster, pid))) return
    }
  }
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
    return false
  }
}

/** The pid in postmaster.pid, if that process is the PostgreSQL of this cluster. */
export async function findPostmaster(cluster: PostgresCluster) {
  const content = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(content, 10)
  return pid > 0 && (await isPostmaster(cluster, pid)) ? pid : undefined
}

/**
 * Replaces reused pids in lock files. After a crash such a pid may belong to an unrelated process, and PostgreSQL would
 * refuse to start while that process runs. Only the pid is replaced: the other lines name the shared memory, by which
 * PostgreSQL detects whether a backend of the crashed server still writes to the files. A damaged lock file is removed,
 * if certainly no process uses the cluster.
 */
export async function releaseReusedPids(cluster: PostgresCluster) {
  for (const path of [join(cluster.data, 'postmaster.pid'), join(cluster.socketDirectory, `${socketName}.lock`)]) {
    // PostgreSQL replaces the file and never rewrites its pid, so this handle cannot write to a newer lock.
    const lock = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
    if (!lock) continue
    try {
      const content = await lock.readFile('utf8')
      const pid = Number.parseInt(content, 10)
      if (!(pid > 0) && !(await isInUse(cluster))) await rm(path, { force: true })
      if (!(pid > 0) || !isAlive(pid) || (await isPostmaster(cluster, pid))) continue
      await lock.write(content.replace(/^\d+/, impossiblePid), 0)
    } finally {
      await lock.close()
    }
  }
}

/** Whether a process of PostgreSQL may use the cluster: all of them work in its folder. Only Linux shows that. */
async function isInUse(cluster: PostgresCluster) {
  if (process.platform !== 'linux') return true
  const data = await realpath(cluster.data)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)))
  return folders.includes(data)
}

async function isPostmaster(cluster: PostgresCluster, pid: number) {
  return (await commandLine(pid)).includes(`/postgres -D ${cluster.data} -c `)
}

async function commandLine(pid: number) {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  }
  const ps = await run('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return ps.stdout
}

export async function wasLockedOut(cluster: PostgresCluster) {
  const words = await readFile(startLog(cluster), 'utf8')
  return /pre-existing shared memory block|lock file ".*" already exists/.test(words)
}

/** The last output of PostgreSQL. Before its log collector starts, that is the output of the process. */
export async function lastWords(cluster: PostgresCluster) {
  const words = await tail(startLog(cluster))
  if (!words.includes('logging collector')) return words
  const directory = join(cluster.home, 'log')
  const names = (await readdir(directory)).filter((name) => name.startsWith('postgres-'))
  const logs = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name)
      return { path, written: (await stat(path)).mtimeMs }
    }),
  )
  const newest = logs.sort((a, b) => b.written - a.written)[0]
  return newest ? tail(newest.path) : words
}

async function tail(path: string) {
  const log = await open(path).catch(() => undefined)
  if (!log) return ''
  try {
    const length = 4_096
    const { size } = await log.stat()
    const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, Math.max(0, size - length))
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-12).join('\n')
  } finally {
    await log.close()
  }
}

function startLog(cluster: PostgresCluster) {
  return join(cluster.home, 'log', 'start.log')
}
