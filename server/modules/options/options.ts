import type { Config } from '../../config/config.ts'
import { type Keyring, unseal } from '../../lib/crypto/crypto.ts'
import type { Db, Tx } from '../../lib/db/database.ts'
import { createInvalidatedCache } from '../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import { type MaybePromise, whenReady } from '../../lib/runtime/concurrency/maybe-promise.ts'
import { plain, type SecretKey, secretOf, type Values } from './catalogue.ts'
import { type Input, type Plain, settingOf } from './option-types.ts'

/** A row that overrides the environment or a default. */
export type Row = {
  id: string
  key: string
  value: unknown
  secret: string | null
  last4: string | null
  updated_at: Date
  version: number
}
type Rows = ReadonlyMap<string, Row>

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

export const contextOf = (id: string) => `option|${id}|secret`

export async function readRows(db: Db, key?: string): Promise<Rows> {
  const rows: Row[] = await db
    .selectFrom('option')
    .selectAll()
    .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** The value of a row; undefined when this version does not accept it. */
export function overrideOf({ parse }: Plain, row: Row | undefined): Input | undefined {
  if (!row || row.value === null) return undefined
  try {
    return parse(row.value as Input)
  } catch {
    return undefined
  }
}

export const withoutOverride = (config: Config, entry: Plain) =>
  (settingOf(config, entry)?.value ?? entry.default) as Input

const effective = <K extends keyof Values>(config: Config, key: K, rows: Rows) => {
  const entry = plain[key] as unknown as Plain
  return (overrideOf(entry, rows.get(key)) ?? withoutOverride(config, entry)) as Values[K]
}

export const secretSetting = (config: Config, key: string) => {
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
  invalidationBus: Pick<InvalidationBus, 'isConnected' | 'onInvalidate'>
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
