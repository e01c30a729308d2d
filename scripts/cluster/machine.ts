/**
 * A machine of the cluster: a network, processes, mounts and a host name of its own in namespaces of Linux, with Debian
 * as its root. All of it ends with its first process, and that one ends with the script.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../bench/harness.ts'

const BRIDGE = 'cluster'
/** Keeps process 1 of a machine running. */
const HOLDER = 'sleep infinity '
/** Nothing leads from here to another network. */
const NETWORK = '10.77.0'
/** The script itself: it sends the load, and receives webhooks. */
export const OWN_ADDRESS = `${NETWORK}.1`

export type Program = { command: string[]; user?: string; env?: Record<string, string>; folder?: string }

/** Connects the script to a network of its own. */
export function createNetwork() {
  ip('link set lo up')
  ip(`link add ${BRIDGE} type bridge`)
  ip(`addr add ${OWN_ADDRESS}/24 dev ${BRIDGE}`)
  ip(`link set ${BRIDGE} up`)
}

const ip = (command: string) => execFileSync('ip', command.split(' '), { encoding: 'utf8', stdio: 'pipe' })

/** `lower`: folders whose files the machine sees, the first one above the others. */
type MachineOptions = { name: string; number: number; folder: string; lower: string[]; hosts: string }

export class Machine {
  readonly name: string
  readonly address: string
  /** Its root: changes are kept here when the machine is off. */
  readonly root: string
  private readonly logs: string
  private holder: ChildProcess | undefined
  private first = 0

  constructor({ name, number, folder, lower, hosts }: MachineOptions) {
    this.name = name
    this.address = `${NETWORK}.${number}`
    this.logs = join(folder, name)
    this.root = join(this.logs, 'root')
    const [upper, work] = [join(this.logs, 'upper'), join(this.logs, 'work')]
    for (const path of [this.root, upper, work]) mkdirSync(path, { recursive: true })
    const layers = `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work}`
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, this.root])
    writeFileSync(join(this.root, 'etc/hosts'), hosts)
  }

  /** Switches the machine on. No program runs yet. */
  async boot() {
    const script = [
      'set -eu',
      `hostname ${this.name}`,
      `cd ${this.root}`,
      'mount -t proc proc proc',
      'mount --rbind /dev dev',
      ...['dev/shm', 'run', 'tmp'].map((path) => `mount -t tmpfs -o mode=1777 tmpfs ${path}`),
      'exec chroot . tini -- sleep infinity',
    ].join('\n')
    const namespaces = ['--net', '--uts', '--ipc', '--mount', '--pid', '--fork', '--kill-child=KILL']
    this.holder = spawn('setpriv', ['--pdeathsig=KILL', 'unshare', ...namespaces, 'sh', '-c', script], {
      stdio: 'ignore',
    })
    await waitUntil(
      () => this.findFirst(),
      () => `${this.name} is on`,
      { every: 20 },
    )
    this.plugIn()
  }

  private findFirst() {
    const pid = this.holder?.pid
    this.first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
    return this.first > 0 && readFileSync(`/proc/${this.first}/comm`, 'utf8').trim() === 'tini'
  }

  private plugIn() {
    const port = `to-${this.name}`
    ip(`link add ${port} type veth peer name eth0 netns ${this.first}`)
    ip(`link set ${port} master ${BRIDGE} up`)
    const inside = (command: string) =>
      execFileSync('nsenter', ['-t', String(this.first), '-n', 'ip', ...command.split(' ')])
    inside('link set lo up')
    inside(`addr add ${this.address}/24 dev eth0`)
    inside('link set eth0 up')
  }

  private enter({ command, user = 'root', folder = '/' }: Program) {
    const place = ['-t', String(this.first), '-m', '-u', '-i', '-n', '-p', '-r', `--wd=${join(this.root, folder)}`]
    return [...place, '--', 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', ...command]
  }

  /** Starts a program, whose output is appended to a log beside the root. */
  start(program: Program): ChildProcess {
    const log = openSync(join(this.logs, 'log'), 'a')
    const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...program.env }
    const child = spawn('nsenter', this.enter(program), { env, stdio: ['ignore', log, log] })
    closeSync(log)
    return child
  }

  /** Runs a command to its end, and returns its output. */
  execute(command: string[], user = 'root') {
    return execFileSync('nsenter', this.enter({ command, user }), { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 })
  }

  /** Ends all processes at once, as a power cut does. */
  async powerOff() {
    if (!this.holder) return
    const ended = once(this.holder, 'exit')
    // Process 1 takes all others of its namespace with it.
    process.kill(this.first, 'SIGKILL')
    await ended
    this.holder = undefined
    await waitUntil(
      () => !ip('link show').includes(`to-${this.name}@`),
      () => `${this.name} is off`,
      { every: 50 },
    )
  }

  /** Ids of the processes of its programs, as seen from here, whose command line matches. */
  processes(pattern = /./) {
    const namespaceOf = (pid: string | number) => readlinkSync(`/proc/${pid}/ns/pid`)
    const own = namespaceOf(this.first)
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== this.first)
      .filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
          return namespaceOf(pid) === own && command !== HOLDER && pattern.test(command)
        } catch {
          // It has ended.
          return false
        }
      })
      .map(Number)
  }

  signal(signal: NodeJS.Signals, pattern?: RegExp) {
    const pids = this.processes(pattern)
    for (const pid of pids)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
    return pids.length
  }

  /** Drops a part of the packets in both directions, without a word to either side. */
  dropPackets(percent: number) {
    const rule = `${percent < 100 ? `numgen random mod 100 < ${percent} ` : ''}drop`
    const chain = (hook: string, device: string) =>
      `chain ${hook} { type filter hook ${hook} priority 0; ${device} lo accept; ${rule}; }`
    this.execute(['nft', `table inet cut { ${chain('input', 'iifname')}; ${chain('output', 'oifname')}; }`])
  }

  passPackets() {
    this.execute(['nft', 'delete table inet cut'])
  }
}
