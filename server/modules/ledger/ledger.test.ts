import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, signedIn } from '../../../test/factories.ts'
import { waiting } from '../../../test/people.ts'
import { SEED, timesOf } from '../../../test/torture/settings.ts'
import { until } from '../../../test/until.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { LedgerAccount } from './accounts.ts'
import {
  type LedgerEntry,
  lockBalances,
  type NewTransaction,
  postTransaction,
  postTransactions,
  reverseTransaction,
} from './ledger.ts'

const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })

const transaction = (entries: readonly LedgerEntry[], more: Partial<NewTransaction> = {}): NewTransaction => ({
  key: randomUUID(),
  kind: 'test',
  reference: randomUUID(),
  occurred_at: t.clock.now(),
  currency: 'TRY',
  entries,
  ...more,
})
const post = (input: NewTransaction) => inTransaction(t.deps.db, (tx) => postTransaction(tx, input))
const reverse = (key: string) =>
  inTransaction(t.deps.db, (tx) => reverseTransaction(tx, { key, kind: 'test_reversed', occurred_at: t.clock.now() }))
/** Money that came in at a provider and waits for its use. */
const receipt = (provider: string, amount: bigint): LedgerEntry[] => [
  { kind: 'provider_clearing', owner: provider, amount: -amount },
  { kind: 'unapplied_payments', owner: provider, amount },
]
const get = async (path: string) => expectStatus(await admin.get(`/api/v1/admin/ledger/${path}`), 200).body
/** Problems besides those of clearing, which has no payments here. */
const problems = async () =>
  (await get('check')).problems.filter(({ code }: { code: string }) => code !== 'clearing_differs')
const transactionsOf = async (reference: string) => (await get(`transactions?reference=${reference}`)).data
/** The entries of an account in the order of their ids. */
const entriesOf = async (owner: string) => {
  const { rows } = await sql<{ amount: string; balance_after: string }>`
    select amount, balance_after from ledger_entry join ledger_account on ledger_account.id = account_id
    where owner = ${owner} and kind = 'unapplied_payments' order by transaction_id`.execute(t.deps.db)
  return rows.map(({ amount, balance_after }) => ({ amount: Number(amount), balance_after: Number(balance_after) }))
}
/** Checks that each balance of an account is the sum of its amounts until there. */
async function expectBalancesInOrder(owner: string) {
  const entries = await entriesOf(owner)
  const sumUntil = (place: number) => entries.slice(0, place + 1).reduce((sum, { amount }) => sum + amount, 0)
  expect(entries.map(({ balance_after }) => balance_after)).toEqual(entries.map((_, place) => sumUntil(place)))
}
const balanceOf = async (owner: string, kind: LedgerEntry['kind'] = 'unapplied_payments') => {
  const row = await t.deps.db
    .selectFrom('ledger_account')
    .select('balance')
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return BigInt(row?.balance ?? 0)
}

test('a transaction is listed with its entries, and its accounts with their balances', async () => {
  const other = transaction(receipt('not-listed', 100n))
  await post(other)
  const input = transaction(receipt('list', 29_990n))
  await post(input)
  const [listed] = await transactionsOf(input.reference)
  expect(listed).toMatchObject({ kind: 'test', reverses: null })
  const amounts = Object.fromEntries(
    listed.entries.map(({ kind, owner, amount, balance_after }: Record<string, unknown>) => [
      kind,
      [owner, amount, balance_after],
    ]),
  )
  expect(amounts).toEqual({
    provider_clearing: ['list', -299.9, -299.9],
    unapplied_payments: ['list', 299.9, 299.9],
  })
  const { data } = await get('accounts?kind=unapplied_payments')
  expect([...new Set(data.map(({ kind }: { kind: string }) => kind))]).toEqual(['unapplied_payments'])
  const account = data.find(({ owner }: { owner: string }) => owner === 'list')
  expect(account).toMatchObject({ currency: 'TRY', balance: 299.9 })
  expect((await get(`transactions?account_id=${account.id}`)).data).toEqual([listed])
  expect((await get(`transactions?account_id=${account.id}&reference=${other.reference}`)).data).toEqual([])
  const newest = await get('accounts?limit=2')
  const kinds = ['provider_clearing', 'unapplied_payments']
  const names = ({ data }: { data: { kind: string; owner: string }[] }) => data.map((row) => `${row.kind} ${row.owner}`)
  expect(names(newest).sort()).toEqual(kinds.map((kind) => `${kind} list`))
  const rest = await get(`accounts?limit=2&cursor=${newest.next_cursor}`)
  expect(names(rest).sort()).toEqual(kinds.map((kind) => `${kind} not-listed`))
})

