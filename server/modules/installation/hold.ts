/**
 * A restored installation is held: it does not know what happened after the backup, so its due posts, deliveries, mails
 * and renewals may have gone out already. No node runs jobs or sends webhooks until an instance admin releases it.
 *
 *     running ──restore──▶ held ──release──▶ releasing ──▶ running
 *
 * A release begins with its choices written down: another one is refused while it runs, and one that failed goes on with
 * the same choices.
 */
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, problem } from '../../errors.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { HeldWork } from '../../lib/lifecycle.ts'
import { excuseOutage } from '../../lib/runtime/outages.ts'
import { findUndue } from '../posts/publishing/select-due-posts.ts'
import { forgetBackups } from './backups/backups.ts'
import type { Hold, Release } from './hold.schema.ts'

const selectHold = (db: Db) =>
  db
    .selectFrom('installation_hold')
    .select(['data_until', 'restored_at', sql<Choices | null>`installation_hold.release`.as('release')])

const readHold = (db: Db) => selectHold(db).executeTakeFirst()

export const isHeld = async (db: Db) => (await readHold(db)) !== undefined

/** Holds the installation, with a restore of what it was at `data_until`. `restore`: its id, if it left a mark. */
export async function holdInstallation(tx: Tx, data_until: Date, restore: string | null = null) {
  await tx
    .insertInto('installation_hold')
    .values({ data_until })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ data_until, restored_at: sql<Date>`now()`, release: null }),
    )
    .execute()
  await audit(tx, system(), 'installation.restored', restore, { backup_at: data_until.toISOString() })
}

/** Setting of PostgreSQL with the id of the restore from a physical backup, and the time of that backup. */
export const MARK = 'meydan.restored'

/**
 * Holds an installation whose PostgreSQL server was restored from a physical backup. The restore left a mark in the
 * settings of the server; the audit log knows whether it was seen. The mark is not about a database that was created on
 * that server later. What the backup knew of backups is forgotten, as in a logical one: the original goes on with them.
 */
export const holdRestoredServer = (db: Db) =>
  inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${locks.hold})`.execute(tx)
    const { rows } = await sql<{ restore: string; data_until: Date }>`
      select restore, greatest(backup_at, pg_last_xact_replay_timestamp(),
        (select at from audit_entry order by id desc limit 1)) as data_until
      from (
        select split_part(mark, ' ', 1) as restore, split_part(mark, ' ', 2)::timestamptz as backup_at
        from current_setting(${MARK}, true) as mark where mark <> ''
      ) as restored
      where backup_at > (select min(applied_at) from migration) and not exists (
        select from audit_entry
        where workspace_id is null and action = 'installation.restored' and target_id = restore
      )`.execute(tx)
    for (const { restore, data_until } of rows) {
      await holdInstallation(tx, data_until, restore)
      await forgetBackups(tx)
    }
  })

/** Calls `work` once the installation is released, and again while it fails. Resolves then, or when `stopped` is aborted. */
export async function onRelease(
  { db, timings, outageLog }: Pick<Deps, 'db' | 'timings' | 'outageLog'>,
  stopped: AbortSignal,
  work: () => Promise<void>,
) {
  while (!stopped.aborted) {
    try {
      if (!(await isHeld(db))) return await work()
    } catch (error) {
      outageLog.report(error, 'the jobs of a released installation could not be started; retrying')
    }
    await setTimeout(timings.heartbeat, undefined, { signal: stopped }).catch(() => undefined)
  }
}

/** The hold, and how much goes out at its release. */
export async function describeHold({ db, clock, lifecycle }: Deps): Promise<Static<typeof Hold>> {
  const hold = await readHold(db)
  const restored = hold && { restored_at: hold.restored_at, now: clock.now() }
  const { posts, deliveries, mails, agents, subscriptions } = lifecycle.heldWork
  const count = async (work: HeldWork) => (restored ? work.count(db, restored) : 0)
  return {
    held: hold !== undefined,
    data_until: hold?.data_until ?? null,
    restored_at: hold?.restored_at ?? null,
    release: hold?.release ?? null,
    due_posts: await count(posts),
    waiting_deliveries: await count(deliveries),
    queued_mails: await count(mails),
    due_agents: await count(agents),
    due_subscriptions: await count(subscriptions),
  }
}

/**
 * Drops what must not go out, then ends the hold. Each part is a transaction of its own: a release that fails leaves the
 * installation held, and can be repeated. A second one at the same time could drop what the first lets go out, so a lock
 * refuses it. A pooler has no locks of sessions, so the connection is one to PostgreSQL itself.
 */
export const release = (deps: Deps, caller: User, input: Static<typeof Release>) =>
  deps.workerDatabase.db.connection().execute(async (session) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${locks.release}) as free`.execute(
      session,
    )
    if (!rows[0]?.free) throw refused('releasing')
    try {
      return await releaseAlone(deps, caller, input)
    } finally {
      await sql`select pg_advisory_unlock(${locks.release})`.execute(session)
    }
  })

