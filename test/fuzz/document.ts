import type { Access } from '../../server/lib/http/access.ts'

/** The parts of /openapi.json that the fuzzer reads. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Response = {
  $ref?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: Schema }>
}
export type Operation = {
  operationId: string
  method: string
  /** As in the document, `/api/v1/posts/{id}`. */
  path: string
  access: Access
  parameters: Parameter[]
  body: Schema | undefined
  responses: Record<string, Response>
}
type Documented = {
  operationId: string
  'x-access': Access
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}
export type OpenApi = {
  paths: Record<string, Record<string, Documented>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
    headers: Record<string, { schema: Schema }>
  }
}

const nameIn = (ref: string) => ref.split('/').at(-1) ?? ''

function found<T>(known: Record<string, T>, name: string): T {
  const value = known[name]
  if (value === undefined) throw new Error(`/openapi.json refers to ${name}, and has none`)
  return value
}

export function readDocument({ paths, components }: OpenApi) {
  const schemaOf = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : found(components.schemas, nameIn(schema.$ref))

  const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, documented]) => {
      const { operationId, 'x-access': access, parameters = [], requestBody, responses } = documented
      // Bodies other than JSON have tests of their own.
      if (requestBody && !requestBody.content['application/json']) return []
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        access,
        parameters: parameters.map((one) => ('$ref' in one ? found(components.parameters, nameIn(one.$ref)) : one)),
        body: requestBody?.content['application/json']?.schema,
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            response.$ref === undefined ? response : found(components.responses, nameIn(response.$ref)),
          ]),
        ),
      }
    }),
  )

  const routes = operations.map((operation) => ({ operation, segments: operation.path.split('/') }))
  const isParameter = (segment: string | undefined) => segment?.startsWith('{') ?? false
  /** The operations that match a sent path, most literal segments first. */
  const at = (path: string) => {
    const sent = path.split('/')
    return routes
      .filter(
        ({ segments }) =>
          segments.length === sent.length &&
          segments.every((segment, index) => segment === sent[index] || isParameter(segment)),
      )
      .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)
      .map(({ operation }) => operation)
  }

  const collections = new Set(
    routes.flatMap(({ segments }) => segments.filter((_, index) => isParameter(segments[index + 1]))),
  )
  /** The collection that ids in a path or its responses belong to: `posts` for /posts/{id}/publish. */
  const collectionOf = (path: string) =>
    path
      .split('/')
      .filter((segment) => collections.has(segment))
      .at(-1)

  return { operations, schemas: components.schemas, headers: components.headers, schemaOf, at, collectionOf }
}

export type ApiDocument = ReturnType<typeof readDocument>
