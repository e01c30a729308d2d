import { problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { callableModels } from '../../ai/models/models.ts'
import type { RunConfig } from '../runs/lock-run.ts'
import { type Finding, findingsOf } from './checks.ts'
import { type Draft, readDraft } from './draft.ts'
import { lengthProblemOn, type WritingContext } from './writing-context.ts'

/** The model of the agent, or else the first that chats: others cannot be asked for structured output. */
export async function textModelOf(db: Db, { text_model_id }: Pick<RunConfig, 'text_model_id'>) {
  if (text_model_id !== null) return text_model_id
  const first = await callableModels(db)
    .where('category', '=', 'text')
    .where('api_type', '=', 'chat')
    .where('is_active', '=', true)
    .orderBy('ai_model.id')
    .limit(1)
    .executeTakeFirst()
  if (!first) throw problem('no_model', { detail: 'An instance admin must set up a model that chats first.' })
  return first.id
}

type Judged = { draft: Draft | null; findings: Finding[] }

/** Reads the output of a model, and lists the rules that it breaks. */
export function judge(output: string, { accounts, writing, checks }: WritingContext): Judged {
  const read = readDraft(
    output,
    writing.networks.map(({ network }) => network),
  )
  if (typeof read === 'string') return { draft: null, findings: [{ code: 'unreadable', message: read }] }
  if (read.skip_reason !== null) return { draft: read, findings: [] }
  return {
    draft: read,
    findings: findingsOf(read, { ...checks, lengthProblem: lengthProblemOn(accounts, read.variants) }),
  }
}
