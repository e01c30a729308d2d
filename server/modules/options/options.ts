import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { notFound, Problem, problem } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Keyring, seal, unseal } from '../../lib/crypto.ts'
import { type Db, inTransaction, newId, type Tx } from '../../lib/database.ts'
import type { IfMatch } from '../../lib/etag.ts'
import { locks } from '../../lib/locks.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { type Soon, soon } from '../../lib/soon.ts'
import {
  type Input,
  keyOfModel,
  modelOfKey,
  order,
  type Plain,
  plain,
  plainOf,
  type SecretKey,
  secretOf,
  settingOf,
  type Values,
} from './catalogue.ts'
import type * as schema from './options.schema.ts'

/** A row that overrides the environment or a default. */
type Row = {
  id: string
  key: string
  value: unknown
  secret: string | null
  last4: string | null
  updated_at: Date
  version: number
}
type Rows = ReadonlyMap<string, Row>

/** What may be told of a secret. */
export type SecretState = { set: boolean; last4: string | null }

/**
 * The options as they are now: overridden, else by the environment, else by default. A read costs nothing while the
 * pulse is heard; `db` is where to read otherwise, for who holds a transaction.
 */
export type Options = {
  get: <K extends keyof Values>(key: K, db?: Db) => Soon<Values[K]>
  /** As the database has it, whatever is kept here: for what must not change before a transaction commits. */
  readNow: <K extends keyof Values>(tx: Tx, key: K) => Promise<Values[K]>
  /** The open value of a secret. */
  secret: (key: SecretKey, db?: Db) => Promise<string | undefined>
  isSet: (key: SecretKey, db?: Db) => Soon<boolean>
  /** Calls `listener` when an option has changed, or may have. */
  onChange: (listener: () => void) => void
}

/** For what no announcement tells: a row that was changed by hand is believed no longer than this. */
const FRESH_MS = 15_000

const placeOf = (id: string) => `option|${id}|secret`

