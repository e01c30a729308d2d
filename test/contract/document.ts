/** The parts of an OpenAPI document by which a client can tell two versions apart. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
} & Partial<Record<Bound, number>>

/** `max…`: smaller is narrower. `min…`: larger is narrower. */
export const bounds = [
  ...(['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const),
  ...(['minimum', 'minLength', 'minItems', 'minProperties'] as const),
] as const
type Bound = (typeof bounds)[number]

type Content = Record<string, { schema?: Schema }>
export type Parameter = { name: string; in: string; required?: boolean; schema?: Schema }
export type Operation = {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, { $ref?: string; content?: Content }>
  'x-access'?: { level: string; scope?: string }
}
export type Document = {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  /** Events: their payload is the body of a request that Meydan sends. */
  webhooks?: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, { content?: Content }>
  }
}

/** Texts for people, and examples. */
const forPeople = [
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'operationId',
  'x-tagGroups',
  'headers',
  'securitySchemes',
  'security',
]

/** Leaves out of a document what a released client does not depend on. */
export function contractOf(document: Document): Document {
  const strip = (value: unknown, isNames = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => strip(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => isNames || !forPeople.includes(key))
        // Keys of these are names of fields or schemas, which can be `title` too.
        .map(([key, each]) => [key, strip(each, ['properties', 'schemas', 'paths', 'webhooks'].includes(key))]),
    )
  }
  const { info, paths, webhooks, components } = document
  return strip({ info: { version: info.version }, paths, webhooks, components }) as Document
}
