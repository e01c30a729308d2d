import { callInLoops } from '../../bench/harness.ts'
import type { Deps } from '../../server/lib/deps.ts'
import type { Member } from '../../server/lib/http/access.ts'
import { verdictOf } from '../../server/modules/agents/drafts/checks.ts'
import { providerSchema } from '../../server/modules/agents/drafts/draft.ts'
import { promptFor } from '../../server/modules/agents/drafts/prompt.ts'
import { type CheckedDraft, checkOutput, correctionOf } from '../../server/modules/agents/drafts/write-draft.ts'
import { providerProblem } from '../../server/modules/ai/providers/provider-problem.ts'
import type { ReadyModel } from '../../server/modules/ai/providers/providers.ts'
import { askForJson } from '../../server/modules/ai/providers/structured-output.ts'
import { TEXT_MS } from '../../server/modules/ai/texts.ts'
import type { LanguageBrief } from './brief.ts'
import { contextOf } from './context.ts'
import { rules } from './rules.ts'

/** Calls of a model at the same time. */
const CONCURRENCY = 4

/** `modelOf`: the model for a brief. */
type Evaluated = {
  deps: Deps
  owner: Member
  briefs: readonly LanguageBrief[]
  modelOf: (brief: LanguageBrief) => ReadyModel
}

/** Whether each rule was kept, in the order of the rules; only those that a brief asks for. */
export type BriefResult = {
  name: string
  language: string
  /** Texts that were written until one was accepted or the run gave up. */
  texts: number
  verdict: 'accept' | 'review' | 'block' | 'failed'
  kept: Record<string, boolean>
  /** The first text, or why there is none. */
  content: string
  findings: string[]
}

type Share = { name: string; bound: number; kept: number; asked: number }

/** Shares that depend on all texts of a brief, and not on the first alone. */
const outcomes: readonly { name: string; bound: number; isKept: (result: BriefResult) => boolean }[] = [
  { name: 'written', bound: 0.98, isKept: ({ kept }) => kept.written === true },
  { name: 'accepted', bound: 0.94, isKept: ({ verdict }) => verdict === 'accept' || verdict === 'review' },
  { name: 'without a person', bound: 0.8, isKept: ({ verdict }) => verdict === 'accept' },
]

/** Has a model write for a brief as a run does: texts that break rules are written again. */
async function write({ deps, owner, modelOf }: Evaluated, brief: LanguageBrief): Promise<BriefResult> {
  const context = await contextOf(deps, owner, brief)
  const { instructions } = context.checks
  const written: CheckedDraft[] = []
  const result = { name: brief.name, language: brief.language }
  for (;;) {
    const last = written.at(-1)
    const prompt = promptFor(context.writing, last && correctionOf(last))
    const signal = AbortSignal.timeout(TEXT_MS)
    try {
      const { text } = await askForJson(modelOf(brief), { schema: providerSchema, instructions, prompt, signal })
      written.push(checkOutput(text, context))
    } catch (error) {
      const { code, detail } = providerProblem(error, deps.clock.now())
      const content = [code, detail].filter(Boolean).join(': ')
      const texts = written.length + 1
      return { ...result, texts, verdict: 'failed', kept: { written: false }, content, findings: [] }
    }
    const verdict = verdictOf(written.at(-1)?.findings ?? [], written.length)
    if (verdict === 'retry') continue
    const [first] = written
    const draft = first?.draft
    const findings = (first?.findings ?? []).map(({ message }) => message)
    const kept: Record<string, boolean> = { written: Boolean(draft) }
    if (draft)
      for (const { name, isKept } of rules) {
        const isRuleKept = isKept({ draft, findings: first?.findings ?? [], brief, context })
        if (isRuleKept !== undefined) kept[name] = isRuleKept
      }
    return { ...result, texts: written.length, verdict, kept, content: draft?.content ?? '', findings }
  }
}

/** Counts how many briefs kept each rule. */
export function sharesOf(results: readonly BriefResult[]): Share[] {
  const ofRules = rules.map(({ name, bound }) => {
    const asked = results.filter(({ kept }) => kept[name] !== undefined)
    return { name, bound, kept: asked.filter(({ kept }) => kept[name]).length, asked: asked.length }
  })
  const ofOutcomes = outcomes.map(({ name, bound, isKept }) => ({
    ...{ name, bound, kept: results.filter(isKept).length, asked: results.length },
  }))
  return [...ofOutcomes, ...ofRules]
}

/** A rule that no brief asked for is kept. */
export const shareOf = ({ kept, asked }: Pick<Share, 'kept' | 'asked'>) => (asked === 0 ? 1 : kept / asked)
export const isMet = (share: Share) => shareOf(share) >= share.bound

/** Evaluates the prompts of agents: has a model write for each brief, and checks what it wrote. */
export async function evaluate(evaluated: Evaluated): Promise<BriefResult[]> {
  const results: BriefResult[] = []
  const { briefs } = evaluated
  await callInLoops(
    CONCURRENCY,
    (begun) => begun >= briefs.length,
    async (index) => {
      const brief = briefs[index]
      if (brief) results[index] = await write(evaluated, brief)
    },
  )
  return results
}
