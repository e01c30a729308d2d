import { exportRows } from '../../../lib/export.ts'

/** Sources of agents that act for the user. */
export const agentSources = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('agent_source')
    .innerJoin('agent', 'agent.id', 'agent_source.agent_id')
    .select(['agent_source.id', 'agent_source.workspace_id', 'agent_id', 'kind', 'label', 'url', 'text', 'is_trusted'])
    .select(['agent_source.created_at', 'agent_source.updated_at'])
    .where('acts_for_id', '=', user_id)
    .where('agent_source.id', '>', after)
    .orderBy('agent_source.id')
    .limit(limit)
    .execute(),
)
