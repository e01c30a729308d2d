import { sql } from 'kysely'
import { inTransaction } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { notify } from '../../../notifications/notify.ts'

/**
 * Notifies the editors of each workspace once a day of the agents whose posts still wait for a decision: in review, or
 * held since the agent was stopped.
 */
export const notifyWaitingPosts = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { rows } = await sql<{ id: string; name: string; workspace_id: string }>`
      select agent.id, agent.name, agent.workspace_id
      from agent join workspace on workspace.id = agent.workspace_id and workspace.deleted_at is null
      where agent.id in (
        select agent_id from agent_run join post on post.agent_run_id = agent_run.id
        where post.deleted_at is null and post.review = 'pending'
        union all
        select agent_id from agent_run join post on post.agent_run_id = agent_run.id
        where post.deleted_at is null and post.held = 'agents_stopped'
      )
      order by agent.id`.execute(tx)
    for (const { workspace_id, ...subject } of rows)
      await notify(
        tx,
        {
          ...{ kind: 'agent.waiting', workspace_id, subject, cause: now.toISOString().slice(0, 10) },
          to: { roles: ['editor', 'admin', 'owner'] },
        },
        now,
      )
    return rows.length
  })
