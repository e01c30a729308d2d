/** All machines of the cluster, and what runs on them. The files of `deploy/cluster` are used as they are. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { waitUntil } from '../../bench/harness.ts'
import { copyImageFiles } from '../image/files.ts'
import { createNetwork, Machine, OWN_ADDRESS, type Program } from './machine.ts'

const settingsOf = (name: string) => join(import.meta.dirname, '../../deploy/cluster', name)

const numbers = {
  ...{ etcd1: 11, etcd2: 12, etcd3: 13, pg1: 21, pg2: 22, pg3: 23, proxy: 31 },
  ...{ api1: 41, api2: 42, worker1: 51, worker2: 52 },
}
export type Name = keyof typeof numbers
const names = Object.keys(numbers) as Name[]
export const databaseNames: Name[] = ['pg1', 'pg2', 'pg3']
export const etcdNames: Name[] = ['etcd1', 'etcd2', 'etcd3']
export const workerNames: Name[] = ['worker1', 'worker2']
export const nodeNames: Name[] = ['api1', 'api2', ...workerNames]

/** Bytes of the volume of each PostgreSQL. */
const VOLUME = 1_500_000_000
/** As a service manager does, for a program that ended by itself. */
const RESTART_MS = 2000

const secret = () => randomBytes(16).toString('hex')

export type Site = ReturnType<typeof createSite>

