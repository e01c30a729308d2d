/**
 * Compares the API of Meydan with that of Directus: drafts without accounts in Meydan, a collection with such fields in
 * Directus, both on one PostgreSQL, each as one process with a token.
 *
 *   node bench/peers/directus.ts
 *   node bench/peers/directus.ts --quick   # fewer and shorter rounds, to check that it works
 *
 * The first start installs Directus from npm into a folder outside of the repository, about 810 MB: PEERS_FOLDER, or
 * meydan-peers in the temporary folder. Each side lists as it does by default: Meydan the newest posts first, Directus in
 * the order of the primary key.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { ConnectionConfig } from '../../server/lib/db/database.ts'
import { createPost } from '../../server/modules/posts/authoring/create-and-change.ts'
import { createToken } from '../../server/modules/tokens/tokens.ts'
import { cpuOf, cpuWithChildren, parentOf } from '../cpu.ts'
import { atLeast, compareWithBaseline, createMany, median, quartiles, RESULT_HEADER, resultLine } from '../harness.ts'
import { type LoadRequest, load, postJson } from '../http.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from '../meydan.ts'
import { cleanUp, createDatabase, startPostgres } from '../processes.ts'
import { startDirectus } from './directus-instance.ts'

const RECORDS = 2000
/** Created, at least, before the list is measured again. */
const MORE_RECORDS = 5000
const PAGE = 25
/** Records that are read in turn. */
const READ_RECORDS = 100
/** Records that Directus creates in one call to fill its table. */
const BATCH = 100
/** The targets are for the first of them. */
const CONNECTIONS = [1, 10]

const contentOf = (index: number) => `Post number ${index}, about as long as a post is.`

type Side = {
  url: string
  pid: number
  path: string
  headers: Record<string, string>
  connection: ConnectionConfig
  table: string
  create: (count: number) => Promise<unknown>
}

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => process.stderr.write(`${line}\n`)

async function query<Row extends object>(connection: ConnectionConfig, statement: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<Row>(statement)
  await client.end()
  return rows
}

/** The process that has all connections of PostgreSQL as its children. */
async function postmasterOf(connection: ConnectionConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = await parentOf(rows[0]?.pid ?? 0)
  await client.end()
  return pid
}

async function meydanOn(connection: ConnectionConfig): Promise<Side> {
  const { caller, token } = await withDeps(connection, async (deps) => {
    const caller = await createOwner(deps)
    return { caller, token: (await createToken(deps, caller, { name: 'bench' })).token }
  })
  // Does its jobs too, as Directus does.
  const { url, pid } = await startMeydan({ ...serverSettings(connection), ROLE: 'all' })
  return {
    url,
    pid,
    path: '/api/v1/posts',
    headers: { authorization: `Bearer ${token}` },
    connection,
    table: 'post',
    create: (count) =>
      withDeps(connection, (deps) =>
        createMany(count, (index) => createPost(deps, caller, { content: contentOf(index) })),
      ),
  }
}

async function directusOn(connection: ConnectionConfig): Promise<Side> {
  const directus = await startDirectus(connection, log)
  const create = async (count: number) => {
    for (let first = 0; first < count; first += BATCH) {
      const size = Math.min(BATCH, count - first)
      const records = Array.from({ length: size }, (_, index) => ({ content: contentOf(first + index) }))
      await postJson(`${directus.url}${directus.path}`, records, directus.headers)
    }
  }
  return { ...directus, connection, create }
}

/** The records of one page. */
async function list({ url, path, headers }: Side, limit: number) {
  const response = await fetch(`${url}${path}?limit=${limit}`, { headers })
  const { data } = (await response.json()) as { data: { id: string; content: string }[] }
  if (data.length !== limit || !data.every(({ content }) => content.startsWith('Post number')))
    throw new Error(`${url}${path} does not list ${limit} records`)
  return data
}

