import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { client } from './client.ts'
import { cloneDatabase, databaseUrl, emptyDatabase } from './database.ts'
import { expectStatus } from './factories.ts'
import { killableApp } from './killable-app.ts'
import { noise, uploaded } from './media.ts'
import { freePort, kill, processEnv, recoveryTimeout, startMeydan } from './processes.ts'
import { bucketServer } from './stand-ins/bucket.ts'
import { until } from './until.ts'

const { now, start, signIn, kill: killApp } = killableApp()

const BACKUP_PASSPHRASE = 'simit ve çay her sabah'

/** Runs a command of Meydan. Returns what it said. */
const run = async (args: string[], settings: Record<string, string>) => {
  const env = processEnv({ BACKUP_PASSPHRASE, ...settings })
  const { stderr } = await promisify(execFile)(process.execPath, ['server/cli.ts', ...args], { env })
  return stderr
}

test('a restored installation publishes nothing that is due, also after a restart, until an admin releases it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-restore-'))
  const target = await emptyDatabase(inject('postgres'))
  onTestFinished(async () => {
    await target.drop()
    await rm(folder, { recursive: true, force: true })
  })
  // Without a worker, so that the post is still due in the backup.
  await start({ ROLE: 'api' })
  const { admin, cookie } = await signIn()
  const account = expectStatus(await admin.post('/api/v1/accounts', { network: 'playground' }), 201).body.id
  const scheduled_at = new Date(Date.now() + 2000).toISOString()
  const post = { content: 'Once', account_ids: [account], scheduled_at }
  const { id } = expectStatus(await admin.post('/api/v1/posts', post), 201).body

  const { database, dataDir } = now()
  const source = { DATABASE_URL: databaseUrl(database.connection), DATA_DIR: dataDir }
  const secret = { SECRET_KEY: 'a secret key for tests, long enough' }
  const path = join(folder, 'one.backup')
  expect(await run(['backup', path], { ...source, ...secret })).toMatch(
    /^Backed up to .*one\.backup and verified: \d+ rows, 0 files/m,
  )
  expect(await run(['verify', path], {})).toMatch(/^The backup is whole: \d+ rows/m)
  const trial = await run(['verify', '--restore', path], { ...source, ...secret })
  expect(trial).toMatch(/^The backup was restored on trial: \d+ rows/m)
  expect(trial).toMatch(/^The check is recorded in this installation\.$/m)
  const { body: summary } = expectStatus(await admin.get('/api/v1/admin/backups/summary'), 200)
  const made = { origin: 'command', state: 'verified', target: folder, file_name: 'one.backup' }
  expect(summary).toMatchObject({ last: made, last_restored: { ...made, restored_at: expect.any(String) } })
  await killApp()

  const settings = { DATABASE_URL: databaseUrl(target.connection), DATA_DIR: join(folder, 'data') }
  expect(await run(['restore', path], settings)).toMatch(/The installation is held/)
  const port = await freePort()
  // A restart releases nothing.
  const stopped = await startMeydan({ ...settings, PORT: String(port) })
  await kill(stopped, 'SIGTERM')
  expect(stopped.exitCode).toBe(0)
  const meydan = await startMeydan({ ...settings, PORT: String(port) })
  onTestFinished(() => kill(meydan))
  const restored = client(`http://127.0.0.1:${port}`).with({ cookie })
  const statusOfPost = async () => (await restored.get(`/api/v1/posts/${id}`)).body.status
  await until(async () => {
    const { body } = expectStatus(await restored.get('/api/v1/admin/hold'), 200)
    expect(body).toMatchObject({ held: true, due_posts: 1 })
  })
  // A node that does jobs is in this table before it does the first.
  await expect(target.query('select 1 / (count(*) = 0)::int from worker_node')).resolves.toBeUndefined()
  expect(await statusOfPost()).toBe('scheduled')

  const choice = { posts: 'publish', deliveries: 'send', mails: 'send' }
  expectStatus(await restored.post('/api/v1/admin/hold/release', choice), 200)
  await until(async () => expect(await statusOfPost()).toBe('published'))
})