/** `debian`: the root of Debian. `folder`: empty, for everything that the machines write. */
export function createSite(debian: string, folder: string) {
  createNetwork()
  const app = join(folder, 'app')
  copyImageFiles(app)
  const hosts = names.map((name) => `10.77.0.${numbers[name]} ${name}\n`)
  const machines = new Map<Name, Machine>()
  for (const name of names) {
    const lower = nodeNames.includes(name) ? [app, debian] : [debian]
    const options = { name, number: numbers[name], folder, lower, hosts: ['127.0.0.1 localhost\n', ...hosts].join('') }
    machines.set(name, new Machine(options))
  }
  const machine = (name: Name) => {
    const found = machines.get(name)
    if (!found) throw new Error(`No machine is called ${name}`)
    return found
  }

  const passwords = { superuser: secret(), replication: secret(), rewind: secret(), meydan: secret() }
  const admin = { email: 'admin@example.com', password: secret() }
  const secretKey = secret()

  for (const name of databaseNames) {
    makeVolume(machine(name), join(folder, `${name}.img`))
    copyFileSync(settingsOf('patroni.yml'), join(machine(name).root, 'etc/patroni/meydan.yml'))
  }
  copyFileSync(settingsOf('haproxy.cfg'), join(machine('proxy').root, 'etc/haproxy/haproxy.cfg'))

  const nodeSettings = (name: Name) => ({
    ROLE: name.startsWith('api') ? 'api' : 'worker',
    NODE_NAME: name,
    HOST: '0.0.0.0',
    BASE_URL: 'http://proxy',
    TRUST_PROXY: 'true',
    DATABASE_URL: `postgres://meydan:${passwords.meydan}@proxy/meydan`,
    DATA_DIR: '/var/lib/meydan',
    SECRET_KEY: secretKey,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    WEBHOOK_ALLOW_CIDRS: `${OWN_ADDRESS}/32`,
    // The load comes from one user, as from a thousand.
    ...{ RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_AUTH: '0' },
  })

  /** The program of each machine, as a service manager starts it. */
  const programOf = (name: Name): Program => {
    if (etcdNames.includes(name)) {
      const own = { ETCD_NAME: name, ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${name}:2380` }
      const env = { ...parseEnv(readFileSync(settingsOf('etcd.env'), 'utf8')), ...own }
      return { command: ['etcd'], user: 'etcd', env: { ...env, ETCD_ADVERTISE_CLIENT_URLS: `http://${name}:2379` } }
    }
    if (databaseNames.includes(name))
      return {
        command: ['patroni', '/etc/patroni/meydan.yml'],
        user: 'postgres',
        env: {
          PATRONI_NAME: name,
          PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
          PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
          PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
          PATRONI_REPLICATION_PASSWORD: passwords.replication,
          PATRONI_REWIND_PASSWORD: passwords.rewind,
        },
      }
    if (name === 'proxy') return { command: ['haproxy', '-f', '/etc/haproxy/haproxy.cfg'] }
    const command = ['node', 'server/cli.ts', 'serve']
    return { command, user: 'www-data', env: nodeSettings(name), folder: 'app' }
  }
  /** Time by which the clock of a machine is wrong, such as `+10m`. It counts from the next start of its program. */
  const clocks = new Map<Name, string>()

  /** Exits that no break caused, for the report. */
  const crashes: { name: Name; code: number }[] = []

  /** Starts the program of a machine that is on. */
  function startProgram(name: Name) {
    const on = machine(name)
    if (databaseNames.includes(name)) on.execute(['install', '-d', '-o', 'postgres', '/run/postgresql'])
    const program = programOf(name)
    const offset = clocks.get(name)
    const clock = offset ? ['faketime', '-m', '--exclude-monotonic', '-f', offset] : []
    const child = on.start({ ...program, command: [...clock, ...program.command] })
    child.on('exit', (code) => {
      // A signal is that of a break.
      if (code === null) return
      crashes.push({ name, code })
      setTimeout(() => startProgram(name), RESTART_MS)
    })
  }

  async function powerOn(name: Name) {
    await machine(name).boot()
    startProgram(name)
  }

  return {
    machine,
    admin,
    crashes,
    clocks,
    startProgram,
    powerOn,
    receiver: OWN_ADDRESS,
    isReady: (name: Name) =>
      fetch(`http://${machine(name).address}:3000/readyz`, { signal: AbortSignal.timeout(2000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    /** Kills the program of a machine, and starts it again. */
    killAndStart: async (name: Name) => {
      machine(name).signal('SIGKILL')
      await waitUntil(
        () => machine(name).processes().length === 0,
        () => `${name} runs nothing`,
      )
      startProgram(name)
    },
    base: `http://${machine('proxy').address}`,
    connection: (name: Name): pg.ClientConfig => ({
      host: machine(name).address,
      user: 'postgres',
      password: passwords.superuser,
      database: 'meydan',
      connectionTimeoutMillis: 5000,
    }),
    /** Switches everything on, in its order. */
    async powerOnAll(say: (line: string) => void) {
      for (const name of etcdNames) makeFolder(machine(name), 'var/lib/etcd', 'etcd')
      for (const name of nodeNames) makeFolder(machine(name), 'var/lib/meydan', 'www-data')
      for (const name of [...etcdNames, ...databaseNames, 'proxy' as const]) await powerOn(name)
      say('Waiting for PostgreSQL')
      await waitUntil(
        async () => (await primaryOf(machine)) !== undefined,
        () => 'there is a primary',
        {
          seconds: 180,
          every: 500,
        },
      )
      const first = await primaryOf(machine)
      if (!first) throw new Error('The primary is gone')
      createMeydanDatabase(machine(first), passwords.meydan)
      say('Starting Meydan')
      for (const name of nodeNames) await powerOn(name)
    },
    primary: () => primaryOf(machine),
  }
}

function makeFolder(machine: Machine, path: string, owner: string) {
  mkdirSync(join(machine.root, path), { recursive: true })
  execFileSync('chroot', [machine.root, 'chown', owner, `/${path}`])
}

/** A disk of its own, which can be filled. */
function makeVolume(machine: Machine, image: string) {
  writeFileSync(image, '')
  truncateSync(image, VOLUME)
  execFileSync('mkfs.ext4', ['-q', '-m', '0', image])
  const target = join(machine.root, 'var/lib/postgresql')
  execFileSync('mount', ['-o', 'loop', image, target])
  execFileSync('chroot', [machine.root, 'chown', 'postgres:postgres', '/var/lib/postgresql'])
  mkdirSync(join(machine.root, 'etc/patroni'), { recursive: true })
}

function createMeydanDatabase(primary: Machine, password: string) {
  const run = (statement: string) => primary.execute(['psql', '-v', 'ON_ERROR_STOP=1', '-c', statement], 'postgres')
  run(`create role meydan login password '${password}'`)
  run(
    `create database meydan owner meydan encoding 'UTF8' template template0 locale_provider builtin builtin_locale 'C.UTF-8'`,
  )
}

/** What Patroni says of itself at an address; undefined without a response. */
export const askPatroni = (machine: Machine, path: string) =>
  fetch(`http://${machine.address}:8008${path}`, { signal: AbortSignal.timeout(1000) })
    .then(async (response) => ({
      ok: response.ok,
      body: (await response.json()) as { replication_state?: string },
    }))
    .catch(() => undefined)

async function primaryOf(machine: (name: Name) => Machine): Promise<Name | undefined> {
  const responses = await Promise.all(
    databaseNames.map(async (name) => ({ name, response: await askPatroni(machine(name), '/primary') })),
  )
  return responses.find(({ response }) => response?.ok)?.name
}

/** Runs one statement on the primary. */
export async function query<Row extends pg.QueryResultRow>(site: Site, text: string, values: unknown[] = []) {
  const primary = await site.primary()
  if (!primary) throw new Error('There is no primary')
  const client = new pg.Client({ ...site.connection(primary), query_timeout: 30_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
