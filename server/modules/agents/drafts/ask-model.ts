import type { ReadyModel } from '../../ai/providers/providers.ts'
import { providerSchema } from './draft.ts'

/** Asks for one draft. The model gets no tools, so a hostile text can spoil this draft and nothing else. */
export async function askModel(
  { language, settings }: ReadyModel,
  { instructions, prompt, signal }: { instructions: string; prompt: string; signal: AbortSignal },
) {
  const { generateText, jsonSchema, Output } = await import('ai')
  // Requests JSON. What came is read by `readDraft`, because the package fails for fences and for what is cut.
  const output = {
    ...Output.object({ schema: jsonSchema(providerSchema) }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
  }
  return generateText({ model: language ?? 'none', ...settings, instructions, prompt, output, abortSignal: signal })
}