async function readRows(db: Db, key?: string): Promise<Rows> {
  const rows: Row[] = await db
    .selectFrom('option')
    .selectAll()
    .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** The value of a row; undefined when this version would not have taken it. */
function overrideOf({ parse }: Plain, row: Row | undefined): Input | undefined {
  if (!row || row.value === null) return undefined
  try {
    return parse(row.value as Input)
  } catch {
    return undefined
  }
}

const withoutOverride = (config: Config, entry: Plain) => (settingOf(config, entry)?.value ?? entry.default) as Input

const effective = <K extends keyof Values>(config: Config, key: K, rows: Rows) => {
  const entry = plain[key] as unknown as Plain
  return (overrideOf(entry, rows.get(key)) ?? withoutOverride(config, entry)) as Values[K]
}

const secretSetting = (config: Config, key: string) => {
  const entry = secretOf(key)
  return entry && (settingOf(config, entry)?.value as string | undefined)
}

export function createOptions({
  config,
  db: own,
  keyring,
  pulse,
}: {
  config: Config
  db: Db
  keyring: Keyring
  pulse: Pulse
}): Options {
  let kept: { rows: Rows; until: number } | undefined
  let reading: Promise<Rows> | undefined
  const listeners: (() => void)[] = []
  pulse.onInvalid((message) => {
    if (message !== undefined && message !== 'options') return
    kept = undefined
    // What was read before this announcement may be what it was about.
    reading = undefined
    for (const listener of listeners) listener()
  })

  const readAndKeep = () => {
    if (reading) return reading
    const read: Promise<Rows> = readRows(own)
      .then((rows) => {
        if (reading === read) kept = { rows, until: performance.now() + FRESH_MS }
        return rows
      })
      .finally(() => {
        if (reading === read) reading = undefined
      })
    reading = read
    return read
  }
  const rowsNow = (db: Db): Soon<Rows> => {
    if (kept && pulse.isHeard() && performance.now() < kept.until) return kept.rows
    // What a transaction reads may be its own change, which nobody else may take for true.
    return db.isTransaction ? readRows(db) : readAndKeep()
  }

  return {
    get: (key, db = own) => soon(rowsNow(db), (rows) => effective(config, key, rows)),
    readNow: async (tx, key) => effective(config, key, await readRows(tx, key)),
    secret: async (key, db = own) => {
      const row = (await rowsNow(db)).get(key)
      return row?.secret ? openSecret({ keyring }, { id: row.id, secret: row.secret }) : secretSetting(config, key)
    },
    isSet: (key, db = own) =>
      soon(rowsNow(db), (rows) => Boolean(rows.get(key)?.secret) || secretSetting(config, key) !== undefined),
    onChange: (listener) => listeners.push(listener),
  }
}

/** The open value of a secret whose row was read with something else, so that both are of one moment. */
export const openSecret = ({ keyring }: { keyring: Keyring }, { id, secret }: { id: string; secret: string }) =>
  unseal(keyring, secret, placeOf(id))

/** Of a short secret four characters would be too much of it. */
const LONG_ENOUGH = 12
const last4Of = (secret: string) => (secret.length >= LONG_ENOUGH ? secret.slice(-4) : null)
const stateOf = (secret: string | undefined): SecretState =>
  secret === undefined ? { set: false, last4: null } : { set: true, last4: last4Of(secret) }
const stateOfRow = (row: Row | undefined): SecretState | undefined =>
  row?.secret ? { set: true, last4: row.last4 } : undefined

/** One change at a time, so that the audit log tells what each began with. Rows that a value must fit are locked before. */
const lockOptions = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.options})`.execute(tx)

/** `version` is 0 while nothing is overridden. */
function describe(
  config: Config,
  key: string,
  row: Row | undefined,
): Static<typeof schema.Option> & { version: number } {
  const entry = plainOf(key)
  const about = entry ?? secretOf(key)
  if (!about) throw notFound()
  const setting = settingOf(config, about)
  const shared = {
    key,
    group: about.group,
    description: about.description,
    environment: about.environment ? { key: about.environment, is_set: setting?.is_set ?? false } : null,
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? 0,
  }
  const source = (isOverridden: boolean) =>
    isOverridden ? ('override' as const) : setting?.is_set ? ('environment' as const) : ('default' as const)
  if (!entry) {
    const fallback = stateOf(secretSetting(config, key))
    const own = stateOfRow(row)
    return {
      ...shared,
      type: 'secret',
      value: own ?? fallback,
      default: fallback,
      source: source(own !== undefined),
      values: null,
    }
  }
  const override = overrideOf(entry, row)
  const fallback = withoutOverride(config, entry)
  return {
    ...shared,
    type: entry.type,
    value: override ?? fallback,
    default: fallback,
    source: source(override !== undefined),
    values: entry.values ? [...entry.values] : null,
  }
}

/** Throws 404 unless the catalogue has this key; of the key of a model, unless there is the model, which is then kept. */
async function checkKey(db: Db, key: string, { lock = false } = {}) {
  const model_id = modelOfKey(key)
  if (model_id === undefined) {
    if (!plainOf(key) && !secretOf(key)) throw notFound()
    return
  }
  const model = await db
    .selectFrom('ai_model')
    .select('id')
    .where('id', '=', model_id)
    .$if(lock, (query) => query.forKeyShare())
    .executeTakeFirst()
  if (!model) throw notFound()
}

export async function listOptions({ db, config }: Pick<Deps, 'db' | 'config'>) {
  const rows = await readRows(db)
  const models = [...rows.keys()]
    .flatMap((key) => modelOfKey(key) ?? [])
    .sort((a, b) => a - b)
    .map(keyOfModel)
  return { data: [...order, ...models].map((key) => describe(config, key, rows.get(key))), next_cursor: null }
}

export async function readOption({ db, config }: Pick<Deps, 'db' | 'config'>, key: string) {
  await checkKey(db, key)
  return describe(config, key, (await readRows(db, key)).get(key))
}

const changed = { updated_at: sql<Date>`now()`, version: sql<number>`default` }

type StoreDeps = Pick<Deps, 'keyring' | 'pulse'>

/** Whether this is what the row holds. One that cannot be opened holds something else, and may be replaced. */
function opens(keyring: Keyring, { id, secret }: Row, wanted: string) {
  try {
    return secret !== null && unseal(keyring, secret, placeOf(id)) === wanted
  } catch {
    return false
  }
}

/** Writes a secret, or removes it. Audits nothing. The lock on what it belongs to comes before. */
async function writeSecret({ keyring, pulse }: StoreDeps, tx: Tx, key: string, secret: string | null) {
  await lockOptions(tx)
  const row = (await readRows(tx, key)).get(key)
  if (secret === null ? !row?.secret : row && opens(keyring, row, secret)) return
  if (secret === null) await tx.deleteFrom('option').where('key', '=', key).execute()
  else {
    const id = row?.id ?? (await newId(tx))
    const sealed = { secret: seal(keyring, secret, placeOf(id)), last4: last4Of(secret) }
    if (row)
      await tx
        .updateTable('option')
        .set({ ...sealed, value: null, ...changed })
        .where('id', '=', id)
        .execute()
    else
      await tx
        .insertInto('option')
        .values({ id, key, ...sealed })
        .execute()
  }
  await pulse.announce(tx, 'options')
}

async function writeValue({ pulse }: StoreDeps, tx: Tx, key: string, value: Input | null) {
  if (value === null) await tx.deleteFrom('option').where('key', '=', key).execute()
  else {
    const set = { value: JSON.stringify(value), secret: null, last4: null }
    await tx
      .insertInto('option')
      .values({ key, ...set })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...set, ...changed }))
      .execute()
  }
  await pulse.announce(tx, 'options')
}

const problemOf = (error: unknown) => {
  if (error instanceof Problem) return error
  throw error
}

/** Sets an option (null: takes the override back), and notes it when that changes anything. */
async function change(
  { db, config, ...deps }: Deps,
  caller: User,
  key: string,
  value: Input | null,
  ifMatch: IfMatch = () => undefined,
) {
  return inTransaction(db, async (tx) => {
    await checkKey(tx, key, { lock: true })
    const entry = plainOf(key)
    const wanted = value === null ? null : (entry ?? secretOf(key))?.parse(value)
    const next = entry && ((wanted ?? withoutOverride(config, entry)) as Input)
    const misfit = next === undefined ? undefined : await entry?.check?.(tx, next).then(() => undefined, problemOf)
    if (misfit && wanted !== null) throw misfit
    await lockOptions(tx)
    const former = (await readRows(tx, key)).get(key)
    ifMatch(former?.version ?? 0)
    if (misfit && former)
      throw problem('invalid_transition', {
        detail: `Without this option it is ${next}, which cannot be used now. ${misfit.options.errors?.[0]?.message ?? ''}`,
        extra: { state: 'unusable' },
      })
    if (!entry) await writeSecret(deps, tx, key, (wanted ?? null) as string | null)
    else if (wanted === null ? former : !former || overrideOf(entry, former) !== wanted)
      await writeValue(deps, tx, key, wanted ?? null)
    const row = (await readRows(tx, key)).get(key)
    const [before, after] = [describe(config, key, former), describe(config, key, row)]
    if (former?.secret !== row?.secret || former?.value !== row?.value)
      await audit(tx, caller, 'options.changed', key, {
        before: { value: before.value, source: before.source },
        after: { value: after.value, source: after.source },
      })
    return after
  })
}

export const setOption = (
  deps: Deps,
  caller: User,
  key: string,
  { value }: Static<typeof schema.OptionValue>,
  ifMatch?: IfMatch,
) => change(deps, caller, key, value, ifMatch)

export async function unsetOption(deps: Deps, caller: User, key: string) {
  await change(deps, caller, key, null)
}

/**
 * Sets the own key of an AI model, or removes it (null), in the transaction of who has locked or deleted the model.
 * Audits nothing; returns what may be told of it, before and after.
 */
export async function setModelKey(deps: StoreDeps, tx: Tx, model_id: number, key: string | null) {
  const before = (await readModelKeys(tx, [model_id])).get(model_id)
  await writeSecret(deps, tx, keyOfModel(model_id), key)
  return { before: before ?? stateOf(undefined), after: stateOf(key ?? undefined) }
}

/** What may be told of the own keys of these models; of those that have one. */
export async function readModelKeys(db: Db, model_ids: number[]): Promise<Map<number, SecretState>> {
  const { rows } = await sql<Row>`
    select * from option where key = any(${model_ids.map(keyOfModel)}::text[])`.execute(db)
  return new Map(
    rows.flatMap((row): [number, SecretState][] => {
      const [id, state] = [modelOfKey(row.key), stateOfRow(row)]
      return id && state ? [[id, state]] : []
    }),
  )
}
