import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { withWorkspace } from '../../../test/factories.ts'
import { inTransaction } from '../../lib/db/database.ts'

// The tests connect as the owner of the table, which grants do not restrict.
const t = await testApp()
const owner = await withWorkspace(t)

const entries = async () => await t.deps.db.selectFrom('audit_entry').selectAll().orderBy('id').execute()
const run = (...statements: string[]) =>
  inTransaction(t.deps.db, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

test.each([
  'update audit_entry set at = now()',
  "update audit_entry set details = '{}'",
  'update audit_entry set ip = null, user_agent = null',
  "update audit_entry set ip = null, user_agent = null, details = '{}'",
  'delete from audit_entry',
  'truncate audit_entry',
  'truncate audit_entry cascade',
  `insert into audit_entry (id, action) select id, action from audit_entry on conflict (id) do update set action = 'x'`,
  `merge into audit_entry a using audit_entry b on a.id = b.id when matched then delete`,
])('the owner of the table cannot run: %s', async (statement) => {
  const before = await entries()
  expect(before.length).toBeGreaterThan(0)
  await expect(run(statement)).rejects.toThrow('audit_entry is append-only')
  expect(await entries()).toEqual(before)
})

test.each([
  'update audit_entry set at = now()',
  "update audit_entry set action = 'x', ip = null, user_agent = null, details = '{}'",
  "update audit_entry set actor_id = null, ip = null, user_agent = null, details = '{}'",
  "update audit_entry set workspace_id = null, ip = null, user_agent = null, details = '{}'",
  "update audit_entry set target_id = null, ip = null, user_agent = null, details = '{}'",
  "update audit_entry set id = uuidv7(), ip = null, user_agent = null, details = '{}'",
  'update audit_entry set ip = null, user_agent = null',
  `update audit_entry set ip = '10.0.0.1', user_agent = null, details = '{}'`,
  `update audit_entry set ip = null, user_agent = null, details = '{"x": 1}'`,
  'delete from audit_entry',
  'truncate audit_entry',
])('setting meydan.blanking by hand permits nothing beyond blanking: %s', async (statement) => {
  const before = await entries()
  await expect(run("set local meydan.blanking = 'on'", statement)).rejects.toThrow('audit_entry is append-only')
  expect(await entries()).toEqual(before)
})

test('blanking a workspace removes its personal data and keeps who did what, and when', async () => {
  const other = await withWorkspace(t)
  const before = await entries()
  await sql`select blank_audit_entries(${owner.workspace_id}, null)`.execute(t.deps.db)
  expect(await entries()).toEqual(
    before.map((entry) =>
      entry.workspace_id === owner.workspace_id ? { ...entry, ip: null, user_agent: null, details: {} } : entry,
    ),
  )
  expect(before.some((entry) => entry.workspace_id === other.workspace_id && entry.user_agent)).toBe(true)
})

test('blanking a user removes their personal data in every workspace', async () => {
  const person = await withWorkspace(t)
  const before = await entries()
  await sql`select blank_audit_entries(null, ${person.id})`.execute(t.deps.db)
  expect(await entries()).toEqual(
    before.map((entry) =>
      entry.actor_id === person.id ? { ...entry, ip: null, user_agent: null, details: {} } : entry,
    ),
  )
})

test('nothing else can be changed after blanking in the same transaction', async () => {
  const blank = `select blank_audit_entries('${owner.workspace_id}', null)`
  const change = "update audit_entry set ip = null, user_agent = null, details = '{}'"
  await expect(run(blank, change)).rejects.toThrow('audit_entry is append-only')
})
