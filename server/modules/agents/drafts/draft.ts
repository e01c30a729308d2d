import { type Static, Type } from 'typebox'
import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { Closed, nullable } from '../../../lib/http/schema/schema.ts'
import { compileValidator, fieldErrors } from '../../../lib/http/schema/validation.ts'
import { withoutHiddenCharacters } from '../../../lib/text.ts'
import { listOf, objectOf, optionalText, plainText, readJson } from '../../ai/providers/structured-output.ts'

const Draft = Closed({
  topic: Type.String({ maxLength: 120 }),
  content: Type.String({ maxLength: 10_000 }),
  variants: Type.Array(
    Closed({ network: Type.String({ maxLength: 40 }), content: Type.String({ maxLength: 10_000 }) }),
    {
      maxItems: 20,
    },
  ),
  language: Type.String({ maxLength: 35 }),
  image_prompt: nullable(Type.String({ maxLength: 1000 })),
  image_alt: nullable(Type.String({ maxLength: 1500 })),
  source_ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
  claims: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 20 }),
  skip_reason: nullable(Type.String({ maxLength: 500 })),
})

/** The structured output of the model for one post. */
export type Draft = Static<typeof Draft>

/** The schema for providers. */
export const providerSchema = objectOf({
  topic: plainText,
  content: plainText,
  variants: listOf(objectOf({ network: plainText, content: plainText })),
  language: plainText,
  image_prompt: optionalText,
  image_alt: optionalText,
  source_ids: listOf(plainText),
  claims: listOf(plainText),
  skip_reason: optionalText,
})

const validate = compileValidator(Draft, 'body')
const isDraft = (value: unknown): value is Draft => validate(value)

/** Longest output that is read. */
const MAX_OUTPUT = 100_000

/** The text with names in place of mentions with ids, also of those in names: nobody is mentioned by a model. */
function withoutMentions(text: string): string {
  const named = withMentionNames(text)
  return named === text ? text : withoutMentions(named)
}

const clean = (text: string) => withoutMentions(withoutHiddenCharacters(text)).trim()

/** Without variants that change nothing, and without hidden characters. */
function cleaned(draft: Draft, networks: readonly string[]): Draft {
  const content = clean(draft.content)
  const seen = new Set<string>()
  const variants = draft.variants
    .map((variant) => ({ ...variant, content: clean(variant.content) }))
    .filter((variant) => {
      const isUseful = variant.content !== '' && variant.content !== content && networks.includes(variant.network)
      const isFirst = !seen.has(variant.network)
      seen.add(variant.network)
      return isUseful && isFirst
    })
  return {
    ...draft,
    topic: withoutHiddenCharacters(draft.topic).trim(),
    content,
    variants,
    image_alt: draft.image_alt && withoutHiddenCharacters(draft.image_alt).trim(),
  }
}

/** Reads the output of a model. A string says which fields are wrong, in words for the model. */
export function readDraft(output: string, networks: readonly string[]): Draft | string {
  if (output.length > MAX_OUTPUT) return 'The response is too long.'
  const value = readJson(output)
  if (value === undefined) return 'The response is not one JSON object.'
  if (!isDraft(value)) {
    const pointers = fieldErrors(validate.errors ?? []).map(({ pointer, code }) => `${pointer || '/'}: ${code}`)
    return `These fields are wrong: ${pointers.join(', ')}.`
  }
  const draft = cleaned(value, networks)
  if (draft.skip_reason === null && draft.content === '') return 'These fields are wrong: /content: too_short.'
  return draft
}
