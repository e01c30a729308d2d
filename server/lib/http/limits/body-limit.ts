import type { TSchema } from 'typebox'

/** Largest JSON body of any route, in bytes. */
export const BODY_LIMIT = 1_000_000
/** Largest JSON body of routes without authentication, and of those whose schema needs less, in bytes. */
export const SMALL_BODY_LIMIT = 16_384

/** Bytes of a character that is written as two \uXXXX escapes. */
const CHARACTER = 12
/** Bytes of the longest number, literal or timestamp. */
const SCALAR = 64

type Schema = {
  type?: string | string[]
  format?: string
  maxLength?: number
  enum?: unknown[]
  const?: unknown
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  maxProperties?: number
  propertyNames?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
const quoted = (length: number) => length * CHARACTER + 3

/** Bytes of the largest JSON text that a schema accepts, without white space. Infinity when it has no bound. */
function largest(schema: Schema): number {
  if (schema.const !== undefined) return quoted(String(schema.const).length)
  if (schema.enum) return Math.max(...schema.enum.map((value) => quoted(String(value).length)))
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return Math.max(...branches.map(largest))
  if (schema.allOf) return sum(schema.allOf.map(largest))
  const sizes = [schema.type ?? []].flat().map((type) => {
    if (type === 'string') return schema.format === 'date-time' ? SCALAR : quoted(schema.maxLength ?? Infinity)
    if (type === 'array') return (schema.maxItems ?? Infinity) * (largest(schema.items ?? {}) + 1) + 2
    if (type === 'object') return sizeOfObject(schema)
    return SCALAR
  })
  return sizes.length > 0 ? Math.max(...sizes) : Infinity
}

function sizeOfObject({ properties = {}, additionalProperties = true, patternProperties = {}, ...schema }: Schema) {
  if (additionalProperties === true && Object.keys(patternProperties).length === 0) return Infinity
  const named = Object.entries(properties).map(([name, value]) => quoted(name.length) + largest(value) + 1)
  const others = [...Object.values(patternProperties), additionalProperties].filter(
    (value) => typeof value === 'object',
  )
  const name = quoted(schema.propertyNames?.maxLength ?? 100)
  const other = others.length > 0 ? (schema.maxProperties ?? Infinity) * (name + Math.max(...others.map(largest))) : 0
  return sum(named) + other + 2
}

/** The body limit of a route, in bytes: twice the largest value that its schema accepts, for white space. */
export const bodyLimitOf = (schema: TSchema) =>
  Math.min(BODY_LIMIT, Math.max(SMALL_BODY_LIMIT, 2 * largest(schema as Schema)))
