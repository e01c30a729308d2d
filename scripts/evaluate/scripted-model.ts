import { MockLanguageModelV4 } from 'ai/test'
import type { Draft } from '../../server/modules/agents/drafts/draft.ts'
import type { ReadyModel } from '../../server/modules/ai/providers/providers.ts'
import type { LanguageBrief } from './brief.ts'

/** The draft that the script has for a brief. */
export const scriptedDraft = ({ name, language, text, facts, entry }: LanguageBrief): Draft => ({
  ...{ topic: name, content: text, variants: [], language, image_prompt: null, image_alt: null },
  ...{ source_ids: facts || entry ? ['s1'] : [], claims: [], skip_reason: null },
})

/** A model that writes these texts one after the other, whatever it is asked. */
export const scriptedModel = (...outputs: string[]): ReadyModel => ({
  language: new MockLanguageModelV4({
    doGenerate: outputs.map((text) => ({
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    })),
  }),
  settings: { maxRetries: 0 },
  mediaSettings: { maxRetries: 0 },
  endpoint: { base_url: '', headers: {} },
  ...{ key_source: 'none', key_last4: null },
})
