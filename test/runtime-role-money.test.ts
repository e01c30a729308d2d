import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inTransaction, type Tx } from '../server/lib/db/database.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  buyByHand,
  lastingOwner,
  subscriptionOf,
} from '../server/modules/billing/billing.fixture.ts'
import { voidInvoice } from '../server/modules/billing/invoices/invoices.ts'
import { requested, withEarnings } from '../server/modules/marketplace/payouts/payouts.fixture.ts'
import { cloneDatabase } from './database.ts'
import { expectStatus, signedIn, type WorkspaceOwner } from './factories.ts'
import { issue } from './invoices.ts'
import { expectLedger } from './ledger.ts'

// Billing and the marketplace run as a role that grant_runtime permits.
const role = `meydan_pays_${randomBytes(4).toString('hex')}`
let database: Awaited<ReturnType<typeof cloneDatabase>>
let owner: pg.Client
let billing: Billing
let customer: WorkspaceOwner
let invoice: { id: string; number: string }
beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'))
  owner = new pg.Client(database.connection)
  await owner.connect()
  await owner.query(`create role ${role} login password 'pays'`)
  await owner.query('select grant_runtime($1)', [role])
  const connection = { ...database.connection, user: role, password: 'pays' }
  billing = await billingApp('manual', {}, { beside: { database: { ...database, connection } } })
  customer = await lastingOwner(billing)
  await buyByHand(billing.admin, customer)
  ;[invoice] = expectStatus(await customer.get('/api/v1/billing/invoices'), 200).body.data
})
afterAll(async () => {
  await billing?.close()
  await owner.query(`drop owned by ${role}`)
  await owner.query(`drop role ${role}`)
  await owner.end()
  await database.drop()
})

describe('a role that only runs Meydan', () => {
  test('sells a plan, renews it, refunds a part, and stores the official number of an invoice', async () => {
    const { t, admin } = billing
    const official = { official_number: 'GIB2026000000042' }
    expectStatus(await admin.patch(`/api/v1/admin/invoices/${invoice.id}`, official), 200)
    expectStatus(
      await admin.post(`/api/v1/admin/invoices/${invoice.id}/refund`, { amount: 100, reason: 'Goodwill' }),
      200,
    )
    await t.runJobs()
    const { current_period_end } = await subscriptionOf(customer)
    await advanceTo(billing, current_period_end)
    const { data } = expectStatus(await customer.get('/api/v1/billing/invoices'), 200).body
    const found: string[] = data.map(({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`)
    // Another test makes one void.
    expect(found.filter((one) => one !== 'invoice void').sort()).toEqual([
      'credit_note paid',
      'invoice open',
      'invoice paid',
    ])
    await expectLedger(t)
  })

  test('makes an open invoice void', async () => {
    const { id } = await issue(billing.t, customer)
    const done = await inTransaction(billing.t.deps.db, (tx) => voidInvoice(tx, billing.t.deps, id))
    expect(done.status).toBe('void')
  })

  test('pays a seller what the ledger holds', async () => {
    const admin = await signedIn(billing.t, { instanceAdmin: true })
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
    const seller = await withEarnings(billing.t, await lastingOwner(billing))
    expect(await requested(seller)).toMatchObject({ status: 'pending' })
    await expectLedger(billing.t)
  })

  test.each([
    'update invoice set total = 1',
    "update invoice set lines = '[]'",
    'delete from invoice',
    'truncate invoice cascade',
    'delete from invoice_series',
    'update ledger_entry set amount = 1',
    'delete from ledger_entry',
    'insert into ledger_entry select * from ledger_entry',
    'update ledger_transaction set occurred_at = now()',
    'delete from ledger_transaction',
    'update ledger_account set balance = 0',
    'delete from ledger_account',
    'truncate ledger_account cascade',
    'alter table ledger_entry disable trigger all',
    'alter function post_ledger_transaction security invoker',
    'alter function post_ledger_transactions security invoker',
  ])('cannot run: %s', async (statement) => {
    await expect(sql.raw(statement).execute(billing.t.deps.db)).rejects.toThrow(/permission denied|must be owner/)
  })
})

const shadow = {
  key: 'shadow',
  hash: '',
  kind: 'test',
  reference: randomUUID(),
  occurred_at: new Date(),
  currency: 'TRY',
}
const accounts = [
  { kind: 'provider_clearing', owner: 'manual' },
  { kind: 'subscription_revenue', owner: '' },
]
test.each([
  [
    'one',
    (tx: Tx, amounts: number[]) =>
      sql`select post_ledger_transaction('shadow', '', 'test', uuidv7(), null, now(), 'TRY',
        array['provider_clearing', 'subscription_revenue']::ledger_account_kind[], array['manual', ''],
        array[null, null]::bigint[], ${amounts}::bigint[])`.execute(tx),
  ],
  [
    'many',
    (tx: Tx, amounts: number[]) => {
      const entries = accounts.map((account, index) => ({ ...account, amount: amounts[index] }))
      return sql`select post_ledger_transactions(${JSON.stringify([{ ...shadow, entries }])}::jsonb)`.execute(tx)
    },
  ],
])('a temporary table cannot take the place of the ledger for %s', async (_, book) => {
  const tables = ['ledger_transaction', 'ledger_entry', 'ledger_account']
  const booked = (amounts: number[]) =>
    inTransaction(billing.t.deps.db, async (tx) => {
      for (const table of tables)
        await sql`create temp table ${sql.ref(table)} (like ${sql.id('public', table)}) on commit drop`.execute(tx)
      await book(tx, amounts)
      // The sums are checked at the end of a transaction, or here.
      await sql`set constraints all immediate`.execute(tx)
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from public.ledger_transaction where idempotency_key = 'shadow'`.execute(tx)
      throw new Error(`${rows[0]?.count} booked, not kept`)
    }).catch((error: Error) => error.message)
  expect(await booked([-1, 1])).toBe('1 booked, not kept')
  expect(await booked([-1, 2])).toMatch(/does not sum to zero/)
})
