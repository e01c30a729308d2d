import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Config } from '../../config.ts'
import { notFound, Problem, problem } from '../../errors.ts'
import { type Keyring, seal, unseal } from '../../lib/crypto/crypto.ts'
import { audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { createInvalidatedCache } from '../../lib/runtime/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/invalidation-bus.ts'
import { type MaybePromise, whenReady } from '../../lib/runtime/maybe-promise.ts'
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

/** The visible state of a secret. */
export type SecretState = { set: boolean; last4: string | null }

/**
 * The current options: from an override, otherwise from the environment, otherwise the default. Reads are cached while
 * the invalidation bus is connected. Inside a transaction, pass it as `db` for reads without the cache.
 */
export type Options = {
  get: <K extends keyof Values>(key: K, db?: Db) => MaybePromise<Values[K]>
  /** Reads the database, never the cache: for values that must not change before a transaction commits. */
  readNow: <K extends keyof Values>(tx: Tx, key: K) => Promise<Values[K]>
  /** The decrypted value of a secret. */
  secret: (key: SecretKey, db?: Db) => Promise<string | undefined>
  isSet: (key: SecretKey, db?: Db) => MaybePromise<boolean>
  /** Calls `listener` when an option has changed or may have changed. */
  onChange: (listener: () => void) => void
}

declare module '../../lib/deps.ts' {
  interface Deps {
    /** Settings that an instance admin may change while Meydan runs. */
    options: Options
  }
}

const contextOf = (id: string) => `option|${id}|secret`

async function readRows(db: Db, key?: string): Promise<Rows> {
  const rows: Row[] = await db
    .selectFrom('option')
    .selectAll()
    .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** The value of a row; undefined when this version does not accept it. */
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
  invalidationBus,
}: {
  config: Config
  db: Db
  keyring: Keyring
  invalidationBus: InvalidationBus
}): Options {
  const cached = createInvalidatedCache<Rows>(invalidationBus, 'options')
  // A transaction may read its own uncommitted change, which must not enter the shared cache.
  const rowsNow = (db: Db) => cached('', () => readRows(db), { keep: !db.isTransaction })

  return {
    get: (key, db = own) => whenReady(rowsNow(db), (rows) => effective(config, key, rows)),
    readNow: async (tx, key) => effective(config, key, await readRows(tx, key)),
    secret: async (key, db = own) => {
      const row = (await rowsNow(db)).get(key)
      return row?.secret ? openSecret({ keyring }, { id: row.id, secret: row.secret }) : secretSetting(config, key)
    },
    isSet: (key, db = own) =>
      whenReady(rowsNow(db), (rows) => Boolean(rows.get(key)?.secret) || secretSetting(config, key) !== undefined),
    onChange: (listener) =>
      invalidationBus.onInvalidate((message) => {
        if (message === undefined || message === 'options') listener()
      }),
  }
}

/** Decrypts a secret whose row was read together with other data, so that both are from the same moment. */
export const openSecret = ({ keyring }: { keyring: Keyring }, { id, secret }: { id: string; secret: string }) =>
  unseal(keyring, secret, contextOf(id))

/** Minimum length for `last4`: of a shorter secret it would reveal too much. */
const LONG_ENOUGH = 12
const last4Of = (secret: string) => (secret.length >= LONG_ENOUGH ? secret.slice(-4) : null)
const stateOf = (secret: string | undefined): SecretState =>
  secret === undefined ? { set: false, last4: null } : { set: true, last4: last4Of(secret) }
const stateOfRow = (row: Row | undefined): SecretState | undefined =>
  row?.secret ? { set: true, last4: row.last4 } : undefined

/** Runs changes one at a time, so that audit entries have the right previous value. Lock rows they depend on first. */
const lockOptions = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.options})`.execute(tx)

/** `version` is 0 while there is no override. */
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

/** Throws 404 for an unknown key or the key of a model that does not exist. `lock` keeps the model from deletion. */
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

type StoreDeps = Pick<Deps, 'keyring' | 'invalidationBus'>

/** Whether the row holds this secret. A secret that cannot be decrypted counts as different, and may be replaced. */
function opens(keyring: Keyring, { id, secret }: Row, wanted: string) {
  try {
    return secret !== null && unseal(keyring, secret, contextOf(id)) === wanted
  } catch {
    return false
  }
}

/** Writes a secret, or removes it. Writes no audit entry. Lock what it belongs to first. */
async function writeSecret({ keyring, invalidationBus }: StoreDeps, tx: Tx, key: string, secret: string | null) {
  await lockOptions(tx)
  const row = (await readRows(tx, key)).get(key)
  if (secret === null ? !row?.secret : row && opens(keyring, row, secret)) return
  if (secret === null) await tx.deleteFrom('option').where('key', '=', key).execute()
  else {
    const id = row?.id ?? (await newId(tx))
    const sealed = { secret: seal(keyring, secret, contextOf(id)), last4: last4Of(secret) }
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
  await invalidationBus.invalidate(tx, 'options')
}

async function writeValue({ invalidationBus }: StoreDeps, tx: Tx, key: string, value: Input | null) {
  if (value === null) await tx.deleteFrom('option').where('key', '=', key).execute()
  else {
    const set = { value: JSON.stringify(value), secret: null, last4: null }
    await tx
      .insertInto('option')
      .values({ key, ...set })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...set, ...changed }))
      .execute()
  }
  await invalidationBus.invalidate(tx, 'options')
}

const problemOf = (error: unknown) => {
  if (error instanceof Problem) return error
  throw error
}

/** Sets an option (null: removes the override), and audits any change. */
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
        detail: `Resetting this option sets it to ${next}, which is not valid now. ${misfit.options.errors?.[0]?.message ?? ''}`,
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
 * Sets the own key of an AI model, or removes it (null). Runs in the transaction that has locked or deleted the model.
 * Writes no audit entry. Returns the visible state before and after.
 */
export async function setModelKey(deps: StoreDeps, tx: Tx, model_id: number, key: string | null) {
  const before = (await readModelKeys(tx, [model_id])).get(model_id)
  await writeSecret(deps, tx, keyOfModel(model_id), key)
  return { before: before ?? stateOf(undefined), after: stateOf(key ?? undefined) }
}

/** The visible state of the own keys of these models. Models without a key are left out. */
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
