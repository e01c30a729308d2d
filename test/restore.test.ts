import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { client } from './client.ts'
import { databaseUrl, emptyDatabase } from './database.ts'
import { expectStatus } from './factories.ts'
import { killableApp } from './killable-app.ts'
import { freePort, kill, processEnv, startMeydan } from './processes.ts'
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
    /^Backed up to .*one\.backup: \d+ rows, 0 files/m,
  )
  expect(await run(['verify', path], {})).toMatch(/^The backup is whole: \d+ rows/m)
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
})
