import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { DAY } from '../shared/time.ts'
import {
  atLeast,
  atMost,
  type Claim,
  compareWithLimit,
  createMany,
  type Measurement,
  median,
  quartiles,
} from './harness.ts'
import { postJson } from './http.ts'
import { createOwner, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { createUser, credentialsOf, delaysOf } from './neighbour.ts'
import { startPostgres } from './processes.ts'

/** Maximum number of rows in a file. */
const ROWS = 5000
const ACCOUNTS = 10
/** Rows that become posts in one transaction of an import. */
const BATCH = 250
const MAX_TIMES = 2
/** Tables in which an import writes its rows. */
const TABLES = ['post_import_row', 'post', 'post_target', 'event', 'graphile_worker._private_jobs'] as const

/**
 * Compares an import of a spreadsheet, checked and written as scheduled posts, with bare inserts of the rows that it
 * wrote: into tables with the same indexes, in the same batches, by one client. Measures what other users notice, too.
 */
export const claim: Claim = {
  name: 'import',
  target: atLeast(0.4),
  measure: async (bench) => {
    const [rounds, count] = bench.quick ? [2, ROWS / 5] : [5, ROWS]
    const connection = await startPostgres()
    return withDeps(connection, async (deps) => {
      const owner = await createOwner(deps)
      const neighbour = await credentialsOf(deps, await createUser(deps, owner, 'neighbour'), 20)
      const accounts = await createMany(ACCOUNTS, () => connectAccount(deps, owner, { network: 'playground' }))
      const { url } = await startMeydan({ ...serverSettings(connection), ROLE: 'all' })
      const headers = { cookie: await signIn(url), 'x-workspace-id': owner.workspace_id }
      const ids = accounts.map(({ id }) => id)
      const delays = delaysOf(url, neighbour)
      const bare = new pg.Client(connection)
      await bare.connect()
      try {
        await createBareTables(bare)
        bench.log('warming up')
        await importFile(url, headers, spreadsheet(count, ids))
        await delays(3)
        const alone = await delays(bench.quick ? 4 : 10)
        const rates: { value: number; baseline: number }[] = []
        const beside: number[] = []
        for (let round = 1; round <= rounds; round++) {
          const watched = watch(delays)
          const { id, seconds } = await importFile(url, headers, spreadsheet(count, ids)).finally(watched.stop)
          beside.push(...(await watched.delays))
          const rate = { value: count / seconds, baseline: count / (await insertBare(bare, id)) }
          rates.push(rate)
          bench.log(`round ${round}/${rounds}: ${rate.value.toFixed(0)} against ${rate.baseline.toFixed(0)} rows/s`)
        }
        const ratios = rates.map(({ value, baseline }) => value / baseline)
        const written: Measurement = {
          part: 'rows',
          value: median(rates.map(({ value }) => value)),
          baseline: median(rates.map(({ baseline }) => baseline)),
          unit: 'rows/s',
          ratio: median(ratios),
          spread: quartiles(ratios),
        }
        const others = {
          ...compareWithLimit(beside, alone.all, 'ms p99'),
          part: 'other requests',
          target: atMost(MAX_TIMES, `≤ ${MAX_TIMES} times`),
        }
        return [written, others]
      } finally {
        await bare.end()
      }
    })
  },
}

/** Posts with texts of their own: a row that repeats a post of the last month has a warning. */
function spreadsheet(count: number, accounts: readonly string[]) {
  const day = new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10)
  const rows = Array.from({ length: count }, (_, index) => {
    const time = `${String(index % 24).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`
    return `${day},${time},${accounts[index % accounts.length]},"${randomUUID()}: fresh simit from seven in the morning."`
  })
  return `date,time,accounts,text\n${rows.join('\n')}\n`
}

type Import = { id: string; status: string }

/** Imports a file. Returns the id of the import, and the seconds from its first byte until the last post. */
async function importFile(url: string, headers: Record<string, string>, file: string) {
  const begun = performance.now()
  const form = new FormData()
  form.set('file', new Blob([file], { type: 'text/csv' }), 'month.csv')
  const response = await fetch(`${url}/api/v1/imports`, { method: 'POST', headers, body: form })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as Import
  const reach = async (status: string) => {
    for (;;) {
      const read = (await (await fetch(`${url}/api/v1/imports/${id}`, { headers })).json()) as Import
      if (read.status === status) return
      if (!['checking', 'writing', 'ready'].includes(read.status)) throw new Error(`The import is ${read.status}`)
      await sleep(50)
    }
  }
  await reach('ready')
  await postJson(`${url}/api/v1/imports/${id}/confirm`, { only: 'ok', as: 'scheduled' }, headers)
  await reach('done')
  return { id, seconds: (performance.now() - begun) / 1000 }
}

/** Measures the calls of others until it is stopped. */
function watch(delays: ReturnType<typeof delaysOf>) {
  let isDone = false
  const measure = async () => {
    const measured: number[] = []
    do measured.push((await delays(2)).all)
    while (!isDone)
    return measured
  }
  const stop = () => {
    isDone = true
  }
  const measuring = measure()
  // Awaited after the import, which may fail before.
  measuring.catch(() => undefined)
  return { delays: measuring, stop }
}

const bareName = (table: string) => `bare.${table.split('.').at(-1)}`

async function createBareTables(client: pg.Client) {
  await client.query('create schema bare')
  for (const table of TABLES)
    await client.query(
      `create table ${bareName(table)} (like ${table} including all excluding identity excluding generated)`,
    )
}

/** The rows of an import in a table. */
const rowsOf: Record<(typeof TABLES)[number], string> = {
  post_import_row: 'select t.* from post_import_row t where import_id = $1',
  post: 'select t.* from post t join post_import_row on post_id = t.id where import_id = $1',
  post_target: 'select t.* from post_target t join post_import_row using (post_id) where import_id = $1',
  event: `select t.* from event t join post_import_row on post_id = (payload::json -> 'data' -> 'post' ->> 'id')::uuid
    where import_id = $1 and type = 'post.created'`,
  'graphile_worker._private_jobs': `select j.* from graphile_worker._private_jobs j
    join post_target t on j.key = 'publish:' || t.id join post_import_row using (post_id) where import_id = $1`,
}

/** Inserts the rows of an import once more, without checks. Returns the seconds that it took. */
async function insertBare(client: pg.Client, id: string) {
  const batches: { table: string; rows: string }[][] = []
  for (const table of TABLES) {
    const { rows } = await client.query<{ row: object }>(`select to_json(r) as row from (${rowsOf[table]}) as r`, [id])
    if (rows.length === 0) throw new Error(`The import has no rows in ${table}`)
    for (let at = 0; at < rows.length; at += BATCH) {
      batches[at / BATCH] ??= []
      const batch = rows.slice(at, at + BATCH).map(({ row }) => row)
      batches[at / BATCH]?.push({ table: bareName(table), rows: JSON.stringify(batch) })
    }
  }
  const begun = performance.now()
  for (const batch of batches) {
    await client.query('begin')
    for (const { table, rows } of batch)
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows])
    await client.query('commit')
  }
  const seconds = (performance.now() - begun) / 1000
  for (const table of TABLES) await client.query(`truncate ${bareName(table)}`)
  return seconds
}
