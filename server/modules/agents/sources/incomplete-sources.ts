import type { Selectable } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { AgentSource } from '../../../lib/db/database-types.ts'

type SourceKind = Pick<Selectable<AgentSource>, 'kind' | 'label'>

/** Adds sources that a person has to give an address or a text. */
export async function insertPlaceholders(
  tx: Tx,
  { workspace_id, agent_id }: { workspace_id: string; agent_id: string },
  kinds: readonly SourceKind[],
) {
  if (kinds.length === 0) return
  await tx
    .insertInto('agent_source')
    .values(kinds.map(({ kind, label }) => ({ workspace_id, agent_id, kind, label, is_trusted: kind === 'text' })))
    .execute()
}

/** Kinds and labels of the sources of an agent, in their order. No address and no text: a recipe shares them. */
export const listSourceKinds = (tx: Tx, agent_id: string): Promise<SourceKind[]> =>
  tx.selectFrom('agent_source').select(['kind', 'label']).where('agent_id', '=', agent_id).orderBy('id').execute()

/** Labels of the sources that are not complete. */
export async function incompleteSources(tx: Tx, agent_id: string) {
  const rows = await tx
    .selectFrom('agent_source')
    .select('label')
    .where('agent_id', '=', agent_id)
    .where('url', 'is', null)
    .where('text', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ label }) => label)
}
