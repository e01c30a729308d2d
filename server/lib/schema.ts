import { type Static, type TSchema, Type } from 'typebox'

export const idPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/**
 * What is not seen: control characters, other line breaks, what turns the direction of the text around it, and what
 * takes no room, so that two names would look the same.
 */
const unseen =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E' +
  '\\u2060-\\u206F\\u3164'
const unseenAbove = '\\uFEFF\\uFFA0'
/** What shows nothing by itself: spaces, the blank of Braille, and what emoji and Persian join and vary characters with. */
const blank = ' \\u00A0\\u1680\\u2000-\\u200A\\u200C\\u200D\\u202F\\u205F\\u2800\\u3000'
const blankAbove = '\\uFE00-\\uFE0F'
/**
 * Patterns are read with the flag u, and have to compile without it: so the tags, U+E0000 to U+E007F, are left out by
 * ranges that begin at U+D800 (the first ends at U+E007F, the second right before the tags).
 */
const upTo = { tags: '\\uD800-\\uDB40\\uDC7F', beforeTags: '\\uD800-\\uDB3F\\uDFFF', end: '\\uD800-\\uDBFF\\uDFFF' }
const seen = `(?:[^${unseen}${upTo.tags}]|(?![${unseenAbove}])[${upTo.beforeTags}])`
const first = `(?:[^${unseen}${blank}${upTo.end}]|(?![${unseenAbove}${blankAbove}])[${upTo.beforeTags}])`
/** One line of text that reads as it is written. */
export const linePattern = `^${seen}*$`
/** The same with something to be seen in it: blanks, the first letter, the rest. Read in one pass, however long. */
export const namePattern = `^[${blank}${blankAbove}]*${first}${seen}*$`

/** A UUIDv7 as text, made by PostgreSQL. */
export const Id = Type.String({ pattern: idPattern, maxLength: 36, description: 'UUIDv7' })

/** A time in an answer: RFC 3339, UTC, milliseconds. */
export const Time = Type.Unsafe<Date>(Type.String({ format: 'date-time', maxLength: 40 }))

/** The same for a time that PostgreSQL has already written as text, inside of a JSON aggregate. */
export const TimeText = Type.Unsafe<string>(Type.String({ format: 'date-time', maxLength: 40 }))

/** A time in a request: RFC 3339 with any offset. */
export const InputTime = Type.String({ format: 'date-time', maxLength: 40 })

/** `schema` or null. Kept as a list of types, so that one validator and one serializer handle both. */
export function nullable<S extends TSchema>(schema: S) {
  // A title names a type of its own in /openapi.json, and with null it is another type.
  const { title: _, ...unnamed }: S & { title?: unknown; enum?: unknown[] } = schema
  return Type.Unsafe<Static<S> | null>({
    ...unnamed,
    type: ['type' in schema ? schema.type : 'string', 'null'],
    ...(unnamed.enum && { enum: [...unnamed.enum, null] }),
  })
}

/** An object without any other field: an unknown one is refused, never dropped. */
export const Closed: typeof Type.Object = (properties, options) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const NoContent = Type.Unsafe<void>(Type.Null({ description: 'Done; there is nothing to return' }))

/** Text that is shown in one line among other things, and cannot pass for what stands beside it. */
export const Line = (description: string, maxLength = 80) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: namePattern,
    description: `${description}. One line, without characters that cannot be seen or change the direction of text`,
  })

/** A whole number from 0 on, of what is counted or measured. */
export const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })

export const IdParams = Closed({ id: Id })
