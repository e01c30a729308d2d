import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { AgentConfig } from './agent-config.ts'

/** Locks the agent of a run, and then the run: always in this order, as whoever adds a run locks the agent. */
export async function lockRun(tx: Tx, id: string) {
  const row = await tx.selectFrom('agent_run').select('agent_id').where('id', '=', id).executeTakeFirst()
  if (!row) return
  const agent = await tx
    .selectFrom('agent')
    .selectAll()
    .where('id', '=', row.agent_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const run = await tx
    .selectFrom('agent_run')
    .select(['id', 'workspace_id', 'agent_id', 'trigger', 'slot', 'status', 'wanted', 'granted', 'attempts'])
    .select(['claim_id', 'started_at', 'created_at', 'missed'])
    .select([sql<string>`day::text`.as('day'), sql<AgentConfig | null>`config`.as('config')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return agent && run && { agent, run }
}

export type LockedRun = NonNullable<Awaited<ReturnType<typeof lockRun>>>

export const hasEnded = ({ status }: Pick<LockedRun['run'], 'status'>) => status !== 'queued' && status !== 'running'
