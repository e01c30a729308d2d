import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { catalogue } from '../../server/errors.ts'
import { isEmail } from '../../server/lib/email.ts'
import type { ApiDocument, Operation, Schema } from './document.ts'

export type Received = { status: number; headers: Record<string, string | string[] | undefined>; text: string }
type Sent = {
  method: string
  /** Without the query. */
  path: string
  requestId: string | undefined
  /** The parsed body, if it is JSON and sent as such. */
  json: { value: unknown } | undefined
}

/** Redirects lead to pages of Meydan only. */
const OWN_ORIGIN = 'http://meydan.test'

/** Statuses sent before a request reaches an operation. */
const beforeOperations = [405, 408, 414, 417, 431]
/** Statuses sent without reading the headers. */
const unread = [408, 431]

/** Methods that take files. The document does not describe their bodies; tests of their own send them. */
const receivesFiles = ({ method, path }: Sent) =>
  ['POST', 'PATCH'].includes(method) &&
  /\/(media(\/uploads(\/[^/?]*)?)?|imports|settlements(\/preview)?)(\?|$)/.test(path)

/** A CORS preflight belongs to no operation. */
const isPreflight = ({ method, path }: Sent) => method === 'OPTIONS' && path.startsWith('/api/v1/public/')

/** Whether a path can match: no empty segment, and validly encoded. */
function isReadable(path: string) {
  try {
    return decodeURI(path) !== '' && !path.endsWith('/') && !path.includes('//')
  } catch {
    return false
  }
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Forbids fields that are not listed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([name, child]) => [name, name === '$ref' ? `meydan${child}` : closed(child)]),
  )
  const { properties, additionalProperties } = schema as Schema
  if (properties && Object.keys(properties).length > 0 && additionalProperties === undefined)
    copy.additionalProperties = false
  return copy
}
const rebased = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"meydan#/components'))

