import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, signedIn, withWorkspace } from '../../../test/factories.ts'
import { lastMail } from '../../../test/people.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { PREFERENCES, seenBy } from '../notifications/notifications.fixture.ts'
import { checkLedgerNightly } from './nightly-check.ts'

const t = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9' })
const admin = await signedIn(t, { instanceAdmin: true })

async function night() {
  t.advance(86_400_000)
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'check-ledger', {}))
  await t.runJobs()
}

/** An account whose balance has no entries. */
const setBalance = (balance: number) =>
  sql`insert into ledger_account (kind, owner, currency, balance) values ('unapplied_payments', 'broken', 'TRY', ${balance})
    on conflict (kind, owner, currency) do update set balance = excluded.balance`.execute(t.deps.db)

const found = async () => {
  const person = await signedIn(t, { instanceAdmin: true })
  const { body } = expectStatus(await person.get('/api/v1/admin/status'), 200)
  return body.checks.find(({ name }: { name: string }) => name === 'ledger')
}
const mails = async () =>
  (
    await t.deps.db
      .selectFrom('mail')
      .select(['to_address', 'subject'])
      .where('key', '=', 'ledger-check-failed')
      .where('to_address', '=', admin.email)
      .execute()
  ).map(({ subject }) => subject)
const actions = async () =>
  (
    await t.deps.db
      .selectFrom('audit_entry')
      .select(['action', 'details'])
      .where('action', 'like', 'ledger.%')
      .orderBy('id')
      .execute()
  ).map(({ action, details }) => [action, details])

test('the nightly check is kept, and admins get one mail when the ledger turns bad', async () => {
  expect(await found()).toMatchObject({ code: 'ledger.never', level: 'ok' })
  await night()
  expect(await found()).toMatchObject({ code: 'ledger.ok', values: { checked_at: t.clock.now().toISOString() } })
  expect(await mails()).toEqual([])

  await setBalance(100)
  await night()
  expect(await found()).toMatchObject({
    code: 'ledger.wrong',
    level: 'error',
    values: { count: 1, detail: expect.stringContaining('is 1.00 TRY, and its entries sum to 0.00') },
  })
  await night()
  expect(await mails()).toEqual(['The ledger does not add up'])

  await setBalance(0)
  await night()
  expect((await found()).code).toBe('ledger.ok')
  await setBalance(50)
  await night()
  expect(await mails()).toHaveLength(2)
  expect(await actions()).toEqual([
    ['ledger.check_failed', { problems: 1 }],
    ['ledger.check_passed', { problems: 0 }],
    ['ledger.check_failed', { problems: 1 }],
  ])

  t.advance(3 * 86_400_000)
  await setBalance(0)
  await night()
  t.advance(3 * 86_400_000)
  expect(await found()).toMatchObject({ code: 'ledger.stale', level: 'warning' })
})

test('admins get another mail for a problem of another kind, and none for more of the same', async () => {
  const own = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9' })
  onTestFinished(own.close)
  const person = await signedIn(own, { instanceAdmin: true, name: 'Grace' })
  const nightWith = (...found: [code: string, detail: string][]) =>
    checkLedgerNightly(own.deps, {
      checks: [],
      compareProviders: async () => found.map(([code, detail]) => ({ code, detail })),
    })
  const count = async () =>
    (await own.deps.db.selectFrom('mail').select('id').where('key', '=', 'ledger-check-failed').execute()).length
  await nightWith(['fee_missing', 'One'])
  await nightWith(['fee_missing', 'One'], ['fee_missing', 'Two'])
  expect(await count()).toBe(1)
  await nightWith(['fee_missing', 'One'], ['balance_differs', 'TRY'])
  expect(await count()).toBe(2)
  const { to_name, locale, body_text } = await lastMail(own, person.email)
  expect([to_name, locale]).toEqual(['Grace', 'en'])
  expect(body_text).toMatch(/Problems:? +2\b/)
  expect(body_text).toMatch(/The first:? +TRY\b/)
  expect(body_text).toContain('http://meydan.test/admin/ledger')
  await nightWith(['fee_missing', 'One'])
  expect(await count()).toBe(2)
})