async function releaseAlone(deps: Deps, caller: User, input: Static<typeof Release>) {
  const { db, clock, lifecycle } = deps
  const choices = choicesOf(input)
  const now = clock.now()
  const hold = await inTransaction(db, (tx) => beginRelease(tx, choices, now))
  const { posts, deliveries, mails, agents, subscriptions } = lifecycle.heldWork
  const restored = { restored_at: hold.restored_at, now, caller, except: choices.publish_post_ids }
  const result = {
    dropped_deliveries: choices.deliveries === 'drop' ? await deliveries.drop(deps, restored) : 0,
    kept_mails: choices.mails === 'keep' ? await mails.drop(deps, restored) : 0,
    unscheduled_posts: choices.posts === 'unschedule' ? await posts.drop(deps, restored) : 0,
    skipped_runs: choices.agents === 'skip' ? await agents.drop(deps, restored) : 0,
    skipped_renewals: choices.subscriptions === 'skip' ? await subscriptions.drop(deps, restored) : 0,
  }
  return inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('installation_hold').executeTakeFirst()
    if (numDeletedRows === 0n) throw refused('running')
    // The choices decide whether posts that were due until now go out. They are not held as late.
    await excuseOutage(tx)
    await audit(tx, { ...caller, workspace_id: null }, 'installation.released', null, {
      ...result,
      backup_at: hold.data_until.toISOString(),
    })
    return result
  })
}

type Choices = Required<Static<typeof Release>>

const choicesOf = (input: Static<typeof Release>): Choices => ({
  agents: 'run',
  subscriptions: 'run',
  ...input,
  publish_post_ids: (input.publish_post_ids ?? []).map((id) => id.toLowerCase()),
})

/** Writes the choices of a release down, unless one with other choices has begun. */
async function beginRelease(tx: Tx, choices: Choices, now: Date) {
  const hold = await selectHold(tx).forUpdate().executeTakeFirst()
  if (!hold) throw refused('running')
  if (hold.release) {
    if (!isDeepStrictEqual(hold.release, choices)) throw refused('releasing')
    return hold
  }
  const { publish_post_ids: ids } = choices
  const [undue] = await findUndue(tx, now, ids)
  if (undue !== undefined)
    throw invalid(`/publish_post_ids/${ids.indexOf(undue)}`, {
      en: 'This post is not due any more.',
      tr: 'Bu gönderinin zamanı artık gelmiş değil.',
    })
  await tx
    .updateTable('installation_hold')
    .set({ release: JSON.stringify(choices) })
    .execute()
  return hold
}

const details = {
  running: 'The installation is not held.',
  releasing:
    'A release has begun. Retrieve the hold: if it has not ended in a moment, release again with the choices of `release`.',
}

const refused = (state: keyof typeof details) =>
  problem('invalid_transition', { detail: details[state], extra: { state } })