/** Checks responses against /openapi.json. */
export function oracle(document: ApiDocument) {
  const build = (toSchema: (schema: unknown) => unknown, isTime: RegExp | undefined) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } })
    addFormats.default(ajv, isTime ? ['uri'] : ['uri', 'date-time'])
    ajv.addFormat('idn-email', isEmail)
    if (isTime) ajv.addFormat('date-time', isTime)
    ajv.addFormat('int32', { type: 'number', validate: (n) => Number.isInteger(n) && Math.abs(n) < 2 ** 31 })
    ajv.addSchema({ $id: 'meydan', components: { schemas: toSchema(document.schemas) } })
    const compiled = new Map<Schema, ValidateFunction>()
    return (schema: Schema) => {
      const known = compiled.get(schema) ?? ajv.compile(toSchema(schema) as object)
      compiled.set(schema, known)
      return known
    }
  }
  const responses = build(closed, time)
  const bodies = build(rebased, undefined)

  const mismatch = (validate: ValidateFunction, value: unknown) =>
    validate(value)
      ? undefined
      : JSON.stringify(
          validate.errors?.slice(0, 3).map(({ instancePath, message, params }) => [instancePath, message, params]),
        )
  const header = ({ headers }: Received, name: string) => [headers[name]].flat()[0]
  const problemSchema: Schema = { $ref: '#/components/schemas/Problem' }

  function problemFaults(sent: Sent, received: Received, say: (fault: string) => void) {
    if (header(received, 'content-type') !== 'application/problem+json; charset=utf-8')
      return say(`a refusal of the type ${header(received, 'content-type')}`)
    if (sent.method === 'HEAD') return
    let body: Record<string, unknown>
    try {
      body = JSON.parse(received.text)
    } catch {
      return say('a refusal that is no JSON')
    }
    const wrong = mismatch(responses(problemSchema), body)
    if (wrong) return say(`a refusal that is no Problem: ${wrong}`)
    const [status, title] = catalogue[body.code as keyof typeof catalogue]
    if (status !== received.status || body.status !== received.status)
      say(`${body.code} with the status ${received.status}`)
    if (body.title !== title || body.type !== `/docs/errors#${body.code}`)
      say(`${body.code} with another title or type`)
    if (body.request_id !== header(received, 'x-request-id')) say('a problem with another request id than its header')
    if (!unread.includes(received.status) && body.instance !== sent.path)
      say(`a problem with the instance ${body.instance}`)
    if (/node_modules|\.ts:\d|at async |syntax error at|relation "/.test(received.text))
      say('a problem that shows internals')
  }

  function headerFaults(operation: Operation, received: Received, say: (fault: string) => void) {
    const documented = operation.responses[received.status]?.headers ?? {}
    for (const [name, { $ref }] of Object.entries(documented)) {
      const value = header(received, name.toLowerCase())
      if (value === undefined) continue
      const schema = document.headers[$ref.split('/').at(-1) ?? '']?.schema
      const wrong = schema && mismatch(responses(schema), schema.type === 'integer' ? Number(value) : value)
      if (wrong) say(`the header ${name}: ${wrong}`)
    }
    for (const name of ['ETag', 'Access-Control-Allow-Origin', 'Idempotent-Replayed', 'Retry-After'])
      if (received.status < 300 && header(received, name.toLowerCase()) !== undefined && !(name in documented))
        say(`the header ${name} is not documented`)
    if (received.status < 300 && 'ETag' in documented && header(received, 'etag') === undefined) say('there is no ETag')
  }

  function successFaults(operation: Operation, sent: Sent, received: Received, say: (fault: string) => void) {
    const { content } = operation.responses[received.status] ?? {}
    if (!content) {
      if (received.text !== '') say('a body where none is documented')
      if (header(received, 'content-type') !== undefined) say('a content type without content')
      return
    }
    const type = header(received, 'content-type')
    // For responses other than JSON, only the type is checked.
    if (`${type?.split('/')[0]}/*` in content) return
    const schema = Object.entries(content).find(([name]) => type === `${name}; charset=utf-8` || type === name)?.[1]
      .schema
    if (!schema) return say(`a response of the type ${type}`)
    if (!/json/.test(type ?? '')) return
    const wrong = mismatch(responses(schema), JSON.parse(received.text))
    if (wrong) say(`a response that does not fit its schema: ${wrong}`)
    if (!sent.json || !operation.body) return
    const refused = mismatch(bodies(operation.body), sent.json.value)
    if (refused) say(`a body was taken that does not fit its schema: ${refused}`)
  }

  /** Lists the faults of a response. */
  return (sent: Sent, received: Received): string[] => {
    const faults: string[] = []
    const say = (fault: string) => {
      faults.push(fault)
    }
    const { status } = received
    const id = header(received, 'x-request-id')
    if (id === undefined || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) say(`the request id ${id}`)
    if (sent.requestId !== undefined && !unread.includes(status) && id !== sent.requestId)
      say('another request id than the one that was sent')
    if (status >= 500) say(`the status ${status}`)
    if (status >= 400) problemFaults(sent, received, say)

    const there = document.at(sent.path)
    const operation = there.find(({ method }) => method === sent.method)
    if (beforeOperations.includes(status)) {
      if (status === 405 && header(received, 'allow') === undefined) say('405 without Allow')
      if (status === 405 && operation) say('405 for a method that is documented')
    } else if (isPreflight(sent)) {
      if (status === 204 && (received.text !== '' || header(received, 'access-control-allow-methods') === undefined))
        say('a malformed response to a preflight')
      if (![204, 400, 413, 415].includes(status) && isReadable(sent.path)) say(`the status ${status} for a preflight`)
    } else if (!operation) {
      if (status !== 404 && !receivesFiles(sent)) say(`the status ${status} where nothing is documented`)
      if (there.length > 0 && status === 404 && isReadable(sent.path) && !receivesFiles(sent))
        say('404 where another method is documented')
    } else {
      if (!operation.responses[status]) say(`the status ${status}, which is not documented`)
      headerFaults(operation, received, say)
      if (status < 300) successFaults(operation, sent, received, say)
      else if (status < 400 && !header(received, 'location')?.startsWith(`${OWN_ORIGIN}/`))
        say('a redirect to elsewhere')
    }
    return faults
  }
}