describe('a transaction', () => {
  test('that does not sum to zero is refused at the commit, and changes nothing', async () => {
    const [debit] = receipt('unbalanced', 100n)
    if (!debit) throw new Error('A receipt has a debit')
    await expect(post(transaction([debit]))).rejects.toThrow('does not sum to zero')
    await expect(post(transaction([debit, { kind: 'vat_payable', amount: 99n }]))).rejects.toThrow(
      'does not sum to zero',
    )
    expect(await balanceOf('unbalanced', 'provider_clearing')).toBe(0n)
  })

  test('that would bring what Meydan owes below zero is refused, and changes nothing', async () => {
    await post(transaction(receipt('bound', 100n)))
    await expect(post(transaction(receipt('bound', -101n)))).rejects.toThrow('ledger_account_min_balance')
    await post(transaction(receipt('bound', -100n)))
    expect(await balanceOf('bound')).toBe(0n)
  })

  test('may bring what Meydan earned or holds below zero, and nothing of what it owes', async () => {
    const { rows } = await sql<{ kind: LedgerEntry['kind'] }>`
      select unnest(enum_range(null::ledger_account_kind)) as kind`.execute(t.deps.db)
    const bounded: string[] = []
    for (const { kind } of rows) {
      const debit = transaction([
        { kind, owner: 'debited', amount: -1n },
        { kind: 'bank', owner: 'credited', amount: 1n },
      ])
      // Undone, because the modules of these accounts know nothing of it.
      const posted = inTransaction(t.deps.db, async (tx) => {
        await postTransaction(tx, debit)
        throw new Error('undone')
      })
      const message = await posted.catch((error) => String(error))
      expect(message).toMatch(/undone|ledger_account_min_balance/)
      if (!message.includes('undone')) bounded.push(kind)
    }
    expect(bounded.sort()).toEqual([
      'escrow',
      'payout_clearing',
      'refunds_payable',
      'seller_available',
      'seller_pending',
      'unapplied_payments',
    ])
  })

  test('is posted once for a key, however many try at once, in any order of its entries', async () => {
    const entries = receipt('key', 100n)
    const input = transaction(entries)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => post({ ...input, entries: index % 2 ? entries : entries.toReversed() })),
    )
    expect(await balanceOf('key')).toBe(100n)
    expect(await transactionsOf(input.reference)).toHaveLength(1)
  })

  test('is reversed once, and a reversal never', async () => {
    const input = transaction(receipt('reversed', 100n))
    await post(input)
    await reverse(input.key)
    expect(await balanceOf('reversed')).toBe(0n)
    const [reversal, original] = await transactionsOf(input.reference)
    expect(reversal).toMatchObject({ kind: 'test_reversed', reverses: original.id })
    await expect(reverse(`reversal:${input.key}`)).rejects.toThrow('can be reversed')
    await expect(reverse(randomUUID())).rejects.toThrow('can be reversed')
  })

  test('is reversed once by many at one moment, and fails for none of them', async () => {
    for (let round = 0; round < 100; round++) {
      const input = transaction(receipt('reversed-by-many', 100n))
      await post(input)
      await Promise.all(Array.from({ length: 8 }, () => reverse(input.key)))
      expect(await transactionsOf(input.reference)).toHaveLength(2)
    }
    expect(await balanceOf('reversed-by-many')).toBe(0n)
  })

  test('with the key of another is refused', async () => {
    const input = transaction(receipt('other-key', 100n))
    await post(input)
    await expect(post({ ...input, entries: receipt('other-key', 101n) })).rejects.toThrow('another transaction')
    await expect(post({ ...input, reference: randomUUID() })).rejects.toThrow('another transaction')
    expect(await balanceOf('other-key')).toBe(100n)
  })

  test.each(['ledger_transaction', 'ledger_entry', 'ledger_account'])('is never removed: %s', async (table) => {
    await post(transaction(receipt('kept', 1n)))
    for (const statement of [`delete from ${table}`, `truncate ${table} cascade`])
      await expect(sql.raw(statement).execute(t.deps.db)).rejects.toThrow('is append-only')
  })

  test.each(['update ledger_transaction set occurred_at = now()', 'update ledger_entry set amount = amount + 1'])(
    'is never changed: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(t.deps.db)).rejects.toThrow('is append-only')
    },
  )
})

