/** The keywords of JSON Schema that examples are made from. */
type ExampleSchema = {
  type?: unknown
  examples?: unknown
  const?: unknown
  enum?: unknown
  format?: unknown
  minimum?: unknown
  items?: unknown
  properties?: unknown
  required?: unknown
}

/** The values of fields that need no example of their own. */
const byFormat: Record<string, string> = { 'date-time': '2026-03-02T09:30:00.412Z' }

const isObject = (value: unknown): value is ExampleSchema => typeof value === 'object' && value !== null
const hasExample = (schema: unknown): schema is { examples: unknown[] } =>
  isObject(schema) && Array.isArray(schema.examples) && schema.examples.length > 0

/**
 * An example of a schema: its own first one, or else one made from those of its fields. An optional field is in it when
 * it has an example of its own, and a field that may be null is null without one. Throws for any other field without
 * an example, so that no route is documented without one. `path`: names the field then.
 */
export function exampleFrom(schema: unknown, path: string): unknown {
  if (hasExample(schema)) return schema.examples[0]
  if (!isObject(schema)) throw new Error(`${path} has no schema`)
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (types.includes('object')) return exampleFromFields(schema, path)
  if (types.includes('array')) return [exampleFrom(schema.items, `${path}/0`)]
  if (types.includes('boolean')) return true
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 0
  const value = byFormat[String(schema.format)]
  if (value === undefined) throw new Error(`${path} needs an example: add \`examples\` to its schema`)
  return value
}

function exampleFromFields({ properties, required }: ExampleSchema, path: string) {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    isRequired(name) || hasExample(field) ? [[name, exampleFrom(field, `${path}/${name}`)] as const] : [],
  )
  return Object.fromEntries(fields)
}
