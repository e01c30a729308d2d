import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { audit, system } from '../../lib/audit.ts'
import { inTransaction, leastId, type Tx } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import { mailOwners } from './care-mails.ts'

type CareDeps = Pick<Deps, 'clock' | 'config' | 'options' | 'baseUrl' | 'log'>

/** How long an endpoint has to fail before its owners are told, and told again. */
const WARN_AFTER_MS = [24 * 3600_000, 72 * 3600_000]
/** Who enables one again and again that disables itself gets no mail each time. */
const TOLD_FOR_MS = 3600_000
/** How many deliveries one statement holds. */
const HOLD_BATCH = 5000
/** Longer than a claim lasts: what is in flight has ended by then, or nobody sends it. */
const IN_FLIGHT_MS = 65_000

/**
 * Disables those of these webhooks, or of all, that had no success for too long: see `WEBHOOK_DISABLE_AFTER_S`. Belongs
 * in a transaction that has locked no health yet, because whoever changes a webhook locks it before its health.
 */
export async function disableFailing(deps: CareDeps, tx: Tx, webhook_ids: string[] | undefined) {
  const now = deps.clock.now()
  const { rows } = await sql<{ id: string }>`
    select id from webhook join webhook_health on webhook_id = id
    where active and first_failure_at <= ${now}::timestamptz - make_interval(secs => ${deps.config.WEBHOOK_DISABLE_AFTER_S})
      and (exhausted >= 2 or circuit_opened >= 2) ${webhook_ids ? sql`and id = any(${webhook_ids}::uuid[])` : sql``}
    order by id for no key update of webhook, webhook_health`.execute(tx)
  await disable(deps, tx, 'failing', rows)
}

/** Disables those of these webhooks whose endpoint asked for nothing more: it answered 410. */
export async function disableGone(deps: CareDeps, tx: Tx, webhook_ids: string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from webhook where active and id = any(${webhook_ids}::uuid[]) order by id for no key update`.execute(tx)
  await disable(deps, tx, 'gone', rows)
}

async function disable(deps: CareDeps, tx: Tx, reason: 'failing' | 'gone', locked: { id: string }[]) {
  const now = deps.clock.now()
  for (const { id } of locked) {
    const { team_id, url } = await tx
      .updateTable('webhook')
      .set({ active: false, disabled_reason: reason, disabled_at: now })
      .where('id', '=', id)
      .returning(['team_id', 'url'])
      .executeTakeFirstOrThrow()
    const isTold = await wasDisabled(tx, team_id, id, new Date(now.getTime() - TOLD_FOR_MS))
    await audit(tx, system(team_id), 'webhook.disabled', id, { reason, url })
    await queueHold(tx, id)
    if (!isTold) await mailOwners(deps, tx, id, { key: 'webhook-disabled', reason })
  }
}

/** Whether Meydan disabled it since then, and told its owners. */
async function wasDisabled(tx: Tx, workspace_id: string, webhook_id: string, since: Date) {
  const former = await tx
    .selectFrom('audit_entry')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('action', '=', 'webhook.disabled')
    .where('id', '>=', leastId(since))
    .where('target_id', '=', webhook_id)
    .limit(1)
    .executeTakeFirst()
  return former !== undefined
}

const queueHold = (tx: Tx, webhook_id: string, runAt?: Date) =>
  addJob(tx, 'hold-deliveries', { webhook_id }, { key: `hold ${webhook_id}`, ...(runAt && { runAt }) })

/** Tells the owners of a webhook that has been failing for a day, and for three days. */
async function warn(deps: CareDeps, tx: Tx, webhook_id: string) {
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

/** Looks after every webhook that fails for long. One that cannot be looked after holds up no other. */
export async function careForWebhooks(deps: CareDeps & Pick<Deps, 'db' | 'log'>) {
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
        await warn(deps, tx, id)
      })
    } catch (err) {
      log.error({ err, webhook_id: id }, 'a failing webhook could not be looked after')
    }
}

/** Sets what waits for a webhook aside, but for what is in flight. Takes `active` as it is: the webhook has to be locked. */
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

/** Holds what waits for a webhook that was disabled, a batch a transaction, and looks again after what is in flight. */
export async function holdDisabled({ db, clock }: Pick<Deps, 'db' | 'clock'>, { webhook_id }: { webhook_id: string }) {
  let more = true
  while (more)
    more = await inTransaction(db, async (tx) => {
      // Shared, so that it stays disabled until this batch is in, and events are emitted meanwhile.
      const { rows } = await sql`select from webhook where id = ${webhook_id} and not active for share`.execute(tx)
      if (rows.length === 0) return false
      if ((await holdBatch(tx, webhook_id, clock.now())) === HOLD_BATCH) return true
      const { rows: left } = await sql`
        select from delivery where webhook_id = ${webhook_id} and state = 'waiting' limit 1`.execute(tx)
      if (left.length > 0) await queueHold(tx, webhook_id, new Date(clock.now().getTime() + IN_FLIGHT_MS))
      return false
    })
}
