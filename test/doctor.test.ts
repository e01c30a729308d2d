import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase, databaseUrl, emptyDatabase } from './database.ts'
import { killableApp } from './killable-app.ts'
import { canMount, onDiskOf } from './mounted-disk.ts'
import { postgresProxy } from './postgres-proxy.ts'
import { freePort, processEnv } from './processes.ts'
import { bucketServer } from './stand-ins/bucket.ts'

const SECRET_KEY = 'a secret key for tests, long enough'

/** Runs the doctor. `command`: runs it in turn. Returns its exit code and what it printed. */
async function doctor(settings: Record<string, string>, command: string[] = []) {
  const [file = '', ...args] = [...command, process.execPath, 'server/cli.ts', 'doctor']
  const run = promisify(execFile)(file, args, { env: processEnv({ SECRET_KEY, ...settings }) })
  const { code, stdout, stderr } = await run.then(
    (output) => ({ code: 0, ...output }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  )
  // The problem is described in sentences.
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at |node:internal/m)
  return { code, said: stdout, stderr }
}

/** Settings of a stopped installation with a database of its own. */
async function installation(make: typeof emptyDatabase = cloneDatabase) {
  const database = await make(inject('postgres'))
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'meydan-doctor-'))
  onTestFinished(async () => {
    await database.drop()
    await rm(DATA_DIR, { recursive: true, force: true })
  })
  const settings = { DATABASE_URL: databaseUrl(database.connection), DATA_DIR, PORT: String(await freePort()) }
  return { database, settings }
}

describe('a healthy installation', () => {
  const { now, start } = killableApp()

  test('is reported without an error while it is stopped and while it runs', async () => {
    const { database, dataDir, port } = now()
    const settings = { DATABASE_URL: databaseUrl(database.connection), DATA_DIR: dataDir, PORT: String(port) }
    const stopped = await doctor(settings)
    expect(stopped.said).toMatch(/^ok +port +Port \d+ is free for Meydan\.$/m)
    expect(stopped.said).toMatch(/^ok +workers +Meydan is stopped\.$/m)
    expect(stopped).toMatchObject({ code: 0, said: expect.stringContaining('Errors: 0.') })
    await start()
    const running = await doctor(settings)
    expect(running.said).toMatch(/^ok +port +Meydan responds on port \d+\.$/m)
    expect(running.said).toMatch(/^ok +workers +Processes that run jobs: 1\.$/m)
    expect(running).toMatchObject({ code: 0, said: expect.stringContaining('Errors: 0.') })
  })
})

