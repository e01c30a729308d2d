import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../lib/db/database.ts'
import { isLocked, locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Storage } from '../media/storage/storage.ts'
import { inTemporaryFolder } from '../media/storage/temporary.ts'

/** Rows that one query reads. An event can have a payload of a megabyte. */
const BATCH = 200
/** Rows of one object, so that it stays below the 5 GB that S3 takes at once. */
const ROWS_PER_OBJECT = 10_000_000

/** The tables of the history, with their primary keys. */
const keys = { event: ['id'], attempt: ['webhook_id', 'delivery_id', 'n'] } as const

/** A table of the schema `history`: one day of a table, which nothing writes to any more. */
type Day = { name: string; table: keyof typeof keys; day: string }

/** The content of an object, before compression. */
type Content = { rows: number; sha256: string }

/**
 * Writes each detached day to the storage as compressed JSON Lines, reads it back, and drops it. A day that could not be
 * written stays, and the next run begins it again: the name of an object has the hash of its content, so it is then
 * written over with the same. One node at a time does this.
 */
export async function archiveHistory(
  { db, storage, config, log }: Pick<Deps, 'db' | 'storage' | 'config' | 'log'>,
  rowsPerObject = ROWS_PER_OBJECT,
) {
  await db.connection().execute(async (session) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${locks.historyArchive}) as free`.execute(
      session,
    )
    if (!rows[0]?.free) return
    try {
      // Times are written in UTC, so that every node writes the same content.
      await sql`set timezone = 'UTC'`.execute(session)
      for (const day of await detachedDays(session)) {
        const objects = await writeDay({ session, storage, config }, day, rowsPerObject)
        // A backup reads all tables that these locks concern.
        if (await isLocked(db, locks.backup)) return
        await dropDay(db, day)
        log.info({ table: day.table, day: day.day, objects }, 'a day of the webhook history was archived')
      }
    } finally {
      await sql`reset timezone`.execute(session)
      await sql`select pg_advisory_unlock(${locks.historyArchive})`.execute(session)
    }
  })
}

async function detachedDays(db: Db) {
  const { rows } = await sql<Day>`
    select relname as name, split_part(relname, '_', 1) as table,
      to_char(to_date(right(relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
    from pg_class where relnamespace = 'history'::regnamespace and relkind = 'r' and relname ~ '^(event|attempt)_[0-9]{8}$'
    order by day, name`.execute(db)
  return rows
}

type Writing = Pick<Deps, 'storage' | 'config'> & { session: Db }

/** Returns the names of the objects. A day without rows has none. */
async function writeDay({ session, storage, config }: Writing, { name, table, day }: Day, rowsPerObject: number) {
  const objects: string[] = []
  const reader = linesOf(session, { name, table })
  for (;;) {
    const written = await inTemporaryFolder(config, async (folder) => {
      const path = join(folder, name)
      const content = contentOf()
      await pipeline(reader.next(rowsPerObject), content.pass, createZstdCompress(), createWriteStream(path))
      const { rows, sha256 } = content.result()
      if (rows === 0) return
      const key = `history/${table}/${day}-${sha256.slice(0, 16)}`
      await storage.moveIn(path, `${key}.jsonl.zst`, 'application/zstd')
      await verify(storage, `${key}.jsonl.zst`, { rows, sha256 })
      const manifest = JSON.stringify({ table, day, rows, sha256 })
      await storage.put(`${key}.json`, Buffer.from(`${manifest}\n`), 'application/json')
      return `${key}.jsonl.zst`
    })
    if (written) objects.push(written)
    if (reader.hasEnded()) return objects
  }
}

/** Reads the rows of a table in the order of its key, as lines of JSON. `next` continues after the rows read before. */
function linesOf(db: Db, { name, table }: Pick<Day, 'name' | 'table'>) {
  const columns = sql.join(keys[table].map((column) => sql.ref(column)))
  const from = sql.table(`history.${name}`)
  let after: unknown[] | undefined
  let hasEnded = false
  return {
    hasEnded: () => hasEnded,
    next: async function* (most: number) {
      for (let left = most; left > 0; ) {
        const rest = after ? sql`where (${columns}) > (${sql.join(after)})` : sql``
        const batch = Math.min(BATCH, left)
        const { rows } = await sql<{ line: string; key: unknown[] }>`
          select row_to_json(day)::text as line, json_build_array(${columns}) as key
          from ${from} as day ${rest} order by ${columns} limit ${batch}`.execute(db)
        for (const { line } of rows) yield `${line}\n`
        after = rows.at(-1)?.key ?? after
        left -= rows.length
        hasEnded = rows.length < batch
        if (hasEnded) return
      }
    },
  }
}

/** Counts and hashes lines. `pass` hands them on. */
function contentOf() {
  const hash = createHash('sha256')
  let rows = 0
  const take = (chunk: Buffer) => {
    hash.update(chunk)
    for (const byte of chunk) if (byte === 10) rows++
  }
  return {
    pass: async function* (chunks: AsyncIterable<Buffer | string>) {
      for await (const chunk of chunks) {
        take(Buffer.from(chunk))
        yield chunk
      }
    },
    read: async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) take(chunk)
    },
    result: (): Content => ({ rows, sha256: hash.digest('hex') }),
  }
}

async function verify(storage: Storage, key: string, expected: Content) {
  const content = contentOf()
  await pipeline(await storage.open(key), createZstdDecompress(), content.read)
  const { rows, sha256 } = content.result()
  if (rows !== expected.rows || sha256 !== expected.sha256)
    throw new Error(`The storage returned another content of ${key} than was written`)
}

/** Drops a day. Its foreign key makes this wait for running changes of workspaces, and others wait behind it. */
const dropDay = (db: Db, { name }: Day) =>
  inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '700ms'`.execute(tx)
    await sql`select drop_detached(${name})`.execute(tx)
  })
