import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { problem } from '../../errors.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { locks } from '../db/locks.ts'
import type { InvalidationBus } from '../runtime/caches/invalidation-bus.ts'
import { StartError } from '../runtime/start-error.ts'
import { decrypt, encrypt, type Keyring, type NamedKey, type Purpose, purposes } from './crypto.ts'

/** The key ring, unwrapped. The database stores the keys wrapped with a key derived from SECRET_KEY. */
export type OpenKeyring = Keyring & {
  /** Loads the keys that other processes have added. */
  refresh: () => Promise<void>
  /** All keys without their secret part, oldest first. */
  list: () => { id: string; purpose: string; state: 'staged' | 'current' | 'former' }[]
}

type Ring = NamedKey & { purpose: string; activeAt: number }

const wrappingKey = (secret: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'meydan keyring', 32)))
const contextOf = (id: string) => `keyring|${id}|wrapped`

function tryUnwrap(key: KeyObject | undefined, wrapped: Buffer, id: string) {
  try {
    return key && decrypt(key, wrapped, contextOf(id))
  } catch {
    return undefined
  }
}

/** Wraps the keys of a ring of another installation, whose secret is `from`, with the secret of this one. */
export async function rewrapKeys(tx: Tx, from: string, to: string) {
  for (const { id, wrapped } of await tx.selectFrom('keyring').select(['id', 'wrapped']).execute()) {
    const bytes = decrypt(wrappingKey(from), wrapped, contextOf(id))
    const values = { wrapped: encrypt(wrappingKey(to), bytes, contextOf(id)) }
    await tx.updateTable('keyring').set(values).where('id', '=', id).execute()
  }
}

/** The one of these secrets that all keys of the database are wrapped with; undefined if none is. Changes nothing. */
export async function fittingSecret(db: Db, secrets: (string | undefined)[]) {
  const rows = await readRows(db)
  return secrets.find((secret) => {
    const wrapping = secret === undefined ? undefined : wrappingKey(secret)
    return rows.every(({ id, wrapped }) => tryUnwrap(wrapping, wrapped, id))
  })
}

/** The keys that this secret unwraps, to decrypt only. Changes nothing. */
export async function readKeyring(db: Db, secret: string): Promise<Keyring> {
  const wrapping = wrappingKey(secret)
  const keys = new Map(
    (await readRows(db)).flatMap(({ id, wrapped }) => {
      const bytes = tryUnwrap(wrapping, wrapped, id)
      return bytes ? [[id, createSecretKey(bytes)] as const] : []
    }),
  )
  return {
    current: () => {
      throw new Error('This key ring is to decrypt only')
    },
    byId: (id) => {
      const key = keys.get(id)
      if (!key) throw new Error(`The key ring has no key ${id}`)
      return key
    },
  }
}

