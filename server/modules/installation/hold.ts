/**
 * A restored installation is held: it does not know what happened after the backup, so its due posts, deliveries, mails
 * and renewals may have gone out already. No node runs jobs or sends webhooks until an instance admin releases it.
 *
 *     running ──restore──▶ held ──release──▶ running
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, problem } from '../../errors.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { HeldWork } from '../../lib/lifecycle.ts'
import { findUndue } from '../posts/due-posts.ts'
import type { Hold, Release } from './hold.schema.ts'

const readHold = (db: Db) => db.selectFrom('installation_hold').select(['data_until', 'restored_at']).executeTakeFirst()

export const isHeld = async (db: Db) => (await readHold(db)) !== undefined

/** Holds the installation, with a restore of what it was at `data_until`. */
export async function holdInstallation(tx: Tx, data_until: Date) {
  await tx
    .insertInto('installation_hold')
    .values({ data_until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ data_until, restored_at: sql<Date>`now()` }))
    .execute()
  await audit(tx, system(), 'installation.restored', null, { backup_at: data_until.toISOString() })
}

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
  const count = async (work: Pick<HeldWork, 'count'>) => (restored ? work.count(db, restored) : 0)
  return {
    held: hold !== undefined,
    data_until: hold?.data_until ?? null,
    restored_at: hold?.restored_at ?? null,
    due_posts: await count(posts),
    waiting_deliveries: await count(deliveries),
    queued_mails: await count(mails),
    due_agents: await count(agents),
    due_subscriptions: await count(subscriptions),
  }
}

/**
 * Drops what must not go out, then ends the hold. Each part is a transaction of its own: a release that fails leaves the
 * installation held, and can be repeated.
 */
export async function release(deps: Deps, caller: User, input: Static<typeof Release>) {
  const { db, clock, lifecycle } = deps
  const hold = await readHold(db)
  if (!hold) throw notHeld()
  const { posts, deliveries, mails } = lifecycle.heldWork
  const except = (input.publish_post_ids ?? []).map((id) => id.toLowerCase())
  const restored = { restored_at: hold.restored_at, now: clock.now(), caller, except }
  const [undue] = await findUndue(db, restored.now, except)
  if (undue !== undefined)
    throw invalid(`/publish_post_ids/${except.indexOf(undue)}`, {
      en: 'This post is not due any more.',
      tr: 'Bu gönderinin zamanı artık gelmiş değil.',
    })
  const result = {
    dropped_deliveries: input.deliveries === 'drop' ? await deliveries.drop(deps, restored) : 0,
    kept_mails: input.mails === 'keep' ? await mails.drop(deps, restored) : 0,
    unscheduled_posts: input.posts === 'unschedule' ? await posts.drop(deps, restored) : 0,
  }
  return inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('installation_hold').executeTakeFirst()
    if (numDeletedRows === 0n) throw notHeld()
    await audit(tx, { ...caller, workspace_id: null }, 'installation.released', null, {
      ...result,
      backup_at: hold.data_until.toISOString(),
    })
    return result
  })
}

const notHeld = () =>
  problem('invalid_transition', { detail: 'The installation is not held.', extra: { state: 'running' } })
