import { sql } from 'kysely'
import { DAY, HOUR } from '../../../shared/time.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { inTransaction, minIdAt, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { mailOwners } from './failure-mails.ts'

type AutoDisableDeps = Pick<Deps, 'clock' | 'config' | 'options' | 'baseUrl' | 'log'>

/** Owners are warned after failures of this length. */
const WARN_AFTER_MS = [DAY, 72 * HOUR]
/** A webhook that is enabled and disabled again and again sends at most one mail in this time. */
const MAIL_INTERVAL_MS = HOUR
/** Deliveries that one statement holds. */
const HOLD_BATCH = 5000

/**
 * Disables webhooks without a success for `WEBHOOK_DISABLE_AFTER_S`, among the given ones or all. The transaction must
 * not have locked any health record, because a webhook is always locked before its health.
 */
export async function disableFailing(deps: AutoDisableDeps, tx: Tx, webhook_ids: string[] | undefined) {
  const now = deps.clock.now()
  const { rows } = await sql<{ id: string }>`
    select id from webhook join webhook_health on webhook_id = id
    where active and first_failure_at <= ${now}::timestamptz - make_interval(secs => ${deps.config.WEBHOOK_DISABLE_AFTER_S})
      and (exhausted >= 2 or circuit_opened >= 2) ${webhook_ids ? sql`and id = any(${webhook_ids}::uuid[])` : sql``}
    order by id for no key update of webhook, webhook_health`.execute(tx)
  await disable(deps, tx, 'failing', rows)
}

/** Disables webhooks whose endpoint has asked for no more deliveries by responding 410. */
export async function disableGone(deps: AutoDisableDeps, tx: Tx, webhook_ids: string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from webhook where active and id = any(${webhook_ids}::uuid[]) order by id for no key update`.execute(tx)
  await disable(deps, tx, 'gone', rows)
}

async function disable(deps: AutoDisableDeps, tx: Tx, reason: 'failing' | 'gone', locked: { id: string }[]) {
  const now = deps.clock.now()
  for (const { id } of locked) {
    const { team_id, url } = await tx
      .updateTable('webhook')
      .set({ active: false, disabled_reason: reason, disabled_at: now })
      .where('id', '=', id)
      .returning(['team_id', 'url'])
      .executeTakeFirstOrThrow()
    const wasMailed = await wasDisabled(tx, team_id, id, new Date(now.getTime() - MAIL_INTERVAL_MS))
    await audit(tx, system(team_id), 'webhook.disabled', id, { reason, url })
    await queueHold(tx, id)
    if (!wasMailed) await mailOwners(deps, tx, id, { key: 'webhook-disabled', reason })
  }
}

/** Whether Meydan has disabled a webhook since then, so that its owners have a mail already. */
async function wasDisabled(tx: Tx, workspace_id: string, webhook_id: string, since: Date) {
  const former = await tx
    .selectFrom('audit_entry')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('action', '=', 'webhook.disabled')
    .where('id', '>=', minIdAt(since))
    .where('target_id', '=', webhook_id)
    .limit(1)
    .executeTakeFirst()
  return former !== undefined
}

const queueHold = (tx: Tx, webhook_id: string, runAt?: Date) =>
  addJob(tx, 'hold-deliveries', { webhook_id }, { key: `hold ${webhook_id}`, ...(runAt && { runAt }) })

/** Warns the owners of a webhook that has been failing for a day, and again after three days. */
async function warnOwners(deps: AutoDisableDeps, tx: Tx, webhook_id: string) {
  const [once, twice] = WARN_AFTER_MS.map((ms) => new Date(deps.clock.now().getTime() - ms))
  const { rows } = await sql<{ level: number }>`
    select level from webhook join webhook_health on webhook_id = id
    cross join lateral (select case when first_failure_at <= ${twice} then 2 when first_failure_at <= ${once} then 1 else 0 end as level) as due
    where id = ${webhook_id} and active and warned < level
    for no key update of webhook, webhook_health`.execute(tx)
  const [due] = rows
  if (!due) return
  await tx.updateTable('webhook_health').set({ warned: due.level }).where('webhook_id', '=', webhook_id).execute()
  await mailOwners(deps, tx, webhook_id, { key: 'webhook-failing' })
}

/** Warns the owners of webhooks that keep failing, or disables them. An error with one does not stop the others. */
export async function checkFailingWebhooks(deps: AutoDisableDeps & Pick<Deps, 'db' | 'log'>) {
  const { db, clock, config, log } = deps
  const longest = Math.min(config.WEBHOOK_DISABLE_AFTER_S * 1000, ...WARN_AFTER_MS)
  const { rows } = await sql<{ id: string }>`
    select id from webhook join webhook_health on webhook_id = id
    where active and first_failure_at <= ${new Date(clock.now().getTime() - longest)} order by first_failure_at`.execute(
    db,
  )
  for (const { id } of rows)
    try {
      await inTransaction(db, async (tx) => {
        await disableFailing(deps, tx, [id])
        await warnOwners(deps, tx, id)
      })
    } catch (err) {
      log.error({ err, webhook_id: id }, 'a failing webhook could not be checked')
    }
}

/** Holds the waiting deliveries of a webhook, except those in flight. The webhook must be locked. */
export async function holdDeliveries(tx: Tx, webhook_id: string, now: Date) {
  while ((await holdBatch(tx, webhook_id, now)) === HOLD_BATCH);
}

async function holdBatch(tx: Tx, webhook_id: string, now: Date) {
  const { numAffectedRows = 0n } = await sql`
    update delivery set state = 'held', claim_id = null
    where webhook_id = ${webhook_id} and id = any(array(
      select id from delivery
      where webhook_id = ${webhook_id} and state = 'waiting' and (claim_id is null or run_at <= ${now})
      order by run_at limit ${HOLD_BATCH} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Holds the waiting deliveries of a disabled webhook, one batch per transaction. If some are in flight, it is queued to
 * run again when they have ended.
 */
export async function holdDisabled(
  { db, clock, timings }: Pick<Deps, 'db' | 'clock' | 'timings'>,
  { webhook_id }: { webhook_id: string },
) {
  let more = true
  while (more)
    more = await inTransaction(db, async (tx) => {
      // The shared lock keeps the webhook disabled until this batch is held, and does not block `emit`.
      const { rows } = await sql`select from webhook where id = ${webhook_id} and not active for share`.execute(tx)
      if (rows.length === 0) return false
      if ((await holdBatch(tx, webhook_id, clock.now())) === HOLD_BATCH) return true
      const { rows: left } = await sql`
        select from delivery where webhook_id = ${webhook_id} and state = 'waiting' limit 1`.execute(tx)
      if (left.length > 0) await queueHold(tx, webhook_id, new Date(clock.now().getTime() + timings.deliveryHold))
      return false
    })
}
