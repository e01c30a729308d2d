import { randomUUID } from 'node:crypto'
import { notFound } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { CREDITS, callAndSettle, prepareGeneration, type RunOptions } from '../../ai/generate.ts'
import { completeGeneration } from '../../ai/generations.ts'
import { TEXT_MS } from '../../ai/texts.ts'
import { configOf } from '../runs/lock-run.ts'
import { askModel } from './ask-model.ts'
import { promptFor } from './prompt.ts'
import { judge, textModelOf } from './write-draft.ts'
import { readContext } from './writing-context.ts'

/** Lets an agent write one text, of which nothing is kept. Its rules are checked, and it is not written again. */
export async function previewAgent(deps: Deps, caller: Member, id: string, run: RunOptions) {
  const now = deps.clock.now()
  const { config, ...context } = await inTransaction(deps.db, async (tx) => {
    const agent = await tx
      .selectFrom('agent')
      .selectAll()
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .executeTakeFirstOrThrow(notFound)
    const config = configOf(agent)
    const source = { agent_id: id, workspace_id: agent.workspace_id, config, canary: `ref-${randomUUID()}`, now }
    return { config, ...(await readContext(tx, source)) }
  })
  const prompt = promptFor(context.writing)
  const spec = { kind: 'text' as const, prompt, credits: CREDITS.text, ms: TEXT_MS }
  const ready = await prepareGeneration(deps, caller, await textModelOf(deps.db, config), spec)
  const { instructions } = context.checks
  return callAndSettle(
    deps,
    ready.id,
    { ...run, ms: TEXT_MS },
    (signal) => askModel(ready.model, { instructions, prompt, signal }),
    async (tx, { text, usage }) => {
      const tokens = { input_tokens: usage.inputTokens ?? null, output_tokens: usage.outputTokens ?? null }
      await completeGeneration(deps, tx, ready.id, tokens)
      const { draft, findings } = judge(text, context)
      return {
        topic: draft?.topic ?? null,
        content: draft?.content ?? null,
        variants: draft?.variants ?? [],
        skip_reason: draft?.skip_reason ?? null,
        findings,
        credits: CREDITS.text,
      }
    },
  )
}
