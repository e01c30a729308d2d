import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { isEmail } from '../../server/lib/email.ts'
import type { TestApp } from '../app.ts'
import type { ApiResponse } from '../client.ts'
import { expectStatus } from '../factories.ts'
import { nameOf, type Route } from '../routes.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: boolean | Schema
  enum?: unknown[]
  pattern?: string
  required?: string[]
}
type Content = Record<string, { schema: Schema; example?: unknown }>
type Described = { $ref?: string; content?: Content }
type Parameter = { $ref?: string; in?: string; name?: string; required?: boolean; example?: unknown }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Described>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Described> }
}

/** The same schemas, forbidding unlisted fields unless they explicitly allow them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, closed(child)]))
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

/** The routes in /openapi.json, for tests that compare responses with it. */
export async function publishedBy(t: TestApp) {
  const document: Document = expectStatus(await t.anyone.get('/openapi.json'), 200).body
  const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addFormat('idn-email', isEmail)
  ajv.addSchema(closed(document) as Document, 'closed')
  ajv.addSchema(document, 'open')

  const operationOf = (route: Route) => {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${nameOf(route)} is not documented`)
    return operation
  }
  const named = (schema: Schema = {}): Schema =>
    schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  const pointer = (...parts: string[]) =>
    parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
  const validatorAt = (kind: 'open' | 'closed', ...parts: string[]) => {
    const validate = ajv.getSchema(`${kind}#${pointer(...parts)}`)
    if (!validate) throw new Error(`There is no schema at ${parts.join(' ')}`)
    return validate
  }
  const place = (route: Route) => ['paths', route.path.replace(/:(\w+)/g, '{$1}'), route.method.toLowerCase()]

  return {
    /** The status of a success, which can be a redirect. */
    statusOf: (route: Route) => Number(Object.keys(operationOf(route).responses).find((status) => status < '400')),
    /** The schema of the body, if any. */
    bodyOf: (route: Route) => {
      const schema = operationOf(route).requestBody?.content['application/json']?.schema
      return schema && named(schema)
    },
    /** The examples of parameters, body and response. */
    examplesOf: (route: Route) => {
      const { parameters = [], requestBody, responses } = operationOf(route)
      const [, success] = Object.entries(responses).find(([status]) => status < '300') ?? []
      return {
        parameters: parameters.filter(({ $ref }) => !$ref),
        body: requestBody?.content['application/json'],
        response: success?.content?.['application/json'],
      }
    },
    /** Whether the route accepts this body. */
    takes: (route: Route, body: unknown) =>
      validatorAt('open', ...place(route), 'requestBody', 'content', 'application/json', 'schema')(body) === true,
    /** The fields of the response. */
    recordOf: (route: Route) => {
      const { responses } = operationOf(route)
      const [, success] = Object.entries(responses).find(([status]) => status < '300') ?? []
      return Object.keys(named(success?.content?.['application/json']?.schema).properties ?? {})
    },
    /** Whether the response is a file, not JSON. */
    isFile: (route: Route) => {
      const { content } = operationOf(route).responses[200] ?? {}
      return content !== undefined && !('application/json' in content)
    },
    named,
    /** Describes undocumented parts of a response; empty if there are none. */
    faultsOf: (route: Route, { status, headers, body }: ApiResponse) => {
      const described = operationOf(route).responses[status]
      if (!described) return [`responds with ${status}, which is not documented`]
      if (status === 204 || status === 303) return body === '' ? [] : ['has a body']
      const media = Object.keys(described.content ?? {})
      // For responses other than JSON, only the type is checked.
      if (status < 300 && !media.includes('application/json')) {
        const [type = ''] = (headers.get('content-type') ?? '').split(';')
        return media.includes(type) || media.includes(type.replace(/[^/]*$/, '*'))
          ? []
          : [`has the type ${headers.get('content-type')}`]
      }
      const [type, where] =
        status < 300
          ? [
              'application/json',
              [...place(route), 'responses', String(status), 'content', 'application/json', 'schema'],
            ]
          : ['application/problem+json', ['components', 'schemas', 'Problem']]
      if (headers.get('content-type') !== `${type}; charset=utf-8`)
        return [`has the type ${headers.get('content-type')}`]
      const validate = validatorAt('closed', ...where)
      if (validate(body)) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
      )
    },
  }
}
