import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isMigrated, migrate, migrationNames } from './migrate.ts'

let server: pg.Client
const made: string[] = []
beforeAll(async () => {
  server = new pg.Client(inject('postgres'))
  await server.connect()
})
afterAll(async () => {
  for (const name of made) await server.query(`drop database if exists ${name} with (force)`)
  await server.end()
})

async function emptyDatabase(options = '') {
  const database = `migrate_${randomBytes(5).toString('hex')}`
  await server.query(`create database ${database} ${options}`)
  made.push(database)
  return { ...inject('postgres'), database }
}

describe('migrate', () => {
  test('several nodes that start at once run each migration once', async () => {
    const connection = await emptyDatabase()
    const said: string[] = []
    await Promise.all(Array.from({ length: 6 }, () => migrate(connection, (message) => said.push(message))))
    expect(said).toEqual((await migrationNames()).map((name) => `Migrating: ${name}`))
    const pool = new pg.Pool(connection)
    expect(await isMigrated(pool)).toBe(true)
    await pool.end()
  })

  test('running the migrations a second time changes nothing', async () => {
    const connection = await emptyDatabase()
    await migrate(connection)
    const said: string[] = []
    await migrate(connection, (message) => said.push(message))
    expect(said).toEqual([])
  })

  test('a database of a newer Meydan is refused and left unchanged', async () => {
    const connection = await emptyDatabase()
    await migrate(connection)
    const client = new pg.Client(connection)
    await client.connect()
    await client.query("insert into migration (name) values ('9999_future.sql')")
    await client.end()
    await expect(migrate(connection)).rejects.toThrow('newer Meydan (9999_future.sql)')
  })

  test('a database that is not encoded in UTF-8 is refused', async () => {
    const connection = await emptyDatabase("encoding 'SQL_ASCII' locale 'C' template template0")
    await expect(migrate(connection)).rejects.toThrow('must be encoded in UTF8')
  })
})