test(`whatever is posted at once, the ledger adds up and equals a model (seed ${SEED})`, async () => {
  const providers = ['a', 'b', 'c', 'd']
  const transfer = fc.record({
    from: fc.constantFrom(...providers),
    to: fc.constantFrom(...providers),
    amount: fc.bigInt({ min: 1n, max: 1000n }),
    repeated: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 10, maxLength: 40 }), async (transfers) => {
      const run = randomUUID()
      const owners = providers.map((name) => `${name} ${run}`)
      const balances = new Map(owners.map((owner) => [owner, 500n]))
      await Promise.all(owners.map((owner) => post(transaction(receipt(owner, 500n)))))
      await Promise.all(
        transfers
          .filter(({ from, to }) => from !== to)
          .map(async ({ from, to, amount, repeated }) => {
            const input = transaction([
              { kind: 'unapplied_payments', owner: `${from} ${run}`, amount: -amount },
              { kind: 'unapplied_payments', owner: `${to} ${run}`, amount },
            ])
            const results = await Promise.allSettled([post(input), ...(repeated ? [post(input)] : [])])
            const refused = results.find((result) => result.status === 'rejected')
            if (refused) expect(String(refused.reason)).toContain('ledger_account_min_balance')
            if ((await transactionsOf(input.reference)).length === 0) return
            balances.set(`${from} ${run}`, (balances.get(`${from} ${run}`) ?? 0n) - amount)
            balances.set(`${to} ${run}`, (balances.get(`${to} ${run}`) ?? 0n) + amount)
          }),
      )
      for (const [owner, balance] of balances) {
        expect(await balanceOf(owner), owner).toBe(balance)
        await expectBalancesInOrder(owner)
      }
      expect([...balances.values()].every((balance) => balance >= 0n)).toBe(true)
      expect(await problems()).toEqual([])
    }),
    { numRuns: timesOf('LEDGER_RUNS', 5), seed: SEED },
  )
})

describe('many transactions', () => {
  const postMany = (inputs: readonly NewTransaction[]) => inTransaction(t.deps.db, (tx) => postTransactions(tx, inputs))

  test('are posted once, in their order, beside others with the same accounts', async () => {
    const owner = `many-${randomUUID()}`
    const many = Array.from({ length: 600 }, (_, index) => transaction(receipt(owner, BigInt(1 + index))))
    const singles = Array.from({ length: 20 }, () => transaction(receipt(owner, 1000n)))
    await Promise.all([postMany(many), postMany(many), ...singles.map(post)])
    await postMany([...many, ...singles])
    expect(await balanceOf(owner)).toBe((600n * 601n) / 2n + 20_000n)
    const amounts = (await entriesOf(owner)).map(({ amount }) => amount)
    expect(amounts.filter((amount) => amount < 1000)).toEqual(Array.from({ length: 600 }, (_, index) => 1 + index))
    await expectBalancesInOrder(owner)
    expect(await problems()).toEqual([])
  })

  test('lock all accounts of a long list at first, so that no other transaction with them is a deadlock', async () => {
    const [first, second] = [`first-${randomUUID()}`, `second-${randomUUID()}`]
    // The accounts are locked in this order.
    for (const owner of [first, second]) await post(transaction(receipt(owner, 1n)))
    const many = Array.from({ length: 502 }, (_, index) => transaction(receipt(index === 500 ? first : second, 1n)))
    // Transactions are tried again after a deadlock.
    let attempts = 0
    const attempt = <T>(work: (tx: Tx) => Promise<T>) =>
      inTransaction(t.deps.db, (tx) => {
        attempts++
        return work(tx)
      })
    const { posted } = await attempt(async (tx) => {
      await postTransaction(tx, transaction(receipt(first, 10n)))
      const posted = Promise.allSettled([attempt((other) => postTransactions(other, many))])
      await until(async () => expect(await waiting(t)).toBe(1))
      await postTransaction(tx, transaction(receipt(second, 10n)))
      return { posted }
    })
    await posted
    expect(attempts).toBe(2)
    expect([await balanceOf(first), await balanceOf(second)]).toEqual([12n, 512n])
  })

  test('are refused when two have the same key', async () => {
    const owner = `twice-${randomUUID()}`
    const one = transaction(receipt(owner, 5n))
    await expect(postMany([one, one])).rejects.toThrow('the same key')
    expect(await balanceOf(owner)).toBe(0n)
  })

  test('are refused when one does not sum to zero, falls below a bound, or has a key of another', async () => {
    const owner = `none-${randomUUID()}`
    const good = transaction(receipt(owner, 5n))
    await post(good)
    const [debit] = receipt(owner, 7n)
    if (!debit) throw new Error('A receipt has a debit')
    const refused: [NewTransaction, RegExp][] = [
      [transaction([debit]), /does not sum to zero/],
      [transaction(receipt(owner, 6n), { key: good.key }), /another transaction with a key/],
      [
        transaction([
          { kind: 'escrow', owner, amount: -1n },
          { kind: 'bank', owner, amount: 1n },
        ]),
        /ledger_account_min_balance/,
      ],
    ]
    for (const [input, message] of refused)
      await expect(postMany([transaction(receipt(owner, 9n)), input])).rejects.toThrow(message)
    expect(await balanceOf(owner)).toBe(5n)
  })

  test('each balance follows from that of the id before, also after the clock of PostgreSQL was set back', async () => {
    const owner = `clock-${randomUUID()}`
    await post(transaction(receipt(owner, 1n)))
    await sql`with ahead as (
        insert into ledger_transaction (id, idempotency_key, input_hash, kind, reference, occurred_at)
        values (uuidv7(interval '1 hour'), ${`ahead ${owner}`}, '', 'test', uuidv7(), now()) returning id
      ), moved as (
        update ledger_account set balance = balance + case kind when 'unapplied_payments' then 2 else -2 end
        where owner = ${owner} returning id, balance, kind
      ) insert into ledger_entry (transaction_id, account_id, amount, balance_after)
      select ahead.id, moved.id, case kind when 'unapplied_payments' then 2 else -2 end, balance from ahead, moved`.execute(
      t.deps.db,
    )
    await post(transaction(receipt(owner, 3n)))
    await postMany([4n, 5n].map((amount) => transaction(receipt(owner, amount))))
    expect((await entriesOf(owner)).map((entry) => entry.balance_after)).toEqual([1, 3, 6, 10, 15])
  })
})

