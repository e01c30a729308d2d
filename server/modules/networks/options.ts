import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { Closed } from '../../lib/http/schema/schema.ts'
import type { Text } from '../../lib/language.ts'
import type { AccountLimits } from './capabilities.ts'

/** Places of a preview in which readers see the value of an option. */
export const optionPlaces = [
  'title',
  'media_title',
  'tags',
  'topic',
  'sender',
  'authors',
  'note',
  // Folds the text and the files.
  'content_warning',
  // Lies on the files.
  'media_warning',
  // Whether there is a card of the first link.
  'link_card',
  'no_link_card',
  // The link of the card.
  'card_link',
] as const

/**
 * Value of a select. `limits`: capabilities in which a post with this value differs, such as those of a story.
 * `shown_as`: fills the screen of a phone.
 */
type Choice = { value: string; label: Text; limits?: AccountLimits; shown_as?: 'reel' | 'story' }

/** `shown_as`: absent if readers do not see the value in the post. */
type Described = {
  key: string
  label: Text
  help?: Text
  required?: boolean
  shown_as?: (typeof optionPlaces)[number]
}

/** Setting of a post for one network. The composer shows it as a field, and the API validates it. */
export type OptionField = Described &
  /** `is_counted`: its length counts towards that of the text. */
  (
    | { type: 'text'; max_length: number; pattern?: string; is_counted?: true }
    | { type: 'select'; choices: Choice[]; default: string }
    | { type: 'switch'; default: boolean }
    /** Texts in any order, such as tags or languages. `pattern`: the form of each text. */
    | { type: 'list'; max_items: number; max_length: number; pattern?: string }
  )

/** Capabilities in which a post with these options differs from others of its network. */
export function limitsOfOptions(fields: readonly OptionField[], options: Record<string, unknown>): AccountLimits {
  const limits: AccountLimits = {}
  for (const field of fields)
    if (field.type === 'select')
      Object.assign(limits, field.choices.find(({ value }) => value === options[field.key])?.limits)
  return limits
}

/** The value of a `text` option without spaces around it; empty if it is unset. */
export const textOption = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

const patternOf = ({ pattern }: { pattern?: string }) => (pattern === undefined ? {} : { pattern })

function fieldSchema(field: OptionField): TSchema {
  const description = field.help?.en ?? field.label.en
  switch (field.type) {
    case 'text':
      return Type.String({
        minLength: field.required ? 1 : 0,
        maxLength: field.max_length,
        ...patternOf(field),
        description,
      })
    case 'select':
      return Type.Enum(
        field.choices.map(({ value }) => value),
        { type: 'string', description },
      )
    case 'switch':
      return Type.Boolean({ description })
    case 'list':
      return Type.Array(
        Type.String({
          minLength: 1,
          maxLength: field.max_length,
          ...patternOf(field),
        }),
        { maxItems: field.max_items, uniqueItems: true, description },
      )
  }
}

/** The closed schema of a post's settings. Required fields may be absent in a draft, so they are checked apart. */
export const optionsSchema = (fields: readonly OptionField[]) =>
  Closed(Object.fromEntries(fields.map((field) => [field.key, Type.Optional(fieldSchema(field))])))
