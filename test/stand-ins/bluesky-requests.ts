import { jsonToLex, lexicons } from '@atproto/api'
import type { Call } from './server.ts'

/** The parts of an official schema that name fields. */
type Schema = {
  type: string
  properties?: Record<string, Schema>
  items?: Schema
  ref?: string
  record?: Schema
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function childrenOf(schema: Schema, value: unknown): [name: string, schema: Schema | undefined, value: unknown][] {
  if (schema.type === 'array' && schema.items && Array.isArray(value))
    return value.map((item, index) => [String(index), schema.items, item])
  if (!schema.properties || !isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$type' ? [] : [[name, schema.properties?.[name], inner]],
  )
}

/** The schema that describes a value: that of a reference, or the one that the value names. */
function schemaOf(schema: Schema, value: unknown): Schema | undefined {
  if (schema.type === 'union') return isObject(value) ? lexicons.getDef(String(value.$type)) : undefined
  return schema.type === 'ref' ? lexicons.getDef(schema.ref ?? '') : (schema.record ?? schema)
}

/** The first field of a value that its schema does not list. Servers keep such fields, and nobody reads them. */
export function unlistedField(given: Schema | undefined, value: unknown): string | undefined {
  const schema = given && schemaOf(given, value)
  if (!schema) return undefined
  for (const [name, inner, child] of childrenOf(schema, value)) {
    const found = inner ? unlistedField(inner, child) : ''
    if (found !== undefined) return [name, found].filter(Boolean).join('.')
  }
  return undefined
}

/** Parameters that the service of videos needs, though its schema has none. */
const unlistedParameters: Record<string, string[]> = { 'app.bsky.video.uploadVideo': ['did', 'name'] }

/** Reads the parameters of an address as their schemas say. */
const readParameters = (query: URLSearchParams, properties: Record<string, { type: string }>) =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const text = query.get(name) ?? ''
      const type = properties[name]?.type
      if (type === 'array') return [name, query.getAll(name)]
      if (type === 'boolean') return [name, text === 'true' ? true : text === 'false' ? false : text]
      return [name, type === 'integer' ? Number(text) : text]
    }),
  )

function problemOfBody(
  expected: { encoding: string; schema?: Schema | undefined } | undefined,
  { headers, fields, raw }: Call,
) {
  const [type] = (headers['content-type'] ?? '').split(';')
  if (!expected) return raw.length > 0 ? 'A request body was provided when none was expected' : undefined
  if (!type) return 'Request encoding (Content-Type) required but not provided'
  if (expected.encoding !== '*/*' && expected.encoding !== type) return `Wrong request encoding (Content-Type): ${type}`
  const name = unlistedField(expected.schema, fields)
  return name && `Input must not have the property "${name}"`
}

/** The first thing that a call must not carry, or lacks, by the official schemas. */
export function problemOfCall(name: string, call: Call): string | undefined {
  const method = lexicons.getDef(name)
  if (method?.type !== 'query' && method?.type !== 'procedure') return undefined
  const properties = method.parameters?.properties ?? {}
  const given = readParameters(call.query, properties)
  const known = [...Object.keys(properties), ...(unlistedParameters[name] ?? [])]
  const unknown = Object.keys(given).find((each) => !known.includes(each))
  if (unknown) return `Params must not have the property "${unknown}"`
  const input = method.type === 'procedure' ? method.input : undefined
  try {
    lexicons.assertValidXrpcParams(name, given)
    const problem = problemOfBody(input, call)
    if (!problem && input?.schema) lexicons.assertValidXrpcInput(name, jsonToLex({ ...call.fields }))
    return problem
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
