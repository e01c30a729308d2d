/** The breaks of the cluster, each with the step that ends it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../bench/harness.ts'
import { askPatroni, databaseNames, etcdNames, type Name, type Site, workerNames } from './site.ts'

export type Break = {
  name: string
  title: string
  /** Breaks something. Resolves to what repairs it. Both run while the load goes on. */
  run: (site: Site) => Promise<void>
}

const POSTMASTER = /^\S*\/postgres -D/
const WAL_RECEIVER = /^postgres: .*walreceiver/

async function primary(site: Site): Promise<Name> {
  const name = await site.primary()
  if (!name) throw new Error('There is no primary')
  return name
}
const replicas = async (site: Site) => {
  const name = await primary(site)
  return databaseNames.filter((candidate) => candidate !== name)
}

/** The replica that confirms commits. */
async function syncStandby(site: Site): Promise<Name> {
  const rows = site
    .machine(await primary(site))
    .execute(['psql', '-Atc', `select application_name from pg_stat_replication where sync_state = 'sync'`], 'postgres')
  const name = databaseNames.find((candidate) => candidate === rows.trim())
  if (!name) throw new Error('No replica confirms commits')
  return name
}

async function otherStandby(site: Site) {
  const confirms = await syncStandby(site)
  const other = (await replicas(site)).find((name) => name !== confirms)
  if (!other) throw new Error('There is one replica only')
  return other
}

/** Cuts the power, and switches on again after a time. */
async function powerCut(site: Site, names: Name[], seconds: number) {
  await Promise.all(names.map((name) => site.machine(name).powerOff()))
  await sleep(seconds * 1000)
  await Promise.all(names.map((name) => site.powerOn(name)))
}

async function freeze(site: Site, name: Name, seconds: number) {
  site.machine(name).signal('SIGSTOP')
  await sleep(seconds * 1000)
  site.machine(name).signal('SIGCONT')
}

async function cut(site: Site, name: Name, seconds: number, percent = 100) {
  site.machine(name).dropPackets(percent)
  await sleep(seconds * 1000)
  site.machine(name).passPackets()
}

/** Kills the program of a machine. A service manager starts it again after a time. */
async function killProgram(site: Site, names: Name[], seconds: number) {
  for (const name of names) site.machine(name).signal('SIGKILL')
  await sleep(seconds * 1000)
  for (const name of names) site.startProgram(name)
}

/** Leaves no byte free on the volumes of PostgreSQL. */
async function fillDisks(site: Site, names: Name[], seconds: number) {
  // The file system needs some bytes for the file itself, so the last ones are written.
  const fill = 'fallocate -l $(($(df --output=avail -B1 . | tail -1) - 4000000)) filler; cat /dev/zero >>filler || true'
  for (const name of names) site.machine(name).execute(['sh', '-c', `cd /var/lib/postgresql && ${fill}`])
  await sleep(seconds * 1000)
  for (const name of names) site.machine(name).execute(['rm', '/var/lib/postgresql/filler'])
}

async function switchover(site: Site, candidate: Name) {
  const leader = await primary(site)
  const options = ['--leader', leader, '--candidate', candidate, '--force']
  site.machine(leader).execute(['patronictl', '-c', '/etc/patroni/meydan.yml', 'switchover', 'meydan', ...options])
  await waitUntil(
    async () => (await site.primary()) === candidate,
    () => `${candidate} is the primary`,
    { every: 200 },
  )
}

/** Restarts the program of a machine with a clock that is wrong. */
async function skew(site: Site, name: Name, offset: string | undefined) {
  if (offset) site.clocks.set(name, offset)
  else site.clocks.delete(name)
  await site.machine(name).powerOff()
  await site.powerOn(name)
}

/** A replica follows the primary again. */
const isStreaming = (site: Site, name: Name) =>
  waitUntil(
    async () => (await askPatroni(site.machine(name), '/patroni'))?.body.replication_state === 'streaming',
    () => `${name} is a replica`,
    { seconds: 120, every: 500 },
  )

const onPrimary = (title: string, run: (site: Site, name: Name) => Promise<void> | void) => ({
  title,
  run: async (site: Site) => run(site, await primary(site)),
})

