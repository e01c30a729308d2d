/**
 * Runs a program as a container engine would, with the tools of util-linux: processes, mounts and users of its own, the
 * given folder as a root that cannot be written to, an empty `/tmp`, no capabilities. The network is that of the machine.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Container = {
  root: string
  /** Folders of this machine, by their place below `root`. */
  mounts: Record<string, { from: string; writable?: boolean }>
  env: Record<string, string>
  /** `uid:gid` */
  user: string
  /** The folder in which the program starts. */
  folder: string
}

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty']

/** Without root rights, the user who runs this is root in a namespace first, to mount, and then `user` in a second one. */
const isRoot = process.getuid?.() === 0

/** Starts the program as process 1. Its output is that of the child process. */
export function startContainer(container: Container, command: string[]): ChildProcess {
  const [uid, gid] = container.user.split(':')
  const become = isRoot
    ? `setpriv --reuid=${uid} --regid=${gid} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs`
    : `unshare --user --map-user=${uid} --map-group=${gid} setpriv --no-new-privs`
  const env = Object.entries(container.env).map(([name, value]) => `${name}=${value}`)
  const script = [
    'set -eu',
    `cd ${quote(container.root)}`,
    'mount --bind . .',
    // Enters the mount that now covers the folder.
    'cd "$PWD"',
    ...Object.entries(container.mounts).flatMap(([target, { from, writable }]) => [
      `mount --rbind ${quote(from)} ${quote(`.${target}`)}`,
      ...(writable ? [] : [`mount -o remount,bind,ro ${quote(`.${target}`)}`]),
    ]),
    'mount -t proc proc proc',
    'mount -t tmpfs -o mode=755 tmpfs dev',
    ...devices.flatMap((name) => [`touch dev/${name}`, `mount --bind /dev/${name} dev/${name}`]),
    'mkdir -m 1777 dev/shm',
    'mount -o remount,bind,ro .',
    'pivot_root . tmp',
    'cd /',
    'umount -l /tmp',
    'mount -t tmpfs -o mode=1777 tmpfs /tmp',
    `cd ${quote(container.folder)}`,
    `exec ${become} env -i ${[...env, ...command].map(quote).join(' ')}`,
  ].join('\n')
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child']
  return spawn('unshare', [...(isRoot ? [] : ['--user', '--map-root-user']), ...namespaces, 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Process 1 of a container, by its id on this machine. */
export function firstProcess({ pid }: ChildProcess) {
  const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
  if (!first) throw new Error('The container has ended')
  return first
}

/** Sends process 1 a signal, and resolves to the exit code of the container. */
export async function stopContainer(container: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
  const ended = once(container, 'exit')
  process.kill(firstProcess(container), signal)
  const [code] = await ended
  if (typeof code !== 'number') throw new Error('The container was ended by a signal')
  return code
}

/** Makes a root with the programs and libraries of this machine, and with the user of the image as its only one. */
export function makeRoot(root: string, user: string): Pick<Container, 'root' | 'mounts'> {
  const [uid, gid] = user.split(':')
  for (const name of ['app', 'data', 'dev', 'etc', 'proc', 'tmp', 'usr'])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'etc/passwd'), `meydan:x:${uid}:${gid}::/data:/bin/sh\n`)
  writeFileSync(join(root, 'etc/group'), `meydan:x:${gid}:\n`)
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  const mounts: Container['mounts'] = { '/usr': { from: '/usr' } }
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    const entry = lstatSync(`/${name}`, { throwIfNoEntry: false })
    if (entry?.isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(root, name))
    else if (entry) {
      mkdirSync(join(root, name))
      mounts[`/${name}`] = { from: `/${name}` }
    }
  }
  return { root, mounts }
}

/** Makes a folder that belongs to the user of the image, as a new volume does. */
export function makeVolume(path: string, user: string) {
  const [uid, gid] = user.split(':').map(Number)
  mkdirSync(path, { mode: 0o700 })
  // Without root rights, the user of the image is who runs this.
  if (isRoot) chownSync(path, Number(uid), Number(gid))
  return path
}

/** Whether this machine has namespaces, and lets this user make them. */
export const hasNamespaces = () =>
  process.platform === 'linux' &&
  spawnSync('unshare', [
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    ...['--mount', '--pid', '--ipc', '--uts', '--fork', 'mount', '-t', 'proc', 'proc', '/proc'],
  ]).status === 0
