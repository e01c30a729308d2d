import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { type ErrorCode, invalid, Problem, problem, uniquenessProblem } from '../../errors.ts'
import { hmac, type Keyring } from '../crypto/crypto.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { locks } from '../db/locks.ts'
import type { Clock } from '../runtime/clock.ts'
import { job } from '../runtime/jobs.ts'
import type { Caller } from './access.ts'

/** Milliseconds for which a key is stored. */
const KEPT_MS = DAY

/** The stored response to the first call with a key. */
export type StoredResponse = { status: number; answer: string | null; etag: string | null }

/** Identifies a call with a key. */
export type Key = { id: Buffer; fingerprint: Buffer; now: Date }

/**
 * Reads the header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header). The id covers caller, workspace, method
 * and path; the fingerprint covers the body. Returns undefined when there is no key.
 */
export function idempotencyKey(request: FastifyRequest, caller: Caller, keyring: Keyring, now: Date): Key | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined || caller.user_id === null) return
  if (typeof given !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(given))
    throw invalid('/Idempotency-Key', 'This header must have 1 to 255 visible ASCII characters.')
  const who = caller.token?.id ?? caller.user_id
  const path = request.url.split('?', 1)[0]
  // Keyed, because a body may contain a password.
  const { key } = keyring.current('idempotency')
  const digest = (...parts: unknown[]) => hmac(key, JSON.stringify(parts)).digest()
  return {
    // The workspace that the call affects, not the one that its caller has selected in the console.
    id: digest(who, 'role' in caller ? caller.workspace_id : null, request.method, path, given),
    fingerprint: digest(request.body ?? null),
    now,
  }
}

/** The refusal, if it is the outcome of the call. With 400, 401, 429 and 5xx the call had no outcome. */
function outcomeOf(error: unknown): StoredResponse | undefined {
  const refusal = error instanceof Problem ? error : uniquenessProblem(error)
  if (!refusal || refusal.status <= 401 || refusal.status >= 500 || refusal.status === 429) return
  const { code, status, options } = refusal
  const { detail, errors, extra } = options
  return { status, answer: JSON.stringify({ code, detail, errors, extra }), etag: null }
}

/** Restores a stored refusal as it was thrown. */
export function problemOf({ answer }: StoredResponse) {
  const { code, ...options } = JSON.parse(answer ?? '') as { code: ErrorCode } & ConstructorParameters<
    typeof Problem
  >[1]
  return problem(code, options)
}

/** Looks the key up, and blocks other calls with it until `tx` ends. undefined: this call is the first. */
async function claim(tx: Tx, { id, fingerprint, now }: Key): Promise<StoredResponse | undefined> {
  const inUse = () => problem('idempotency_key_in_use', { detail: 'Try again in a second.', retryAfter: 1 })
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${locks.idempotency}, hashtext(${id.toString('hex')})) as free`.execute(tx)
  if (!rows[0]?.free) throw inUse()
  const kept = await tx
    .selectFrom('idempotency_key')
    .selectAll()
    .where('id', '=', id)
    .where('created_at', '>', new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst()
  if (!kept) return
  if (!kept.fingerprint.equals(fingerprint)) throw problem('idempotency_key_reused')
  if (kept.status !== null) return { status: kept.status, answer: kept.answer, etag: kept.etag }
  if (kept.lease_until && kept.lease_until > now) throw inUse()
}

async function keep(tx: Tx, { id, fingerprint, now }: Key, row: Partial<StoredResponse> & { lease_until?: Date }) {
  const values = { fingerprint, status: null, answer: null, etag: null, lease_until: null, created_at: now, ...row }
  await tx
    .insertInto('idempotency_key')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** Runs `work` once for a key. Effect and stored response share one transaction: both are saved or neither. */
export async function once(
  db: Db,
  key: Key,
  work: (tx: Tx) => Promise<StoredResponse>,
): Promise<StoredResponse & { replayed: boolean }> {
  return inTransaction(db, async (tx) => {
    const kept = await claim(tx, key)
    if (kept) return { ...kept, replayed: true }
    await sql`savepoint first_call`.execute(tx)
    const response = await work(tx).catch(async (error: unknown) => {
      const refusal = outcomeOf(error)
      if (!refusal) throw error
      await sql`rollback to savepoint first_call`.execute(tx)
      return refusal
    })
    await keep(tx, key, response)
    return { ...response, replayed: false }
  })
}

/** Stores the response in the transaction of the effect. */
export type Complete = (tx: Tx, result: unknown) => Promise<void>
/** For a call without a key. */
export const nothingToKeep: Complete = async () => undefined

/**
 * Like `once`, for work that calls external services. The call is recorded as running first, for `leaseMs`.
 * `complete` stores the response together with the effect. A call without an outcome frees the key.
 */
export async function onceOutside(
  db: Db,
  key: Key,
  toStoredResponse: (result: unknown) => StoredResponse,
  work: (complete: Complete) => Promise<unknown>,
  leaseMs: number,
): Promise<StoredResponse & { replayed: boolean }> {
  const lease_until = new Date(key.now.getTime() + leaseMs)
  const kept = await inTransaction(db, async (tx) => {
    const found = await claim(tx, key)
    if (!found) await keep(tx, key, { lease_until })
    return found
  })
  if (kept) return { ...kept, replayed: true }
  let completed = false
  // After its lease a call may have been started over; the newer call then owns the row.
  const settle = (tx: Tx, response: StoredResponse) =>
    tx
      .updateTable('idempotency_key')
      .set({ ...response, lease_until: null })
      .where('id', '=', key.id)
      .where('lease_until', '=', lease_until)
      .execute()
  const complete: Complete = async (tx, result) => {
    await settle(tx, toStoredResponse(result))
    completed = true
  }
  try {
    const result = await work(complete)
    if (!completed) await inTransaction(db, (tx) => complete(tx, result))
    return { ...toStoredResponse(result), replayed: false }
  } catch (error) {
    const refusal = outcomeOf(error)
    if (refusal) {
      await inTransaction(db, (tx) => settle(tx, refusal))
      return { ...refusal, replayed: false }
    }
    await db.deleteFrom('idempotency_key').where('id', '=', key.id).where('lease_until', '=', lease_until).execute()
    throw error
  }
}

/** Frees the keys of calls that were running when Meydan died. Only for a process alone on its database, before its calls. */
export const freeLeases = (db: Db) =>
  db.updateTable('idempotency_key').set({ lease_until: null }).where('lease_until', 'is not', null).execute()

declare module '../runtime/jobs.ts' {
  interface Jobs {
    'delete-old-idempotency-keys': object
  }
}

export const deleteOldIdempotencyKeys = job({
  name: 'delete-old-idempotency-keys',
  cron: '* * * * *',
  maxAttempts: 1,
  atStart: true,
  run: ({ workerDatabase: { db }, clock }: { workerDatabase: { db: Db }; clock: Clock }) =>
    db
      .deleteFrom('idempotency_key')
      .where('created_at', '<', new Date(clock.now().getTime() - KEPT_MS))
      .execute(),
})
