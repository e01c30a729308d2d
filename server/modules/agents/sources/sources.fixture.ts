import type { Insertable } from 'kysely'
import type { TestApp } from '../../../../test/app.ts'
import type { WorkspaceOwner } from '../../../../test/factories.ts'
import type { AgentSource } from '../../../lib/db/database-types.ts'

/** Adds a feed, or another source, to an agent. */
export async function sourceOf(
  t: TestApp,
  { workspace_id }: WorkspaceOwner,
  agent_id: string,
  more: Partial<Insertable<AgentSource>>,
) {
  const { id } = await t.deps.db
    .insertInto('agent_source')
    .values({ workspace_id, agent_id, kind: 'feed', label: 'Blog', is_trusted: true, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const readSource = (t: TestApp, id: string) =>
  t.deps.db.selectFrom('agent_source').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Entries and parts that were read from a source, in their order. */
export const itemsOf = (t: TestApp, source_id: string) =>
  t.deps.db.selectFrom('agent_source_item').selectAll().where('source_id', '=', source_id).orderBy('id').execute()