test('locked balances are in the order in which they were named, and zero for an account without entries', async () => {
  const owner = `locked-${randomUUID()}`
  await post(transaction(receipt(owner, 7n)))
  await post(
    transaction([
      { kind: 'vat_payable', amount: 3n },
      { kind: 'subscription_revenue', amount: -3n },
    ]),
  )
  const accounts: LedgerAccount[] = [
    { kind: 'unapplied_payments', owner },
    { kind: 'unapplied_payments', owner: 'nobody' },
    { kind: 'vat_payable' },
    { kind: 'provider_clearing', owner },
  ]
  const balances = await inTransaction(t.deps.db, (tx) => lockBalances(tx, 'TRY', accounts))
  expect(balances).toEqual([7n, 0n, 3n, -7n])
})

describe('the check', () => {
  test('finds money at a provider without a payment, and a balance that was changed', async () => {
    const own = await testApp()
    try {
      const person = await signedIn(own, { instanceAdmin: true })
      const check = async () => expectStatus(await person.get('/api/v1/admin/ledger/check'), 200).body
      expect(await check()).toEqual({ ok: true, problems: [] })
      await inTransaction(own.deps.db, (tx) => postTransaction(tx, transaction(receipt('stripe', 100n))))
      const differs = {
        code: 'clearing_differs',
        detail: 'The ledger has 1.00 TRY in clearing at stripe, and payments less refunds and movements are 0.00 TRY.',
      }
      expect(await check()).toEqual({ ok: false, problems: [differs] })
      await sql`update ledger_account set balance = balance + 1 where kind = 'unapplied_payments'`.execute(own.deps.db)
      expect(await check()).toMatchObject({ ok: false, problems: [{ code: 'wrong_balance' }, differs] })
    } finally {
      await own.close()
    }
  })

  test('finds transactions without entries and those that do not sum to zero, and balances below their bound', async () => {
    const own = await testApp()
    onTestFinished(own.close)
    const person = await signedIn(own, { instanceAdmin: true })
    const input = transaction([
      { kind: 'vat_payable', amount: 250n },
      { kind: 'bank', owner: 'stripe', amount: -250n },
    ])
    await inTransaction(own.deps.db, (tx) => postTransaction(tx, input))
    const { id } = await own.deps.db
      .selectFrom('ledger_account')
      .select('id')
      .where('kind', '=', 'vat_payable')
      .executeTakeFirstOrThrow()
    // The database refuses all of this, so its rules are lifted first.
    await sql`alter table ledger_entry disable trigger user`.execute(own.deps.db)
    await sql`update ledger_entry set amount = 300 where account_id = ${id}`.execute(own.deps.db)
    await sql`alter table ledger_account drop constraint ledger_account_min_balance`.execute(own.deps.db)
    await sql`update ledger_account set balance = 300, min_balance = 400 where id = ${id}`.execute(own.deps.db)
    await sql`insert into ledger_transaction (idempotency_key, input_hash, kind, reference, occurred_at)
      select 'empty ' || n, '', 'test', uuidv7(), now() from generate_series(1, 21) n`.execute(own.deps.db)
    const { body } = expectStatus(await person.get('/api/v1/admin/ledger/check'), 200)
    const details = (code: string): string[] =>
      body.problems.filter((one: { code: string }) => one.code === code).map((one: { detail: string }) => one.detail)
    expect(details('unbalanced_transaction')).toEqual([
      expect.stringMatching(/^The entries of transaction [\w-]{36} sum to 0\.50 TRY\.$/),
    ])
    expect(details('balance_below_bound')).toEqual([`The balance of account ${id} is 3.00 TRY, below 4.00.`])
    expect(details('wrong_balance')).toEqual([])
    // Each rule reports so many.
    expect(details('empty_transaction')).toHaveLength(20)
    expect(details('empty_transaction')[0]).toMatch(/^Transaction [\w-]{36} has no entries\.$/)
  })
})
