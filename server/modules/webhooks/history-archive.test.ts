import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { optionCalls } from '../../../test/options.ts'
import { expectProblem } from '../../../test/problem.ts'
import { bucketServer } from '../../../test/stand-ins/bucket.ts'
import { inTransaction, uuidAt } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import { archiveHistory } from './history-archive.ts'
import { keepWebhookHistory } from './retention.ts'

const DAY = 24 * 3600_000
const OPTION = 'history.archive_after_days'

let folder: string
let t: TestApp
let owner: WorkspaceOwner
let root: Person
let webhook: string
const { setOption, resetOption } = optionCalls(() => ({ t, root }))

const start = async (storageUrl: string) => {
  // PostgreSQL makes the ids of events by its own clock.
  t = await testApp({ STORAGE_URL: storageUrl }, { origin: new Date() })
  owner = await withWorkspace(t)
  root = await signedIn(t, { instanceAdmin: true })
  const input = { url: 'http://127.0.0.1:1/', events: ['post.created'] }
  webhook = expectStatus(await owner.post('/api/v1/webhooks', input), 201).body.id
  expectStatus(await setOption(OPTION, 7), 200)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-history-'))
})
afterEach(async () => {
  await t.close()
  await rm(folder, { recursive: true, force: true })
})

const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY)
const dayOf = (days: number) => inDays(days).toISOString().slice(0, 10)
const nameOf = (table: string, days: number) => `${table}_${dayOf(days).replaceAll('-', '')}`
const lowest = (days: number) => `${uuidAt(Date.parse(dayOf(days))).slice(0, 14)}0000-0000-000000000000`
const ids = (days: number, many: number) =>
  sql`(select (left(${uuidAt(inDays(days).getTime())}, 24) || lpad(to_hex(i), 12, '0'))::uuid as id from generate_series(1, ${many}::int) i) made`

/** Fills a day with events and attempts. */
const fill = async (days: number, many = 3, { withPartitions = true } = {}) => {
  for (const table of withPartitions ? ['event', 'attempt'] : [])
    await sql
      .raw(`create table ${nameOf(table, days)} partition of ${table} for values
        from ('${lowest(days)}') to ('${lowest(days + 1)}')`)
      .execute(t.deps.db)
  await sql`insert into event select id, ${owner.workspace_id}::uuid, 'post.created', '{"text":"ş\\n"}', ${inDays(days)}
    from ${ids(days, many)}`.execute(t.deps.db)
  await sql`insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, duration_ms, response)
    select ${webhook}::uuid, id, n, id, 'post.created', 'schedule', ${inDays(days)}, n = 2, n = 2, 5, 'line 1' || chr(10) || 'line 2'
    from ${ids(days, many)}, generate_series(1, 2) n`.execute(t.deps.db)
}

