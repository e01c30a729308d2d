import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Agent } from '../../../lib/db/database-types.ts'

const configFields = [
  ...(['name', 'role', 'persona', 'system_prompt', 'voice', 'language', 'link_domains', 'forbidden_words'] as const),
  ...(['timezone', 'autonomy_level', 'quiet_from', 'quiet_until', 'text_model_id'] as const),
] as const

/** The part of an agent that a run writes by. A change of the agent does not reach a run that has begun. */
export type RunConfig = Pick<Selectable<Agent>, (typeof configFields)[number]>

export const configOf = (agent: RunConfig): RunConfig =>
  Object.fromEntries(configFields.map((field) => [field, agent[field]])) as RunConfig

/** Locks the agent of a run, and then the run: always in this order, as whoever adds a run locks the agent. */
export async function lockRun(tx: Tx, id: string) {
  const found = await tx.selectFrom('agent_run').select('agent_id').where('id', '=', id).executeTakeFirst()
  if (!found) return
  const agent = await tx
    .selectFrom('agent')
    .selectAll()
    .where('id', '=', found.agent_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const run = await tx
    .selectFrom('agent_run')
    .select(['id', 'workspace_id', 'agent_id', 'trigger', 'slot', 'status', 'wanted', 'granted', 'attempts'])
    .select(['claim_id', 'started_at', 'created_at', 'missed'])
    .select([sql<string>`day::text`.as('day'), sql<RunConfig | null>`config`.as('config')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return agent && run && { agent, run }
}

export type LockedRun = NonNullable<Awaited<ReturnType<typeof lockRun>>>

export const hasEnded = ({ status }: Pick<LockedRun['run'], 'status'>) => status !== 'queued' && status !== 'running'
