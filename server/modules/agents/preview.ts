import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { notFound } from '../../errors.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { CREDITS, type RunOptions } from '../ai/generate.ts'
import { checkFields, defaults, findModel } from './agents.ts'
import { askedParts } from './drafts/asked.ts'
import type { Draft } from './drafts/draft.ts'
import { writeDraft } from './drafts/write-draft.ts'
import { readContext } from './drafts/writing-context.ts'
import { configOf } from './record/agent-config.ts'
import { type AgentAccount, accountsWithIds, readAgent, readingOf } from './record/agent-record.ts'
import type { PreviewedAgent } from './record/agents.schema.ts'
import { chargeTo } from './record/budget.ts'
import { refreshSources } from './sources/reading/refresh-sources.ts'

/** An agent as it would be saved, which it is not. Throws what saving it would throw. */
async function readUnsaved(deps: Deps, tx: Tx, caller: Member, { agent_id, ...fields }: Static<typeof PreviewedAgent>) {
  const { workspace_id } = caller
  const { timezone } = await tx
    .selectFrom('workspace')
    .select('timezone')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  const reading = await readingOf(deps, tx)
  const saved = agent_id === undefined ? undefined : await readAgent(tx, reading, workspace_id, agent_id)
  const agent = { name: '', model_id: null, account_ids: [], timezone, ...defaults, ...saved, ...fields }
  checkFields(deps, agent, { auto_available: saved?.auto_available ?? reading.autoFromStart }, fields)
  if (fields.account_ids) await lockAccounts(tx, workspace_id, fields.account_ids)
  return {
    config: configOf({ ...agent, text_model_id: await findModel(tx, agent.model_id) }),
    accounts: await accountsWithIds(tx, workspace_id, agent.account_ids),
  }
}

/** The text that each account would get. */
function targetsOf(accounts: readonly AgentAccount[], draft: Draft | null) {
  if (draft === null || draft.skip_reason !== null) return []
  const variants = new Map(draft.variants.map(({ network, content }) => [network, content]))
  return accounts.map(({ id, network }) => ({
    account_id: id,
    network,
    content: variants.get(network) ?? draft.content,
  }))
}

/**
 * Has an agent that is not saved write its next post, as a run would: with the same prompt, sources, checks and charges.
 * Stores nothing, and does not ask for another text. With `agent_id`, what is left out is that of the saved agent, as are
 * its sources and what became of its posts.
 */
export async function previewAgent(deps: Deps, caller: Member, input: Static<typeof PreviewedAgent>, run: RunOptions) {
  const { agent_id } = input
  if (agent_id !== undefined) await refreshSources(deps, caller, agent_id)
  const now = deps.clock.now()
  const context = await inTransaction(deps.db, async (tx) => {
    const unsaved = await readUnsaved(deps, tx, caller, input)
    const { workspace_id } = caller
    const source = { agent_id: agent_id ?? null, workspace_id, canary: `ref-${randomUUID()}`, now }
    return readContext(tx, { ...source, ...unsaved, withUsed: true })
  })
  const charge = agent_id === undefined ? undefined : chargeTo(agent_id, now)
  const asked = askedParts(context.writing)
  return writeDraft(deps, caller, context, { ...run, ...(charge && { charge }) }, async (_, { draft, findings }) => ({
    topic: draft?.topic ?? null,
    content: draft?.content ?? null,
    variants: draft?.variants ?? [],
    targets: targetsOf(context.accounts, draft),
    skip_reason: draft?.skip_reason ?? null,
    source_ids: draft?.source_ids ?? [],
    findings,
    asked,
    credits: CREDITS.text,
  }))
}