const lockRing = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.keyring})`.execute(tx)

/** Reads the ring, oldest key first. `wait`: milliseconds until the key becomes current, by the clock of PostgreSQL. */
const readRows = (db: Db) =>
  db
    .selectFrom('keyring')
    .select(['id', 'purpose', 'wrapped'])
    .select(sql<number>`(extract(epoch from active_at - clock_timestamp()) * 1000)::float8`.as('wait'))
    .orderBy('active_at')
    .orderBy('created_at')
    .execute()

async function insertKey(tx: Tx, wrapping: KeyObject, purpose: Purpose, stage: number) {
  const id = randomBytes(4).toString('hex')
  await tx
    .insertInto('keyring')
    .values({
      id,
      purpose,
      wrapped: encrypt(wrapping, randomBytes(32), contextOf(id)),
      active_at: sql<Date>`clock_timestamp() + make_interval(secs => ${stage / 1000})`,
    })
    .execute()
  return id
}

/** Reads the ring, creates missing keys, and rewraps keys that are still wrapped with the previous secret. */
export async function loadKeyring(db: Db, secret: string, previousSecret?: string): Promise<OpenKeyring> {
  const wrapping = wrappingKey(secret)
  const previous = previousSecret === undefined ? undefined : wrappingKey(previousSecret)
  let ring = new Map<string, Ring>()

  const take = (rows: Awaited<ReturnType<typeof readRows>>) => {
    const next = new Map<string, Ring>()
    for (const { id, purpose, wrapped, wait } of rows) {
      // Keys that are already unwrapped are kept, because another node may have rewrapped them with a newer secret.
      const known = ring.get(id)?.key
      const bytes = known ? undefined : tryUnwrap(wrapping, wrapped, id)
      const key = known ?? (bytes && createSecretKey(bytes))
      if (key) next.set(id, { id, purpose, key, activeAt: performance.now() + wait })
    }
    ring = next
  }

  await inTransaction(db, async (tx) => {
    await lockRing(tx)
    const rows = await readRows(tx)
    for (const { id, wrapped } of rows) {
      if (tryUnwrap(wrapping, wrapped, id)) continue
      const bytes = tryUnwrap(previous, wrapped, id)
      if (!bytes)
        throw new StartError(
          'SECRET_KEY cannot decrypt the keys in the database. Set the SECRET_KEY that this instance was first started with. If you changed it, set the previous value as SECRET_KEY_PREVIOUS.',
        )
      await tx
        .updateTable('keyring')
        .set({ wrapped: encrypt(wrapping, bytes, contextOf(id)) })
        .where('id', '=', id)
        .execute()
    }
    for (const purpose of purposes)
      if (!rows.some((row) => row.purpose === purpose)) await insertKey(tx, wrapping, purpose, 0)
    take(await readRows(tx))
  })

  const currentOf = (purpose: string) => {
    let current: Ring | undefined
    for (const key of ring.values()) if (key.purpose === purpose && key.activeAt <= performance.now()) current = key
    return current
  }
  // Reads run one after the other: a read that has begun may not include what a later caller asks for.
  let last: Promise<void> = Promise.resolve()
  const refresh = () => {
    last = last
      .catch(() => undefined)
      .then(() => readRows(db))
      .then(take)
    return last
  }
  let isLooking = false

  return {
    current: (purpose) => {
      const found = currentOf(purpose)
      if (!found) throw new Error(`The key ring has no key for ${purpose}`)
      return found
    },
    byId: (id) => {
      const found = ring.get(id)
      if (found) return found.key
      // The message about this key may have been missed: the next call finds the key.
      if (!isLooking) {
        isLooking = true
        const looked = () => {
          isLooking = false
        }
        refresh().then(looked, looked)
      }
      throw problem('unavailable', { retryAfter: 1, cause: new Error(`The key ring has no key ${id}`) })
    },
    refresh,
    list: () =>
      [...ring.values()].map(({ id, purpose, activeAt }) => ({
        id,
        purpose,
        state: activeAt > performance.now() ? 'staged' : currentOf(purpose)?.id === id ? 'current' : 'former',
      })),
  }
}

const RETRY_MS = 1000

/** Reloads the ring when a key was added, or when that message may have been missed. Retries until it succeeds. */
export function followKeys(keyring: OpenKeyring, invalidationBus: InvalidationBus, log: Logger) {
  const read = () =>
    void keyring.refresh().catch((err) => {
      log.warn({ err }, 'the key ring could not be reloaded')
      setTimeout(read, RETRY_MS).unref()
    })
  invalidationBus.onInvalidate((message) => {
    if (message === undefined || message === 'keys') read()
  })
}

/** Adds a key that becomes current after `stage` milliseconds. Values written with former keys stay readable. */
export const addKey = (
  db: Db,
  invalidationBus: Pick<InvalidationBus, 'invalidate'>,
  secret: string,
  { purpose, stage }: { purpose: Purpose; stage: number },
) =>
  inTransaction(db, async (tx) => {
    await lockRing(tx)
    const id = await insertKey(tx, wrappingKey(secret), purpose, stage)
    await invalidationBus.invalidate(tx, 'keys')
    return id
  })
