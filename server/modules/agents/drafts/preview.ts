import { randomUUID } from 'node:crypto'
import { notFound } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { CREDITS, type RunOptions } from '../../ai/generate.ts'
import { configOf } from '../record/agent-config.ts'
import { chargeTo } from '../record/budget.ts'
import { refreshSources } from '../sources/reading/refresh-sources.ts'
import { writeDraft } from './write-draft.ts'
import { readContext } from './writing-context.ts'

/** Writes one text as the agent would, and stores nothing. Checks its rules, but does not ask for another text. */
export async function previewAgent(deps: Deps, caller: Member, id: string, run: RunOptions) {
  await refreshSources(deps, caller, id)
  const now = deps.clock.now()
  const context = await inTransaction(deps.db, async (tx) => {
    const agent = await tx
      .selectFrom('agent')
      .selectAll()
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .executeTakeFirstOrThrow(notFound)
    const { workspace_id } = agent
    const source = { agent_id: id, workspace_id, config: configOf(agent), canary: `ref-${randomUUID()}`, now }
    return readContext(tx, { ...source, withUsed: true })
  })
  return writeDraft(deps, caller, context, { ...run, charge: chargeTo(id, now) }, async (_, { draft, findings }) => ({
    topic: draft?.topic ?? null,
    content: draft?.content ?? null,
    variants: draft?.variants ?? [],
    skip_reason: draft?.skip_reason ?? null,
    findings,
    credits: CREDITS.text,
  }))
}
