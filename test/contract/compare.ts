import { bounds, type Document, type Operation, type Parameter, type Schema } from './document.ts'

/** The writer of a value. A client must be able to send all that it sent before, and to read all that it reads. */
type Writer = 'client' | 'meydan'

/** Lists what a client of `released` could notice in `current`, other than additions. */
export function breakingChanges(released: Document, current: Document): string[] {
  const findings: string[] = []
  const seen = new Set<string>()
  const fail = (where: string, what: string) => findings.push(`${where}: ${what}`)

  const schemaOf = (document: Document, schema: Schema): Schema =>
    schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

  /** Reports a schema that takes less of what clients write, or has more of what they read. */
  function compare(before: Schema, after: Schema, { where, writer }: { where: string; writer: Writer }) {
    const pair = `${before.$ref} ${after.$ref} ${writer}`
    if (before.$ref && after.$ref) {
      if (seen.has(pair)) return
      seen.add(pair)
    }
    const [old, now] = [schemaOf(released, before), schemaOf(current, after)]
    const at = before.$ref ? (before.$ref.split('/').at(-1) ?? where) : where
    const [from, to] = writer === 'client' ? [old, now] : [now, old]
    if (old.anyOf || now.anyOf) return compareVariants(old, now, { where: at, writer })

    const missing = typesOf(from).filter((type) => !typesOf(to).some((other) => covers(other, type)))
    if (missing.length > 0)
      fail(at, writer === 'client' ? `takes no ${missing.join()} any more` : `can be ${missing.join()} now`)
    if (writer === 'client') compareLimits(old, now, at)
    compareFields(old, now, { where: at, writer })
    if (old.items && now.items) compare(old.items, now.items, { where: `${at}[]`, writer })
    if (typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object')
      compare(old.additionalProperties, now.additionalProperties, { where: `${at}.*`, writer })
  }

  /** Reports a variant that no variant of the other side covers. */
  function compareVariants(old: Schema, now: Schema, how: { where: string; writer: Writer }) {
    const [olds, nows] = [old.anyOf ?? [old], now.anyOf ?? [now]]
    const fits = (before: Schema, after: Schema) => {
      const known = new Set(seen)
      const count = findings.length
      compare(before, after, how)
      if (findings.length === count) return true
      findings.length = count
      seen.clear()
      for (const pair of known) seen.add(pair)
      return false
    }
    if (how.writer === 'client') {
      if (!olds.every((before) => nows.some((after) => fits(before, after)))) fail(how.where, 'takes a variant no more')
    } else if (!nows.every((after) => olds.some((before) => fits(before, after))))
      fail(how.where, 'has another variant')
  }

  function compareLimits(old: Schema, now: Schema, where: string) {
    const gone = old.enum?.filter((value) => now.enum && !now.enum.includes(value)) ?? []
    if (gone.length > 0) fail(where, `takes no ${gone.join()} any more`)
    if (now.enum && !old.enum) fail(where, 'takes only some values')
    for (const keyword of ['pattern', 'format'] as const)
      if (now[keyword] !== undefined && now[keyword] !== old[keyword]) fail(where, `has another ${keyword}`)
    for (const bound of bounds) {
      const [was, is] = [old[bound], now[bound]]
      if (is === undefined) continue
      const isNarrower = bound.startsWith('max') ? is < (was ?? Number.POSITIVE_INFINITY) : is > (was ?? 0)
      if (isNarrower) fail(where, `has a narrower ${bound}`)
    }
  }

  function compareFields(old: Schema, now: Schema, { where, writer }: { where: string; writer: Writer }) {
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const path = `${where}.${name}`
      const other = now.properties?.[name]
      if (other) compare(field, other, { where: path, writer })
      else if (writer === 'meydan' || now.additionalProperties === false) fail(path, 'is gone')
    }
    const isRequired = ({ required = [] }: Schema, name: string) => required.includes(name)
    const [from, to] = writer === 'client' ? [now, old] : [old, now]
    for (const name of from.required ?? [])
      if (!isRequired(to, name) && !(writer === 'meydan' && !now.properties?.[name]))
        fail(`${where}.${name}`, writer === 'client' ? 'is required now' : 'can be absent now')
  }

  const parametersOf = (document: Document, { parameters = [] }: Operation) =>
    parameters.map((each) => {
      const { $ref } = each as { $ref?: string }
      return ($ref && document.components.parameters?.[$ref.split('/').at(-1) ?? '']) || each
    })

  function compareParameters(where: string, old: Operation, now: Operation) {
    const [olds, nows] = [parametersOf(released, old), parametersOf(current, now)]
    const same = (one: Parameter) => (other: Parameter) => other.name === one.name && other.in === one.in
    for (const before of olds) {
      const after = nows.find(same(before))
      const path = `${where} ${before.in} ${before.name}`
      if (!after) fail(path, 'is gone')
      else if (before.schema && after.schema) compare(before.schema, after.schema, { where: path, writer: 'client' })
    }
    for (const after of nows)
      if (after.required && !olds.find(same(after))?.required)
        fail(`${where} ${after.in} ${after.name}`, 'is required now')
  }

  function compareOperations(where: string, old: Operation, now: Operation, sender: Writer) {
    compareParameters(where, old, now)
    const [access, other] = [old['x-access'], now['x-access']]
    if (access && (access.level !== other?.level || access.scope !== other?.scope)) fail(where, 'asks for other rights')
    if (now.requestBody?.required && !old.requestBody?.required) fail(where, 'requires a body now')
    for (const [type, { schema }] of Object.entries(old.requestBody?.content ?? {})) {
      const after = now.requestBody?.content[type]
      if (!after) fail(where, `takes no ${type} any more`)
      else if (schema && after.schema) compare(schema, after.schema, { where: `${where} body`, writer: sender })
    }
    for (const [status, response] of Object.entries(old.responses ?? {})) {
      if (!status.startsWith('2')) continue
      const after = now.responses?.[status]
      if (!after) fail(where, `does not respond with ${status} any more`)
      for (const [type, { schema }] of Object.entries(response.content ?? {})) {
        const content = after?.content?.[type]
        if (after && !content) fail(where, `responds with ${status} without ${type}`)
        if (schema && content?.schema)
          compare(schema, content.schema, { where: `${where} ${status}`, writer: 'meydan' })
      }
    }
  }

  const groups = [
    ['paths', 'client'],
    ['webhooks', 'meydan'],
  ] as const
  for (const [group, sender] of groups)
    for (const [path, methods] of Object.entries(released[group] ?? {}))
      for (const [method, old] of Object.entries(methods)) {
        const where = group === 'paths' ? `${method.toUpperCase()} ${path}` : `event ${path}`
        const now = current[group]?.[path]?.[method]
        if (now) compareOperations(where, old, now, sender)
        else fail(where, 'is gone')
      }
  return [...new Set(findings)]
}

const typesOf = ({ type }: Schema) => (type === undefined ? [] : [type].flat())
const covers = (other: string, type: string) => other === type || (other === 'number' && type === 'integer')
