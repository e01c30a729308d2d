import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { SettlementReading } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type Provider, ProviderError, type ProviderName, providerNames } from '../providers/provider.ts'
import { missingSettings, providerOf } from '../providers/registry.ts'
import { bookLines, isNotBooked } from './book-lines.ts'

/** Pages that one run reads. The next run goes on where it ended. */
const MAX_PAGES = 200
/** Time before the end of the last pass that is read again: a provider may list a movement late. */
const OVERLAP_MS = DAY

type Reader = Provider & Required<Pick<Provider, 'readMovements' | 'readBalances'>>
type Reading = Selectable<SettlementReading>

const isReader = (provider: Provider): provider is Reader =>
  provider.readMovements !== undefined && provider.readBalances !== undefined

/** Books the movements of each provider that lists them, and compares its balance with the ledger. */
export async function readSettlements(deps: Deps) {
  for (const provider of providerNames.map(providerOf).filter(isReader))
    if ((await missingSettings(deps, provider)).length === 0) await readProvider(deps, provider)
}

async function readProvider(deps: Deps, provider: Reader) {
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const reading = await beginPage(deps, provider.name)
    const { lines, next } = await readPage(deps, provider, reading)
    await inTransaction(deps.db, (tx) => bookLines(tx, provider.name, lines))
    const pass = next === null ? { read_to: reading.pass_at, pass_at: null } : {}
    const version = await advance(deps.db, reading, { ...pass, page_after: next })
    // Another node goes on from this page.
    if (version === undefined) return
    if (next === null) return compareBalances(deps, provider, { ...reading, read_to: reading.pass_at, version })
  }
}

/** The state of the pass that is under way. Begins one if none is. */
const beginPage = (deps: Deps, provider: ProviderName): Promise<Reading> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await tx
      .insertInto('settlement_reading')
      .values({ provider, pass_at: now })
      .onConflict((conflict) => conflict.column('provider').doNothing())
      .execute()
    const reading = await tx
      .selectFrom('settlement_reading')
      .selectAll()
      .where('provider', '=', provider)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (reading.pass_at) return reading
    return tx
      .updateTable('settlement_reading')
      .set({ pass_at: now, page_after: null })
      .where('provider', '=', provider)
      .returningAll()
      .executeTakeFirstOrThrow()
  })

/** Writes how far a provider was read, unless another node did since. Returns the new version. */
async function advance(
  db: Db,
  { provider, version }: Reading,
  state: Partial<Pick<Reading, 'read_to' | 'pass_at' | 'page_after' | 'balances_at'>> & { balances?: string },
) {
  const row = await db
    .updateTable('settlement_reading')
    .set(state)
    .where('provider', '=', provider)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
  return row?.version
}

const sinceOf = ({ read_to }: Reading) => read_to && new Date(read_to.getTime() - OVERLAP_MS)

async function readPage(deps: Deps, provider: Reader, reading: Reading) {
  const { page_after: after } = reading
  try {
    const page = await provider.readMovements(deps, { since: sinceOf(reading), after })
    if (page.next !== null && page.next === after)
      throw new ProviderError('refused', `${provider.name} returned the same page of movements again.`)
    return page
  } catch (error) {
    // The movement after which the page begins may be gone. The next run begins a pass.
    if (after !== null && error instanceof ProviderError && error.kind === 'refused')
      await advance(deps.db, reading, { pass_at: null, page_after: null })
    throw error
  }
}

/** Keeps the balances of the provider beside those of the ledger, if nothing moved while they were read. */
async function compareBalances(deps: Deps, provider: Reader, reading: Reading) {
  const reported = await provider.readBalances(deps)
  const balances_at = deps.clock.now()
  const { lines } = await provider.readMovements(deps, { since: sinceOf(reading), after: null })
  if ((await inTransaction(deps.db, (tx) => bookLines(tx, provider.name, lines))) > 0) return
  const booked = await bookedBalances(deps.db, provider.name)
  const currencies = [...new Set([...reported.keys(), ...booked.keys()])]
  const balances = currencies.map((currency) => [
    currency,
    { reported: String(reported.get(currency) ?? 0n), booked: String(booked.get(currency) ?? 0n) },
  ])
  await advance(deps.db, reading, { balances: JSON.stringify(Object.fromEntries(balances)), balances_at })
}

/** Balances by the ledger; by the movements in currencies that it does not have. */
async function bookedBalances(db: Db, provider: ProviderName) {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select currency::text, -balance as amount from ledger_account where kind = 'provider_balance' and owner = ${provider}
    union all
    select currency, sum(amount - fee) from settlement_line
    where provider = ${provider} and ${isNotBooked} group by currency`.execute(db)
  return new Map(rows.map(({ currency, amount }) => [currency, BigInt(amount)]))
}
