import { storableJson } from '../../../lib/text.ts'
import type { ReadyModel } from './providers.ts'

export const plainText = { type: 'string' } as const
export const optionalText = { type: ['string', 'null'] as ('string' | 'null')[] }
/** Types only, because several providers refuse bounds. All fields are required, as strict modes ask. */
export const objectOf = <Properties extends object>(properties: Properties) => ({
  type: 'object' as const,
  properties: { ...properties },
  required: Object.keys(properties),
  additionalProperties: false,
})
export const listOf = <Items extends object>(items: Items) => ({ type: 'array' as const, items })

type Question = { schema: object; instructions: string; prompt: string; signal: AbortSignal }

/** Size of what a model reads to write an object. */
export const bytesToSend = ({ schema, instructions, prompt }: Omit<Question, 'signal'>) =>
  Buffer.byteLength(JSON.stringify(schema) + instructions + prompt)

/** Asks a model for one JSON object. It gets no tools, so a hostile text can spoil this object and nothing else. */
export async function askForJson({ language, settings }: ReadyModel, { schema, signal, ...question }: Question) {
  const { generateText, jsonSchema, Output } = await import('ai')
  // Callers read the text with `readJson`: the package fails for fences and for what is cut.
  const output = {
    ...Output.object({ schema: jsonSchema(schema) }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
  }
  return generateText({ model: language ?? 'none', ...settings, ...question, output, abortSignal: signal })
}

/** The first whole JSON object in a text: some models put sentences or fences around it. */
function firstObject(output: string) {
  const start = output.indexOf('{')
  let depth = 0
  let isQuoted = false
  for (let at = start; at >= 0 && at < output.length; at++) {
    const letter = output[at]
    if (isQuoted && letter === '\\') at++
    else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && letter === '{') depth++
    else if (!isQuoted && letter === '}' && --depth === 0) return output.slice(start, at + 1)
  }
}

/** Reads the object in the output of a model, without what jsonb refuses. Undefined if there is none. */
export function readJson(output: string): unknown {
  try {
    return storableJson(JSON.parse(firstObject(output) ?? ''))
  } catch {
    return undefined
  }
}
