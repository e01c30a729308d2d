import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { problem } from '../errors.ts'
import { decrypt, encrypt, type Keyring, type NamedKey, type Purpose, purposes } from './crypto.ts'
import { type Db, inTransaction, type Tx } from './database.ts'
import { locks } from './locks.ts'
import type { Pulse } from './pulse.ts'
import { StartError } from './start-error.ts'

/** How long a new key is only read with. Every node hears of it, and reads it, long before. */
export const STAGE_SECONDS = 10

/** The keys rest in the database, wrapped with one derived from SECRET_KEY; here they are open. */
export type OpenKeyring = Keyring & {
  /** Takes in what other processes have added. */
  refresh: () => Promise<void>
  /** Every key without itself, oldest first. */
  list: () => { id: string; purpose: string; state: 'staged' | 'current' | 'former' }[]
}

type Ring = NamedKey & { purpose: string; activeAt: number }

const wrappingKey = (secret: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'meydan keyring', 32)))
const place = (id: string) => `keyring|${id}|wrapped`

function attempt(key: KeyObject | undefined, wrapped: Buffer, id: string) {
  try {
    return key && decrypt(key, wrapped, place(id))
  } catch {
    return undefined
  }
}

const lockRing = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.keyring})`.execute(tx)

/** Rows of the ring, oldest first. `wait`: milliseconds until the key is written with, by the clock of PostgreSQL. */
const readRows = (db: Db) =>
  db
    .selectFrom('keyring')
    .select(['id', 'purpose', 'wrapped'])
    .select(sql<number>`(extract(epoch from active_at - clock_timestamp()) * 1000)::float8`.as('wait'))
    .orderBy('active_at')
    .orderBy('created_at')
    .execute()

async function insertKey(tx: Tx, wrapping: KeyObject, purpose: Purpose, seconds: number) {
  const id = randomBytes(4).toString('hex')
  await tx
    .insertInto('keyring')
    .values({
      id,
      purpose,
      wrapped: encrypt(wrapping, randomBytes(32), place(id)),
      active_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .execute()
  return id
}

/** Reads the ring, makes what is missing, and rewraps what still rests under the previous secret. */
export async function loadKeyring(db: Db, secret: string, previousSecret?: string): Promise<OpenKeyring> {
  const wrapping = wrappingKey(secret)
  const previous = previousSecret === undefined ? undefined : wrappingKey(previousSecret)
  let ring = new Map<string, Ring>()

  const take = (rows: Awaited<ReturnType<typeof readRows>>) => {
    const next = new Map<string, Ring>()
    for (const { id, purpose, wrapped, wait } of rows) {
      // What is open already stays so, although another node may have rewrapped it with a newer secret meanwhile.
      const known = ring.get(id)?.key
      const bytes = known ? undefined : attempt(wrapping, wrapped, id)
      const key = known ?? (bytes && createSecretKey(bytes))
      if (key) next.set(id, { id, purpose, key, activeAt: performance.now() + wait })
    }
    ring = next
  }

  await inTransaction(db, async (tx) => {
    await lockRing(tx)
    const rows = await readRows(tx)
    for (const { id, wrapped } of rows) {
      if (attempt(wrapping, wrapped, id)) continue
      const bytes = attempt(previous, wrapped, id)
      if (!bytes)
        throw new StartError(
          'SECRET_KEY does not open the keys in the database. Set the key that this instance was started with; after a change, give the former one as SECRET_KEY_PREVIOUS.',
        )
      await tx
        .updateTable('keyring')
        .set({ wrapped: encrypt(wrapping, bytes, place(id)) })
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
  // One after the other: what was asked for after a read began may not be in it yet.
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
      // Added while nothing was heard: the next call finds it.
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

/** Reads the ring again when a key was added, or when that may have been missed, until it succeeds. */
export function followKeys(keyring: OpenKeyring, pulse: Pulse, log: Logger) {
  const read = () =>
    void keyring.refresh().catch((err) => {
      log.warn({ err }, 'the key ring could not be read again')
      setTimeout(read, RETRY_MS).unref()
    })
  pulse.onInvalid((message) => {
    if (message === undefined || message === 'keys') read()
  })
}

/** Adds a key that is written with from STAGE_SECONDS on. What was written with the former ones stays readable. */
export const addKey = (db: Db, pulse: Pick<Pulse, 'announce'>, secret: string, purpose: Purpose) =>
  inTransaction(db, async (tx) => {
    await lockRing(tx)
    const id = await insertKey(tx, wrappingKey(secret), purpose, STAGE_SECONDS)
    await pulse.announce(tx, 'keys')
    return id
  })
