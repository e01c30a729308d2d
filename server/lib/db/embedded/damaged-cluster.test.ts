import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../../test/database.ts'
import { removeCluster } from '../../../../test/processes.ts'
import { readSecret } from '../../crypto/secret-file.ts'
import { adviceFor, StartError } from '../../runtime/start-error.ts'
import { createDatabase } from '../database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

let dataDir: string
let home: string
const start = () => startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'meydan-test-'))
  home = join(dataDir, 'postgres')
  await (await start()).stop()
})
afterAll(() => removeCluster(dataDir))

/** The start fails with a sentence that has all of these words. */
async function expectRefusal(...words: string[]) {
  const error = await start().then(
    async (running) => {
      await running.stop()
      return undefined
    },
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  for (const word of words) expect(String(error)).toContain(word)
}

/** Moves a part of the cluster away, and back after the test. */
async function takeAway(name: string) {
  await rename(join(home, name), join(dataDir, 'away'))
  onTestFinished(async () => {
    await rm(join(home, name), { recursive: true, force: true })
    await rename(join(dataDir, 'away'), join(home, name))
  })
}

describe('the embedded PostgreSQL on a damaged folder', () => {
  test.runIf(process.platform === 'linux').each([
    ['', ''],
    ['garbage', 'garbage\n'],
  ])('starts although its lock files are damaged (%s)', async (_, content) => {
    await writeFile(join(home, 'cluster', 'postmaster.pid'), content)
    await writeFile(join(home, '.s.PGSQL.5432.lock'), content)
    await (await start()).stop()
    expect(await readdir(join(home, 'cluster'))).not.toContain('postmaster.pid')
  })

  test('starts without its log folder', async () => {
    await rm(join(home, 'log'), { recursive: true })
    await (await start()).stop()
    expect(await readdir(join(home, 'log'))).toContain('start.log')
  })

  test.each([join('cluster', 'PG_VERSION'), 'cluster', 'password'])('says that %s is missing', async (name) => {
    await takeAway(name)
    await expectRefusal(name, 'is missing', 'Restore the folder from a backup')
  })

  test('says that the password was changed', async () => {
    await takeAway('password')
    await writeFile(join(home, 'password'), 'another')
    await expectRefusal(join(home, 'password'), 'not that of the database')
  })
})

describe('the secret key', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meydan-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
  })
  const open = async () => {
    const database = await cloneDatabase(inject('postgres'))
    const { db, close } = createDatabase(database.connection, 1)
    onTestFinished(async () => {
      await close()
      await database.drop()
    })
    return db
  }
  const settings = () => ({ SECRET_KEY: undefined, DATA_DIR: folder })

  test('is created for a database without keys, and read again', async () => {
    const db = await open()
    const secret = await readSecret(settings(), db)
    expect(secret).toHaveLength(43)
    expect(await readSecret(settings(), db)).toBe(secret)
  })

  test('is not created when it is missing beside a database with keys', async () => {
    const db = await open()
    await sql`insert into keyring (id, purpose, wrapped) values ('a', 'token', 'b')`.execute(db)
    await expect(readSecret(settings(), db)).rejects.toThrow(/secret\.key is missing.*restore it from a backup/)
    expect(await readdir(folder)).toEqual([])
  })

  test('is refused as a folder, and when the file is empty', async () => {
    const db = await open()
    await mkdir(join(folder, 'secret.key'))
    await expect(readSecret(settings(), db)).rejects.toThrow(/cannot be read \(EISDIR\)/)
    await rm(join(folder, 'secret.key'), { recursive: true })
    await writeFile(join(folder, 'secret.key'), '')
    await expect(readSecret(settings(), db)).rejects.toThrow(/does not contain a key/)
  })
})

test('words of PostgreSQL and of the system about files and disks have advice', () => {
  expect(adviceFor('FATAL:  insufficient file descriptors available to start server process')).toContain('ulimit -n')
  expect(adviceFor('EMFILE: too many open files, open x')).toContain('ulimit -n')
  expect(adviceFor('FATAL:  could not write lock file "postmaster.pid": No space left on device')).toContain('is full')
  expect(adviceFor('EACCES: permission denied, open x')).toContain('owns DATA_DIR')
  expect(adviceFor('unsupported startup parameter: statement_timeout')).toContain('DATABASE_DIRECT_URL')
  expect(adviceFor('a bug')).toBeUndefined()
})