test(
  'a restore that was killed is cleaned up by the next one, which succeeds',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meydan-restore-'))
    const target = await cloneDatabase(inject('postgres'))
    onTestFinished(async () => {
      await target.drop()
      await rm(folder, { recursive: true, force: true })
    })
    await start({ ROLE: 'api' })
    const { admin } = await signIn()
    for (let file = 0; file < 4; file++) await uploaded(admin, { bytes: await noise(700, 700) })
    const { database, dataDir } = now()
    const secret = { SECRET_KEY: 'a secret key for tests, long enough' }
    const path = join(folder, 'whole.backup')
    await run(['backup', path], { DATABASE_URL: databaseUrl(database.connection), DATA_DIR: dataDir, ...secret })
    await killApp()

    // A pipe that gives all but the end of the backup keeps the restore in its middle.
    const pipe = join(folder, 'pipe.backup')
    await promisify(execFile)('mkfifo', [pipe])
    const settings = { DATABASE_URL: databaseUrl(target.connection), DATA_DIR: join(folder, 'data') }
    const env = processEnv({ BACKUP_PASSPHRASE, ...settings })
    const restoring = spawn(process.execPath, ['server/cli.ts', 'restore', pipe], { env, stdio: 'ignore' })
    const bytes = await readFile(path)
    const writer = createWriteStream(pipe)
    // Its reader is killed.
    writer.on('error', () => undefined)
    writer.write(bytes.subarray(0, bytes.length - 1_200_000))
    const stored = async () => {
      const names = await readdir(join(settings.DATA_DIR, 'files'), { recursive: true })
      return names.filter((name) => name.endsWith('/original')).length
    }
    await until(async () => expect(await stored()).toBeGreaterThan(0))
    await kill(restoring)
    writer.destroy()
    expect(await stored()).toBeGreaterThan(0)

    const said = await run(['restore', path], settings)
    expect(said).toMatch(/^Erasing what a restore that was interrupted had stored: \d files/m)
    expect(said).toMatch(/^Restored \d+ rows/m)
    expect(await stored()).toBe(4)
    expect((await readdir(settings.DATA_DIR)).toSorted()).toEqual(['files', 'secret.key'])
    expect(await readdir(join(settings.DATA_DIR, 'files'))).toHaveLength(1)
  },
  recoveryTimeout(),
)

test(
  'a backup to a bucket whose process was killed leaves no upload after the next one, and is verified there',
  async () => {
    const server = await bucketServer()
    onTestFinished(server.close)
    const { database, dataDir } = now()
    const settings = {
      DATABASE_URL: databaseUrl(database.connection),
      DATA_DIR: dataDir,
      SECRET_KEY: 'a secret key for tests, long enough',
      BACKUP_URL: server.url,
    }
    const command = ['backup', 's3://files/nightly/one.backup']
    let hung = false
    server.failWith(({ query }) => {
      hung ||= query.partNumber !== undefined
      return query.partNumber === undefined ? undefined : 'hang'
    })
    const env = processEnv({ BACKUP_PASSPHRASE, ...settings })
    const writing = spawn(process.execPath, ['server/cli.ts', ...command], { env, stdio: 'ignore' })
    await until(() => expect(hung).toBe(true))
    await kill(writing)
    expect(await server.unfinished()).toEqual(['nightly/one.backup'])
    server.failWith(() => undefined)

    // It is known to be lost when it has reported nothing for a while.
    const said = await until(() => run(command, settings))
    expect(said).toMatch(/^Backed up to s3:\/\/files\/nightly\/one\.backup and verified: \d+ rows/m)
    expect(await server.unfinished()).toEqual([])
    expect(await server.keys()).toEqual(['nightly/one.backup'])
    expect(await run(['verify', 's3://files/nightly/one.backup'], { BACKUP_URL: server.url })).toMatch(
      /^The backup is whole: \d+ rows/m,
    )
  },
  recoveryTimeout(),
)

test('a command says in a sentence what it lacks', async () => {
  const failure = async (args: string[], settings: Record<string, string>) => {
    const failed = await run(args, settings).catch((error: { stderr: string; code: number }) => error)
    return typeof failed === 'string' ? failed : `${failed.code}: ${failed.stderr}`
  }
  const folder = await mkdtemp(join(tmpdir(), 'meydan-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = { DATA_DIR: folder }
  expect(await failure(['verify', join(folder, 'absent')], settings)).toMatch(
    /^1: .*absent cannot be read \(ENOENT\)\.$/m,
  )
  const short = { ...settings, BACKUP_PASSPHRASE: 'short' }
  expect(await failure(['backup', join(folder, 'x')], short)).toMatch(
    /^1: Set BACKUP_PASSPHRASE to at least 12 characters/,
  )
  expect(await failure(['backup'], settings)).toMatch(/^2: meydan <command>/)

  const file = join(folder, 'none.backup')
  const absent = { ...settings, DATABASE_URL: `postgres://meydan:x@127.0.0.1:${await freePort()}/test_none` }
  for (const command of ['backup', 'restore', 'keys']) {
    const args = command === 'keys' ? [command] : [command, file]
    expect(await failure(args, absent)).toMatch(
      /^1: PostgreSQL cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/m,
    )
  }
  const empty = await emptyDatabase(inject('postgres'))
  onTestFinished(() => empty.drop())
  expect(await failure(['keys'], { ...settings, DATABASE_URL: databaseUrl(empty.connection) })).toMatch(
    /^1: This database is empty or belongs to another version\. Run `meydan migrate` first\.$/m,
  )
})