test('a check keeps some problems of a provider, however many it has', async () => {
  const own = await testApp()
  onTestFinished(own.close)
  const compareProviders = async () =>
    Array.from({ length: 21 }, (_, index) => ({ code: 'paid_checkout', detail: `Checkout ${index}` }))
  await checkLedgerNightly(own.deps, { checks: [], compareProviders })
  const { problems } = await own.deps.db.selectFrom('ledger_check').select('problems').executeTakeFirstOrThrow()
  expect(problems).toHaveLength(20)
})

test('instance admins are notified in the console, as long as they are that, and nobody else', async () => {
  const own = await testApp()
  onTestFinished(own.close)
  const [one, other] = [await signedIn(own, { instanceAdmin: true }), await signedIn(own, { instanceAdmin: true })]
  const owner = await withWorkspace(own)
  const detail = 'Movement txn_1 of -50.00 TRY at stripe is of a kind that is not known.'
  const nightWith = (...codes: string[]) =>
    checkLedgerNightly(own.deps, {
      checks: [],
      compareProviders: async () => codes.map((code) => ({ code, detail })),
    })
  for (const codes of [['settlement_suspense'], ['settlement_suspense'], ['settlement_suspense', 'fee_missing']]) {
    own.advance(86_400_000)
    await nightWith(...codes)
    await own.runJobs()
  }
  for (const person of [one, other])
    expect(await seenBy(person)).toMatchObject([
      {
        kind: 'ledger.check_failed',
        workspace: null,
        subject: { type: 'installation' },
        detail,
        count: 2,
        unread: true,
      },
    ])
  expect(await seenBy(owner)).toEqual([])
  const [{ id }] = await seenBy(one)
  expectStatus(await one.post(`/api/v1/me/notifications/${id}/read`, {}), 204)
  expect(await seenBy(one, '?state=unread')).toEqual([])
  await own.deps.db.updateTable('user').set({ is_instance_admin: false }).where('id', '=', other.id).execute()
  expect(await seenBy(other)).toEqual([])
  const kindsOf = async (person: Pick<typeof one, 'get'>) =>
    expectStatus(await person.get(PREFERENCES), 200).body.kinds.map(({ kind }: { kind: string }) => kind)
  expect(await kindsOf(one)).toContain('ledger.check_failed')
  expect(await kindsOf(owner)).not.toContain('ledger.check_failed')
})

test('a payment that its provider reported stays a problem while that provider does not respond', async () => {
  const own = await testApp()
  onTestFinished(own.close)
  const nightWith = (...codes: string[]) =>
    checkLedgerNightly(own.deps, {
      checks: [],
      compareProviders: async () => codes.map((code) => ({ code, detail: `One of ${code}` })),
    })
  const stored = async () => {
    const row = await own.deps.db.selectFrom('ledger_check').select('problems').executeTakeFirst()
    return row?.problems
  }
  const missing = { code: 'paid_checkout', detail: 'One of paid_checkout' }
  await nightWith('paid_checkout')
  await nightWith('checkouts_not_compared')
  expect(await stored()).toEqual([missing])
  await nightWith('paid_checkout', 'checkouts_not_compared')
  expect(await stored()).toEqual([missing])
  const fee = { code: 'fee_missing', detail: 'One of fee_missing' }
  await nightWith('paid_checkout', 'fee_missing', 'checkouts_not_compared')
  expect(await stored()).toEqual([missing, fee])
  await nightWith('checkouts_not_compared')
  expect(await stored()).toEqual([missing])
  await nightWith()
  expect(await stored()).toEqual([])
})

test('each finding has a remedy in the documentation and in both languages of the console', async () => {
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const guide = await read('docs/billing.md')
  const codes = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  expect(codes).toContain('wrong_balance')
  for (const language of ['en', 'tr']) {
    const { admin } = JSON.parse(await read(`console/features/billing/locales/instance-admin/${language}.json`))
    const { other: _, ...remedies } = admin.ledger.remedy
    expect(codes).toEqual(expect.arrayContaining(Object.keys(remedies)))
    expect(Object.keys(admin.ledger.rule)).toEqual(Object.keys(remedies))
  }
})
