import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { askedParts } from '../../drafts/asked.ts'
import type { Finding } from '../../drafts/checks.ts'
import type { Draft } from '../../drafts/draft.ts'
import { correctionOf } from '../../drafts/write-draft.ts'
import { canaryOf, readContext } from '../../drafts/writing-context.ts'
import { actingMember } from '../../record/acting-member.ts'
import { configOf } from '../../record/agent-config.ts'
import { readBudget, usedUpLimit } from '../../record/budget.ts'
import { hasEnded, type LockedRun, lockRun } from '../../record/lock-run.ts'
import { takeFromDay } from '../daily-limit.ts'
import { finishRun } from '../finishing/finish-run.ts'
import { notWaiting } from '../run-queue.ts'

const lastItem = (tx: Tx, run_id: string) =>
  tx
    .selectFrom('agent_item')
    .select(['position', 'status', 'generation_ids', 'picture', 'video_id'])
    .select([sql<Draft | null>`draft`.as('draft'), sql<Finding[]>`checks`.as('checks')])
    .where('run_id', '=', run_id)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Takes the day's share when a run begins. undefined: nothing is left. */
async function grantedTo(deps: Deps, tx: Tx, { agent, run }: LockedRun) {
  if (run.granted !== null) return run.granted
  const granted = await takeFromDay(tx, run, run.wanted, agent.daily_limit)
  if (granted === 0) return
  await tx
    .updateTable('agent_run')
    .set({ granted, status: 'running', started_at: deps.clock.now(), config: JSON.stringify(configOf(agent)) })
    .where('id', '=', run.id)
    .execute()
  return granted
}

/** The post that a run writes next, begun or new. */
async function openItem(tx: Tx, run_id: string) {
  const last = await lastItem(tx, run_id)
  if (last?.status === 'writing') return last
  const position = last ? last.position + 1 : 0
  return { position, status: 'writing', generation_ids: [], draft: null, checks: [], picture: null, video_id: null }
}

/**
 * Claims a run for the next call of the model. Whoever claimed it before can write nothing from now on. undefined: the
 * run has ended, before or here.
 */
export const beginStep = (deps: Deps, run_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockRun(tx, run_id)
    if (!locked || hasEnded(locked.run)) return
    const member = await actingMember(tx, locked)
    if (typeof member === 'string') return void (await finishRun(deps, tx, locked, member))
    const granted = await grantedTo(deps, tx, locked)
    if (granted === undefined) return void (await finishRun(deps, tx, locked, 'daily_limit'))
    const { agent, run } = locked
    const item = await openItem(tx, run.id)
    if (item.position >= granted) return void (await finishRun(deps, tx, { agent, run: { ...run, granted } }))
    const now = deps.clock.now()
    // The image of a text that is accepted is left out where its credits are not there, and the text is kept.
    const usedUp = item.picture === null ? usedUpLimit(await readBudget(tx, agent.id, now)) : undefined
    if (usedUp) return void (await finishRun(deps, tx, { agent, run: { ...run, granted } }, 'agent_budget', usedUp))
    const config = run.config ?? configOf(agent)
    const { missing, ...context } = await readContext(tx, { ...run, config, canary: canaryOf(run), now })
    // A text that is accepted needs its sources no longer.
    if (missing && item.picture === null)
      return void (await finishRun(deps, tx, { agent, run: { ...run, granted } }, missing))
    const correction = correctionOf({ draft: item.draft, findings: item.checks })
    // Otherwise the item is there, with what its text was asked for.
    if (item.picture === null) {
      const asked = JSON.stringify(askedParts(context.writing, correction))
      await tx
        .insertInto('agent_item')
        .values({ run_id: run.id, position: item.position, status: 'writing', asked, updated_at: now })
        .onConflict((conflict) => conflict.columns(['run_id', 'position']).doUpdateSet({ asked }))
        .execute()
    }
    const claim_id = randomUUID()
    await tx
      .updateTable('agent_run')
      .set({ claim_id, ...notWaiting, lease_until: new Date(now.getTime() + deps.timings.runLease) })
      .where('id', '=', run.id)
      .execute()
    return {
      run_id: run.id,
      agent_id: agent.id,
      workspace_id: run.workspace_id,
      start: run.started_at ?? now,
      claim_id,
      member,
      item,
      correction,
      ...context,
    }
  })

export type Step = NonNullable<Awaited<ReturnType<typeof beginStep>>>