const all: Record<string, Pick<Break, 'title' | 'run'>> = {
  postmaster: onPrimary('`kill -9` of the postmaster of the primary', (site, name) => {
    site.machine(name).signal('SIGKILL', POSTMASTER)
  }),
  machine: onPrimary('Power cut of the primary, 60 s', (site, name) => powerCut(site, [name], 60)),
  freeze: onPrimary('Primary frozen (SIGSTOP), 45 s', (site, name) => freeze(site, name, 45)),
  switchover: {
    title: 'Switchover',
    run: async (site) => switchover(site, await syncStandby(site)),
  },
  'switchover-twice': {
    title: 'Two switchovers, one after the other',
    run: async (site) => {
      for (let time = 0; time < 2; time++) {
        const [former, next] = [await primary(site), await syncStandby(site)]
        await switchover(site, next)
        await isStreaming(site, former)
      }
    },
  },
  quorum: { title: 'Power cut of two of three etcd, 30 s', run: (site) => powerCut(site, ['etcd1', 'etcd2'], 30) },
  'etcd-restart': { title: 'All etcd killed and started again, 5 s', run: (site) => killProgram(site, etcdNames, 5) },
  network: onPrimary('Network of the primary cut, 45 s', (site, name) => cut(site, name, 45)),
  packets: onPrimary('20 % of the packets of the primary dropped, 60 s', (site, name) => cut(site, name, 60, 20)),
  disk: onPrimary('Disk of the primary full, 45 s', async (site, name) => fillDisks(site, [name], 45)),
  replica: {
    title: 'Power cut of the replica that confirms commits, 30 s',
    run: async (site) => powerCut(site, [await syncStandby(site)], 30),
  },
  replicas: {
    title: 'Power cut of both replicas, 30 s',
    run: async (site) => powerCut(site, await replicas(site), 30),
  },
  replication: {
    title: 'Replication to that replica paused (SIGSTOP), 45 s',
    run: async (site) => {
      const standby = site.machine(await syncStandby(site))
      standby.signal('SIGSTOP', WAL_RECEIVER)
      await sleep(45_000)
      standby.signal('SIGCONT', WAL_RECEIVER)
    },
  },
  databases: { title: 'Power cut of all three PostgreSQL, 20 s', run: (site) => powerCut(site, databaseNames, 20) },
  'clock-database': {
    title: 'Switchover to a replica whose clock is 2 min behind',
    run: async (site) => {
      const [standby, other] = [await syncStandby(site), await otherStandby(site)]
      await skew(site, standby, '-2m')
      await isStreaming(site, standby)
      // Only the replica that confirms commits can become the primary.
      await site.machine(other).powerOff()
      await waitUntil(
        async () => (await syncStandby(site).catch(() => undefined)) === standby,
        () => 'it confirms commits',
        {
          seconds: 60,
          every: 500,
        },
      ).catch(() => undefined)
      await switchover(site, standby)
      await site.powerOn(other)
      await isStreaming(site, other)
      await skew(site, standby, undefined)
    },
  },
  'clock-worker': {
    title: 'Clock of a worker 10 min ahead, 60 s',
    run: async (site) => {
      await skew(site, 'worker1', '+10m')
      await sleep(60_000)
      await skew(site, 'worker1', undefined)
    },
  },
  api: { title: '`kill -9` of an API node, 5 s', run: (site) => killProgram(site, ['api1'], 5) },
  'api-freeze': { title: 'API node frozen, 30 s', run: (site) => freeze(site, 'api1', 30) },
  'api-network': { title: 'Network of an API node cut, 30 s', run: (site) => cut(site, 'api1', 30) },
  worker: { title: '`kill -9` of a worker, 5 s', run: (site) => killProgram(site, ['worker1'], 5) },
  'worker-freeze': { title: 'Worker frozen, 60 s', run: (site) => freeze(site, 'worker1', 60) },
  'worker-network': { title: 'Network of a worker cut, 60 s', run: (site) => cut(site, 'worker1', 60) },
  workers: { title: '`kill -9` of both workers, 30 s', run: (site) => killProgram(site, workerNames, 30) },
  proxy: { title: '`kill -9` of HAProxy, 5 s', run: (site) => killProgram(site, ['proxy'], 5) },
  disks: { title: 'Disks of all three PostgreSQL full, 20 s', run: (site) => fillDisks(site, databaseNames, 20) },
  'machine-and-worker': onPrimary('Power cut of the primary while a worker is frozen, 60 s', async (site, name) => {
    await Promise.all([freeze(site, 'worker1', 60), sleep(5000).then(() => powerCut(site, [name], 45))])
  }),
}

export const breaks: Break[] = Object.entries(all).map(([name, rest]) => ({ name, ...rest }))
