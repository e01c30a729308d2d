import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createDeps } from '../server/deps.ts'
import { inTransaction, uuidAt } from '../server/lib/db/database.ts'
import type { Deps } from '../server/lib/deps.ts'
import { addJob } from '../server/lib/runtime/jobs.ts'
import { makeInstanceAdmin } from '../server/modules/auth/instance-admin.ts'
import { hashPassword } from '../server/modules/auth/sign-in/passwords.ts'
import { folderStorage } from '../server/modules/media/storage/folder.ts'
import { keepWebhookHistory } from '../server/modules/webhooks/retention.ts'
import { startWorker } from '../server/worker.ts'
import { type Client, client } from './client.ts'
import { cloneDatabase } from './database.ts'
import { expectStatus, PASSWORD, sessionCookie } from './factories.ts'
import { until } from './until.ts'

// The migrating role owns the database; Meydan runs as a role that grant_runtime permits.
const role = `meydan_run_${randomBytes(4).toString('hex')}`
let database: Awaited<ReturnType<typeof cloneDatabase>>
let owner: pg.Client
let deps: Deps
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'))
  owner = new pg.Client(database.connection)
  await owner.connect()
  await owner.query(`create role ${role} login password 'runs'`)
  // Twice: it is called again after every update.
  for (let time = 0; time < 2; time++) await owner.query('select grant_runtime($1)', [role])

  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRET_KEY: 'a secret key for tests, long enough',
    BASE_URL: 'http://meydan.test',
    RATE_LIMIT_AUTH: '0',
  })
  deps = await createDeps(config, { ...database.connection, user: role, password: 'runs' })
  const app = await buildApp(deps)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const worker = await startWorker(deps, { alone: false })
  const address = app.server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  stop = async () => {
    await worker.stop()
    await app.close()
    await deps.close()
  }
})
afterAll(async () => {
  await stop()
  await owner.query(`drop owned by ${role}`)
  await owner.query(`drop role ${role}`)
  const ended = once(owner, 'end')
  await owner.end()
  await ended
  await database.drop()
})

async function signedIn(): Promise<Client> {
  const email = `${randomBytes(4).toString('hex')}@example.com`
  const passwordHash = await hashPassword(deps.auth, PASSWORD)
  await inTransaction(deps.db, (tx) => makeInstanceAdmin(tx, { email, name: 'Ada', passwordHash }))
  const response = expectStatus(await client(url).post('/api/auth/sign-in/email', { email, password: PASSWORD }), 200)
  return client(url, { cookie: sessionCookie(response.headers) })
}

test('Meydan starts and works as a role without other rights', async () => {
  const { rows } = await deps.pool.query('select current_user as name')
  expect(rows[0].name).toBe(role)
  expectStatus(await client(url).get('/readyz'), 200)
  const person = await signedIn()
  expectStatus(await person.post('/api/v1/workspaces', { name: 'Run by another role' }), 201)
  const account = expectStatus(await person.post('/api/v1/accounts', { network: 'playground' }), 201).body.id
  const post = { content: 'Hello', account_ids: [account], publish_now: true }
  const { id } = expectStatus(await person.post('/api/v1/posts', post), 201).body
  await until(async () => expect((await person.get(`/api/v1/posts/${id}`)).body.status).toBe('published'))
  const entries = expectStatus(await person.get('/api/v1/workspace/audit-log'), 200).body.data
  expect(entries.map(({ action }: { action: string }) => action)).toContain('post.created')
})

test('the role creates and drops daily partitions through functions of the owner', async () => {
  const partitions = async () => {
    const { rows } = await owner.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass",
    )
    return rows.map(({ name }) => name)
  }
  await owner.query(`create table event_20200101 partition of event
    for values from (uuid_at('2020-01-01T00:00Z')) to (uuid_at('2020-01-02T00:00Z'))`)
  const last = (await partitions()).sort().at(-2)
  await owner.query(`drop table ${last}`)
  await inTransaction(deps.db, (tx) => addJob(tx, 'keep-webhook-history', {}))
  await until(async () => {
    const names = await partitions()
    expect(names).not.toContain('event_20200101')
    expect(names).toContain(last)
  })
  for (const statement of ['drop table event_other', 'create table mine (id int)', `drop table ${last}`])
    await expect(sql.raw(statement).execute(deps.db)).rejects.toThrow(/permission denied|must be owner/)
})

