import { type Static, type TSchema, Type } from 'typebox'

export const idPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/** What is not seen: control characters, other line breaks, and what turns the direction of the text around it. */
const unseen = '\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069'
/** One line of text that reads as it is written. */
export const linePattern = `^[^${unseen}]*$`
/** The same with something to be seen in it: spaces, the first letter, the rest. Read in one pass, however long. */
export const namePattern = `^[^\\S${unseen}]*[^\\s${unseen}][^${unseen}]*$`

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
  const { title: _, ...unnamed }: S & { title?: unknown } = schema
  return Type.Unsafe<Static<S> | null>({ ...unnamed, type: ['type' in schema ? schema.type : 'string', 'null'] })
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
    description: `${description}. One line, without control characters and those that change the direction of text`,
  })

/** A whole number from 0 on, of what is counted or measured. */
export const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })

export const IdParams = Closed({ id: Id })