const rowsOf = async (table: string) => {
  const { rows } = await sql<{ row: unknown }>`select row_to_json(t) as row from ${sql.table(table)} t
    `.execute(t.deps.db)
  return rows.map(({ row }) => row)
}
const waitingDays = async () => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'history'::regnamespace and relkind = 'r' order by 1`.execute(t.deps.db)
  return rows.map(({ name }) => name)
}
const keep = () => keepWebhookHistory(t.deps)

/** The objects of a table by their keys, read from a folder. */
const objects = async (table: string) => {
  const path = join(folder, 'files', 'history', table)
  const names = await readdir(path).catch(() => [])
  return Promise.all(
    names
      .filter((name) => name.endsWith('.zst'))
      .sort()
      .map(async (name) => {
        const text = zstdDecompressSync(await readFile(join(path, name))).toString()
        const manifest = JSON.parse(await readFile(join(path, name.replace('.jsonl.zst', '.json')), 'utf8'))
        return {
          name,
          text,
          manifest,
          rows: text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        }
      }),
  )
}
const startInFolder = () => start(`file:${join(folder, 'files')}`)

describe('with a folder', () => {
  beforeEach(startInFolder)

  test('days that ended more than 7 days ago are in the storage with all their columns, and younger ones in the database', async () => {
    for (const days of [-20, -8, -7, -6]) await fill(days)
    const before = { event: await rowsOf('event'), attempt: await rowsOf('attempt') }
    await keep()
    for (const table of ['event', 'attempt'] as const) {
      const archived = await objects(table)
      expect(archived.map(({ name }) => name.slice(0, 10))).toEqual([dayOf(-20), dayOf(-8)])
      for (const { name, text, manifest, rows } of archived) {
        const sha256 = createHash('sha256').update(text).digest('hex')
        expect(manifest).toEqual({ table, day: name.slice(0, 10), rows: rows.length, sha256 })
        expect(name).toBe(`${manifest.day}-${sha256.slice(0, 16)}.jsonl.zst`)
      }
      const after = [...archived.flatMap(({ rows }) => rows), ...(await rowsOf(table))]
      expect(after.map(inUtc)).toEqual(expect.arrayContaining(before[table].map(inUtc)))
      expect(after).toHaveLength(before[table].length)
    }
    expect(await waitingDays()).toEqual([])
  })

  /** Times are compared as times: those of the archive are in UTC. */
  const inUtc = (row: unknown) =>
    JSON.parse(JSON.stringify(row), (key, value) => (/^(at|created_at)$/.test(key) ? Date.parse(value) : value))

  test('a day is cut into objects of a limited number of rows, and none is left out', async () => {
    await fill(-20, 250)
    await keepWebhookHistory({ ...t.deps, storage: { ...t.deps.storage, moveIn: fails } }).catch(() => undefined)
    await archiveHistory(t.deps, 220)
    const sizes = async (table: string) => (await objects(table)).map(({ rows }) => rows.length).sort((a, b) => a - b)
    expect(await sizes('event')).toEqual([30, 220])
    expect(await sizes('attempt')).toEqual([60, 220, 220])
    expect(await waitingDays()).toEqual([])
  })

  test('what comes for a day after it was archived is an object of its own', async () => {
    await fill(-20)
    await keep()
    // Another attempt of a delivery of that day, which has no partition any more.
    await fill(-20, 1, { withPartitions: false })
    await fill(-19, 1, { withPartitions: false })
    await keep()
    const archived = (await objects('attempt')).map(({ name, rows }) => [name.slice(0, 10), rows.length])
    expect(archived).toEqual(
      expect.arrayContaining([
        [dayOf(-20), 6],
        [dayOf(-20), 2],
        [dayOf(-19), 2],
      ]),
    )
    expect(archived).toHaveLength(3)
    expect(await rowsOf('attempt')).toEqual([])
  })

  test('rows of a day without a partition stay until the whole day is old', async () => {
    await fill(-7, 1, { withPartitions: false })
    await fill(-8, 1, { withPartitions: false })
    await keep()
    expect((await objects('event')).map(({ name }) => name.slice(0, 10))).toEqual([dayOf(-8)])
    expect(await rowsOf('event')).toHaveLength(1)
  })

  test.each(['moveIn', 'open', 'put'] as const)(
    'a process that ends at any %s leaves every row, and the next run makes the same objects',
    async (call) => {
      for (const days of [-20, -19]) await fill(days)
      for (const allowed of [0, 1, 1]) {
        let calls = 0
        const ended = { ...t.deps.storage, [call]: (...args: never[]) => (calls++ < allowed ? real(...args) : fails()) }
        const real = t.deps.storage[call] as (...args: never[]) => Promise<unknown>
        await expect(keepWebhookHistory({ ...t.deps, storage: ended })).rejects.toThrow('Not cleaned up: archive')
        const waiting = await waitingDays()
        expect(waiting.length).toBeGreaterThan(0)
        const done = [...(await completed('event')), ...(await completed('attempt'))]
        for (const name of allDays()) expect(waiting.includes(name) || done.includes(name)).toBe(true)
      }
      await keep()
      expect(await waitingDays()).toEqual([])
      for (const table of ['event', 'attempt']) expect(await objects(table)).toHaveLength(2)
    },
  )

  const allDays = () => ['event', 'attempt'].flatMap((table) => [nameOf(table, -20), nameOf(table, -19)])
  /** Days with an object and its manifest. */
  const completed = async (table: string) => {
    const names = await readdir(join(folder, 'files', 'history', table)).catch(() => [])
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${table}_${name.slice(0, 10).replaceAll('-', '')}`)
  }

  test('a day that the storage returns otherwise than it was written is not dropped', async () => {
    await fill(-20)
    const storage = { ...t.deps.storage, open: async () => Readable.from([zstdCompressSync('{"id":"another"}\n')]) }
    await expect(keepWebhookHistory({ ...t.deps, storage })).rejects.toThrow('Not cleaned up: archive')
    expect(await waitingDays()).toEqual([nameOf('attempt', -20), nameOf('event', -20)])
    expect(await completed('event')).toEqual([])
    await keep()
    expect(await waitingDays()).toEqual([])
  })

  test('without the storage days wait in the database, nothing else does, and they are archived when it is back', async () => {
    await fill(-20)
    await mkdir(join(folder, 'files'), { recursive: true })
    await writeFile(join(folder, 'files', 'history'), 'a file in the place of the folder')
    await expect(keep()).rejects.toThrow('Not cleaned up: archive')
    await expect(keep()).rejects.toThrow('Not cleaned up: archive')
    expect(await waitingDays()).toHaveLength(2)
    expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201)
    await rm(join(folder, 'files', 'history'))
    await keep()
    expect(await waitingDays()).toEqual([])
    expect(await objects('event')).toHaveLength(1)
  })

  test('many nodes archive each day once', async () => {
    for (const days of [-20, -19, -18]) await fill(days, 50)
    await Promise.all(Array.from({ length: 4 }, () => keep()))
    await keep()
    for (const table of ['event', 'attempt']) expect(await objects(table)).toHaveLength(3)
    expect(await waitingDays()).toEqual([])
  })

  test('while another node archives, a node leaves it to that one', async () => {
    await fill(-20)
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${locks.historyArchive})`.execute(tx)
      await keep()
    })
    expect(await waitingDays()).toHaveLength(2)
    expect(await objects('event')).toEqual([])
  })

  test('while a backup runs, no day leaves the database', async () => {
    await fill(-20)
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${locks.backup})`.execute(tx)
      await keep()
    })
    expect(await rowsOf('event')).toHaveLength(3)
    await keep()
    expect(await rowsOf('event')).toEqual([])
  })

  test('a day that was taken out before the option was turned off is still archived, and later ones are deleted after 30 days', async () => {
    await fill(-20)
    await keepWebhookHistory({ ...t.deps, storage: { ...t.deps.storage, moveIn: fails } }).catch(() => undefined)
    expectStatus(await resetOption(OPTION), 204)
    for (const days of [-40, -12]) await fill(days)
    await keep()
    expect((await objects('event')).map(({ name }) => name.slice(0, 10))).toEqual([dayOf(-20)])
    expect(await rowsOf('event')).toHaveLength(3)
  })

  test('recovered deliveries begin at most as many days ago as are kept', async () => {
    const recover = (days: number) =>
      owner.post(`/api/v1/webhooks/${webhook}/recover`, { since: inDays(days).toISOString() })
    expectProblem(await recover(-8), 400, 'validation_failed', '/since')
    expectStatus(await recover(-7), 200)
  })

  test('400 for a number of days that is neither 0 nor from 7 to 30', async () => {
    for (const value of [-1, 1, 6, 31, 7.5, '7', true])
      expectProblem(await setOption(OPTION, value), 400, 'validation_failed', '/value')
    for (const value of [0, 7, 30]) expectStatus(await setOption(OPTION, value), 200)
  })

  const fails = () => Promise.reject(new Error('The process ended'))
})

