import { sql } from 'kysely'
import { type Keyring, seal, unseal } from '../../lib/crypto/crypto.ts'
import { type Db, newId, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import { keyOfModel, modelOfKey } from './catalogue.ts'
import { contextOf, type Row, readRows } from './options.ts'

/** The visible state of a secret. */
export type SecretState = { set: boolean; last4: string | null }

/** Minimum length for `last4`: of a shorter secret it would reveal too much. */
const LONG_ENOUGH = 12
/** The last characters of a secret, by which people recognize it; null for a short one. */
export const last4Of = (secret: string) => (secret.length >= LONG_ENOUGH ? secret.slice(-4) : null)
export const stateOf = (secret: string | undefined): SecretState =>
  secret === undefined ? { set: false, last4: null } : { set: true, last4: last4Of(secret) }
export const stateOfRow = (row: Row | undefined): SecretState | undefined =>
  row?.secret ? { set: true, last4: row.last4 } : undefined

/** Runs changes one at a time, so that audit entries have the right previous value. Lock rows they depend on first. */
export const lockOptions = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.options})`.execute(tx)

export const newVersion = { updated_at: sql<Date>`now()`, version: sql<number>`default` }

export type StoreDeps = Pick<Deps, 'keyring' | 'invalidationBus'>

/** Whether the row holds this secret. A secret that cannot be decrypted counts as different, and may be replaced. */
function opens(keyring: Keyring, { id, secret }: Row, wanted: string) {
  try {
    return secret !== null && unseal(keyring, secret, contextOf(id)) === wanted
  } catch {
    return false
  }
}

/** Writes a secret, or removes it. Writes no audit entry. Lock what it belongs to first. */
export async function writeSecret({ keyring, invalidationBus }: StoreDeps, tx: Tx, key: string, secret: string | null) {
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
        .set({ ...sealed, value: null, ...newVersion })
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