const requestsOf: Record<string, (side: Side) => Promise<LoadRequest[]>> = {
  list: async (side) => {
    await list(side, PAGE)
    return [`${side.path}?limit=${PAGE}`]
  },
  read: async (side) => (await list(side, READ_RECORDS)).map(({ id }) => `${side.path}/${id}`),
  create: async ({ path }) => [{ path, body: { content: contentOf(0) } }],
}

type Sides = { meydan: Side; directus: Side; postmaster: number }

/** Measures requests a second, and the CPU milliseconds of each request in the server and in PostgreSQL. */
async function measureOf(side: Side, postmaster: number, kind: string, connections: number) {
  const requests = (await requestsOf[kind]?.(side)) ?? []
  const cpu: number[] = []
  const used = async () => (await cpuOf(side.pid)) + (await cpuWithChildren(postmaster))
  const measure = async (seconds: number) => {
    const before = await used()
    const rate = await load(side.url, requests, { connections, seconds, headers: side.headers })
    cpu.push(((await used()) - before) / (rate * seconds))
    return rate
  }
  return { measure, cpu }
}

async function compare({ meydan, directus, postmaster }: Sides, name: string, kind: string, ratio: number) {
  for (const [index, connections] of CONNECTIONS.entries()) {
    const title = `${name}, ${connections} connection${connections > 1 ? 's' : ''}`
    const ours = await measureOf(meydan, postmaster, kind, connections)
    const theirs = await measureOf(directus, postmaster, kind, connections)
    const bench = {
      quick: options.quick,
      lighthouse: false,
      part: undefined,
      log: (line: string) => log(`${title}: ${line}`),
    }
    const measured = await compareWithBaseline(bench, {
      unit: 'requests/s',
      rounds: 7,
      seconds: 2,
      value: ours.measure,
      baseline: theirs.measure,
    })
    const target = index === 0 ? atLeast(ratio) : atLeast(0, 'reported only')
    if (!target.isMet(measured.ratio)) process.exitCode = 1
    print(resultLine(title, measured, target))
    const [, ...value] = ours.cpu
    const [, ...baseline] = theirs.cpu
    const ratios = value.map((ms, round) => (baseline[round] ?? Number.NaN) / ms)
    const cpu = {
      value: median(value),
      baseline: median(baseline),
      unit: 'ms',
      ratio: median(ratios),
      spread: quartiles(ratios),
    }
    print(resultLine('  CPU of each request', cpu, atLeast(0, 'reported only')))
  }
}

async function countRecords({ connection, table }: Side) {
  const [row] = await query<{ count: number }>(connection, `select count(*)::int as count from ${table}`)
  return row?.count ?? 0
}

/** Creates records until each side has at least `count`, and as many as the other. */
async function fill({ meydan, directus }: Sides, count: number) {
  const counts = [await countRecords(meydan), await countRecords(directus)] as const
  const all = Math.max(count, ...counts)
  log(`creating up to ${all} records in each`)
  await meydan.create(all - counts[0])
  await directus.create(all - counts[1])
  return all
}

async function compareAll() {
  const connection = await startPostgres()
  const postmaster = await postmasterOf(connection)
  const meydan = await meydanOn(connection)
  const directus = await directusOn(await createDatabase(connection, 'directus'))
  const sides = { meydan, directus, postmaster }
  await fill(sides, RECORDS)
  for (const side of [meydan, directus]) await query(side.connection, 'vacuum analyze')

  print(RESULT_HEADER)
  await compare(sides, `list of ${PAGE}`, 'list', 5)
  await compare(sides, 'read', 'read', 10)
  await compare(sides, 'create', 'create', 4)
  const all = await fill(sides, RECORDS + MORE_RECORDS)
  await compare(sides, `list among ${all}`, 'list', 5)
  print(
    'Value: Meydan, baseline: Directus. CPU: of the server and PostgreSQL, and how many times as much Directus takes.',
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  await compareAll()
} finally {
  await cleanUp()
}