test('a bucket gets the same objects as a folder, beside the files of members', async () => {
  const bucket = await bucketServer()
  try {
    await start(bucket.url)
    await fill(-20)
    const names: string[] = []
    const { moveIn, put } = t.deps.storage
    const storage: typeof t.deps.storage = {
      ...t.deps.storage,
      moveIn: (path, key, mime) => {
        names.push(key)
        return moveIn(path, key, mime)
      },
      put: (key, bytes, mime) => {
        names.push(key)
        return put(key, bytes, mime)
      },
    }
    await keepWebhookHistory({ ...t.deps, storage })
    expect(await waitingDays()).toEqual([])
    expect(names.sort()).toEqual(
      ['attempt', 'event'].flatMap((table) =>
        ['.json', '.jsonl.zst'].map((end) =>
          expect.stringMatching(`^history/${table}/${dayOf(-20)}-[0-9a-f]{16}${end}$`),
        ),
      ),
    )
    for (const name of names) {
      const bytes = await buffer(await t.deps.storage.open(name))
      const text = name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes
      expect(text.toString()).toMatch(/^(\{.*\}\n)+$/)
    }
    // A backup asks for the files of members.
    for await (const { key } of t.deps.storage.list()) expect(key).not.toContain('history')
  } finally {
    await bucket.close()
  }
})