describe('the audit log for the runtime role', () => {
  test.each([
    "update audit_entry set action = 'x'",
    "update audit_entry set ip = null, user_agent = null, details = '{}'",
    "set meydan.blanking = 'on'; update audit_entry set ip = null, user_agent = null, details = '{}'",
    'delete from audit_entry',
    'truncate audit_entry',
    'drop table audit_entry',
    'alter table audit_entry disable trigger all',
    'set session_replication_role = replica',
    'create or replace function keep_audit_entry() returns trigger language sql return null',
    `select grant_runtime('${role}')`,
    'delete from migration',
  ])('the role cannot run: %s', async (statement) => {
    await expect(sql.raw(statement).execute(deps.db)).rejects.toThrow(/permission denied|must be owner/)
  })

  test('the role can blank personal data through a function of the owner', async () => {
    const person = await signedIn()
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: 'To be erased' }), 201)
    await sql`select blank_audit_entries(${body.id}::uuid, null)`.execute(deps.db)
    const entries = await deps.db.selectFrom('audit_entry').selectAll().where('workspace_id', '=', body.id).execute()
    expect(entries).toMatchObject([{ action: 'workspace.created', ip: null, user_agent: null, details: {} }])
  })

  test('a temporary table of the role cannot replace the blanked table', async () => {
    const person = await signedIn()
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: 'Not to be fooled' }), 201)
    await inTransaction(deps.db, async (tx) => {
      await sql`create temp table audit_entry (like public.audit_entry) on commit drop`.execute(tx)
      await sql`select blank_audit_entries(${body.id}::uuid, null)`.execute(tx)
    })
    const { rows } = await owner.query('select ip from audit_entry where workspace_id = $1', [body.id])
    expect(rows).toEqual([{ ip: null }])
  })
})

test('a role without a grant cannot read tables or call the functions of the owner', async () => {
  const stranger = `meydan_none_${randomBytes(4).toString('hex')}`
  await owner.query(`create role ${stranger} login password 'none'`)
  const outsider = new pg.Client({ ...database.connection, user: stranger, password: 'none' })
  try {
    await outsider.connect()
    for (const statement of [
      'select from audit_entry',
      'select blank_audit_entries(null, null)',
      "select keep_partitions(now(), '0')",
    ])
      await expect(outsider.query(statement)).rejects.toThrow('permission denied')
  } finally {
    await outsider.end()
    await owner.query(`drop role ${stranger}`)
  }
})

test('a start with pending migrations fails and names the command to run', async () => {
  const behind = await cloneDatabase(inject('postgres'))
  const admin = new pg.Client(behind.connection)
  await admin.connect()
  await admin.query('select grant_runtime($1)', [role])
  await admin.query('delete from migration where name = (select max(name) from migration)')
  const connection = { ...behind.connection, user: role, password: 'runs' }
  await expect(createDeps(deps.config, connection)).rejects.toThrow('Run `meydan migrate`')
  await admin.query(`drop owned by ${role}`)
  await admin.end()
  await behind.drop()
})

test('the role archives the webhook history, and can drop no other table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-history-'))
  try {
    const day = '2026-01-05'
    // The job of the start would drop the day.
    await until(async () => {
      const { rows } = await owner.query(
        "select from graphile_worker.jobs where task_identifier = 'keep-webhook-history'",
      )
      expect(rows).toEqual([])
    })
    await owner.query(`create table attempt_20260105 partition of attempt
      for values from ('${uuidAt(Date.parse(day)).slice(0, 14)}0000-0000-000000000000')
      to ('${uuidAt(Date.parse('2026-01-06')).slice(0, 14)}0000-0000-000000000000')`)
    await owner.query(
      `insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, duration_ms)
       values ($1, $1, 1, $1, 'post.created', 'schedule', now(), true, true, 5)`,
      [uuidAt(Date.parse(`${day}T12:00:00Z`))],
    )
    const admin = await signedIn()
    const path = '/api/v1/options/history.archive_after_days'
    expectStatus(await admin.call('PUT', path, { body: { value: 7 } }), 200)
    const config = { ...deps.config, DATA_DIR: folder }
    await keepWebhookHistory({ ...deps, config, storage: await folderStorage(join(folder, 'files')) })
    expect(await readdir(join(folder, 'files/history/attempt'))).toHaveLength(2)
    const { rows } = await owner.query(`select from pg_class where relnamespace = 'history'::regnamespace`)
    expect(rows).toEqual([])
    expectStatus(await admin.delete(path), 204)
    await expect(deps.pool.query(`select drop_detached('workspace')`)).rejects.toThrow('no day of the history')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
