import { problem, toMessage } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { CREDITS, callAndSettle, prepareGeneration, type RunOptions } from '../../ai/generate.ts'
import { completeGeneration } from '../../ai/generations.ts'
import { activeChatModels } from '../../ai/models/models.ts'
import { textUsage } from '../../ai/models/prices.ts'
import { askForJson, bytesToSend } from '../../ai/providers/structured-output.ts'
import { TEXT_MS } from '../../ai/texts.ts'
import type { AgentConfig } from '../record/agent-config.ts'
import { type Finding, findingsOf, trustFindings } from './checks.ts'
import { type Draft, providerSchema, readDraft } from './draft.ts'
import { type Correction, promptFor } from './prompt.ts'
import { lengthProblemOn, type WritingContext } from './writing-context.ts'

/** The model of the agent, or else the first active chat model. */
async function textModelOf(db: Db, { text_model_id }: Pick<AgentConfig, 'text_model_id'>) {
  const id = text_model_id ?? (await activeChatModels(db).limit(1).executeTakeFirst())?.id
  if (id === undefined) throw problem('no_model', { detail: 'An instance admin must set up a chat model first.' })
  return id
}

/** A draft with the rules that it breaks. Null if the output of the model could not be read. */
export type CheckedDraft = { draft: Draft | null; findings: Finding[] }

/** Reads the output of a model, and lists the rules that it breaks. */
export function checkOutput(output: string, { accounts, writing, checks }: WritingContext): CheckedDraft {
  const read = readDraft(
    output,
    writing.networks.map(({ network }) => network),
  )
  if (typeof read === 'string')
    return {
      draft: null,
      findings: [
        // The model reads the English text, which names the fault.
        { code: 'unreadable', ...toMessage({ en: read, tr: 'Model beklenen biçimde yanıt vermedi.' }) },
        ...trustFindings(checks.material),
      ],
    }
  if (read.skip_reason !== null) return { draft: read, findings: [] }
  return {
    draft: read,
    findings: findingsOf(read, { ...checks, lengthProblem: lengthProblemOn(accounts, read.variants) }),
  }
}

/** Asks for another text in place of one that broke rules. The trust in a source is nothing that a text can mend. */
export function correctionOf({ draft, findings }: CheckedDraft): Correction | undefined {
  const problems = findings.filter(({ code }) => code !== 'untrusted_source').map(({ message }) => message)
  return problems.length > 0 ? { content: draft?.content ?? null, problems } : undefined
}

type Options = RunOptions & { correction?: Correction | undefined }

/**
 * Has the model write a draft as this member, for 1 AI credit. `settle` runs in the transaction that has ended the
 * generation; when it throws, nothing is written and the credit is returned.
 */
export async function writeDraft<Result>(
  deps: Deps,
  member: Member,
  context: WritingContext,
  { correction, ...run }: Options,
  settle: (tx: Tx, checked: CheckedDraft, generation_id: string) => Promise<Result>,
) {
  const prompt = promptFor(context.writing, correction)
  const { instructions } = context.checks
  const bytes = bytesToSend({ schema: providerSchema, instructions, prompt })
  const spec = { kind: 'text' as const, prompt, credits: CREDITS.text, bytes, ms: TEXT_MS, charge: run.charge }
  const { id, model, row } = await prepareGeneration(deps, member, await textModelOf(deps.db, context.config), spec)
  return callAndSettle(
    deps,
    id,
    { ...run, ms: TEXT_MS },
    async (signal, responded) => {
      const { text, usage } = await askForJson(model, { schema: providerSchema, instructions, prompt, signal })
      const used = textUsage(row, usage, { bytes, text })
      responded(used)
      return { text, used }
    },
    async (tx, { text, used }) => {
      await completeGeneration(deps, tx, id, used)
      return settle(tx, checkOutput(text, context), id)
    },
  )
}