describe('a broken installation', () => {
  test('a wrong secret key', async () => {
    const { database, settings } = await installation()
    await database.query(
      "insert into keyring (id, purpose, wrapped) values ('00000001', 'encryption', decode(repeat('00', 60), 'hex'))",
    )
    const { code, said } = await doctor(settings)
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +secret_key +SECRET_KEY does not fit the keys in the database/m)
    expect(said).toMatch(/→ Set the SECRET_KEY that this installation was first started with/)
    expect(said).toMatch(/^Not checked: .*mail_server/m)
  })

  test.runIf(canMount)('a full disk', async () => {
    const { settings } = await installation()
    const script = 'head -c 2000000 /dev/zero > "$0/filled"; exec "$@"'
    const { code, said } = await doctor(settings, onDiskOf('1m', settings.DATA_DIR, script))
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +disk +The disk of DATA_DIR is full: 0 MB are free\.$/m)
    expect(said).toMatch(/^ERROR +files +The disk for files is full\.$/m)
    expect(said).toMatch(/→ Free some space/)
  })

  test('a PostgreSQL older than 18', async () => {
    const { database, settings } = await installation()
    const proxy = await postgresProxy(database.connection, { replaced: [[/18000\d/, '170006']] })
    onTestFinished(proxy.close)
    const { code, said } = await doctor({ ...settings, DATABASE_URL: databaseUrl(proxy.connection) })
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +database +The database is PostgreSQL [\d.]+, and Meydan requires 18 or later\.$/m)
    expect(said).toMatch(/→ Update PostgreSQL/)
  })

  test('a database that was not migrated, which an update does', async () => {
    const { database, settings } = await installation(emptyDatabase)
    const { code, said } = await doctor(settings)
    expect(code).toBe(0)
    expect(said).toMatch(/^WARNING +migrations +The database has no tables of Meydan yet\.$/m)
    await database.query(`create table migration (name text, checksum text, contracts boolean);
      insert into migration values ('0001_first.sql', null, false)`)
    const { said: later } = await doctor(settings)
    expect(later).toMatch(/^WARNING +migrations +The database lacks \d+ migrations of this version/m)
    expect(later).toMatch(/→ Write a backup, then start Meydan or run “meydan migrate”/)
    expect(later).toMatch(/^Not checked: .*ledger/m)
  })

  test('a database of a newer Meydan', async () => {
    const { database, settings } = await installation()
    await database.query("insert into migration (name, contracts) values ('9999_next.sql', true)")
    const { code, said } = await doctor(settings)
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +migrations +The database was migrated by a newer Meydan.*9999_next\.sql\.$/m)
    expect(said).toMatch(/→ Start the newer version, or restore a backup/)
  })

  test('a database that cannot be reached', async () => {
    const { settings } = await installation()
    const DATABASE_URL = `postgres://meydan:x@127.0.0.1:${await freePort()}/test_none`
    const { code, said } = await doctor({ ...settings, DATABASE_URL })
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +database +The database cannot be used: .*ECONNREFUSED/m)
    expect(said).toMatch(/^ok +disk/m)
  })

  test('a clock that is ten minutes ahead', async () => {
    const { settings } = await installation()
    const ahead = 'const now = Date.now; Date.now = () => now() + 600_000'
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ahead)}`
    const { code, said } = await doctor({ ...settings, NODE_OPTIONS })
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +clock +The clock of this machine differs from that of PostgreSQL by \d+ s/m)
    expect(said).toMatch(/→ Run an NTP service/)
  })

  test('a bucket that does not exist', async () => {
    const { settings } = await installation()
    const bucket = await bucketServer()
    onTestFinished(bucket.close)
    const healthy = await doctor({ ...settings, STORAGE_URL: bucket.url })
    expect(healthy.said).toMatch(/^ok +files +A file was written to the bucket files, read and erased\.$/m)
    const { code, said } = await doctor({ ...settings, STORAGE_URL: bucket.urlOf('missing') })
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +files +Files cannot be stored: .*cannot be used: missing \(HTTP 404\)/m)
    expect(said).toMatch(/→ Check STORAGE_URL/)
  })

  test('a port that another program has taken', async () => {
    const { settings } = await installation()
    const other = createServer((socket) => socket.end()).listen(Number(settings.PORT), '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { code, said } = await doctor(settings)
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +port +Port \d+ is taken by another program\.$/m)
    expect(said).toMatch(/→ Stop that program .* or set PORT to another one\.$/m)
  })

  test('a mail server that refuses the sign-in', async () => {
    const { settings } = await installation()
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('535 5.7.8 Wrong password')),
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    onTestFinished(() => server.close())
    const address = server.server.address()
    const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const healthy = await doctor({ ...settings, SMTP_URL: `smtp://meydan:right@${host}` })
    expect(healthy.said).toMatch(/^ok +mail_server +The mail server accepts the sign-in\.$/m)
    const { code, said } = await doctor({ ...settings, SMTP_URL: `smtp://meydan:wrong@${host}` })
    expect(code).toBe(1)
    expect(said).toMatch(/^ERROR +mail_server +The mail server cannot be used: .*Wrong password/m)
    expect(said).toMatch(/→ Check host, port, user and password in SMTP_URL/)
  })
})
