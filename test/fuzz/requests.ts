import fc from 'fast-check'
import type { ApiDocument, Operation, Parameter, Schema } from './document.ts'
import { headersOf } from './headers.ts'
import { hugeBody, mutated, rawBody } from './mutations.ts'
import { anyText, deferred, fitting, junk, mostly } from './values.ts'

/** The plan of a request. The seed determines all of it; each `Deferred` is resolved on sending. */
export type Plan = {
  operation: Operation
  method: string
  /** valid: by a permitted caller, should succeed. edge: at the bounds. mutated: has faults. */
  intent: 'valid' | 'edge' | 'mutated'
  /** Selects the caller: among permitted ones, unless `byAnyone`. */
  who: number
  byAnyone: boolean
  path: Record<string, unknown>
  query: [name: string, value: unknown][]
  headers: [name: string, value: unknown][]
  body: { json: unknown } | { raw: string | Buffer } | undefined
}
type Intent = Plan['intent']

const newAccount = fc.oneof(
  fc.constant<unknown>({ network: 'playground' }),
  fc.record({ network: fc.constant('playground'), name: deferred((values) => values.freshName()) }),
  deferred((values) => values.blueskyAccount()),
)

/** Each hashes at least one password, which takes tens of milliseconds. */
const slow = new Set(
  ['signUp', 'signIn', 'verifyEmail', 'verifyTotp', 'verifyBackupCode', 'resetPassword', 'setUp', 'deleteMe'].concat(
    ['changePassword', 'requestEmailChange', 'confirmEmailChange', 'setUpTwoFactor'],
    ['confirmTwoFactor', 'turnOffTwoFactor', 'renewBackupCodes', 'retryPost', 'publicRetryPost'],
    ['sendCode', 'readPlaygroundPost', 'publicReadPlaygroundPost'],
  ),
)

const pathJunk = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%',
    '%zz',
    '%00',
    '%2e%2e%2f',
    'null',
    '0',
    '-1',
    'deleted',
    'x'.repeat(199),
    'x'.repeat(201),
  ),
  fc.constantFrom(
    'x'.repeat(9000),
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'a%2Fb',
    '%F0%9F',
  ),
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
)

function pathValue(parameter: Parameter, intent: Intent, collection: string | undefined) {
  if (parameter.schema.pattern?.includes('-fA-F') && collection !== undefined) {
    const known = deferred((values, n) => values.id(collection, n))
    if (intent === 'valid') return known
    const foreign = deferred((values, n) => values.foreignId(collection, n))
    return fc.oneof(
      { weight: 5, arbitrary: known },
      { weight: 2, arbitrary: foreign },
      { weight: 1, arbitrary: deferred((values, n) => values.id(collection, n).toUpperCase()) },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 2, arbitrary: pathJunk },
    )
  }
  const known = deferred((values, n) => values.invitationToken(n))
  return intent === 'valid' ? known : fc.oneof(known, pathJunk)
}

const queryJunk: fc.Arbitrary<[string, unknown]> = fc.tuple(
  fc.oneof(
    fc.constantFrom('limit', 'cursor', 'search', 'from', 'a[b]', '', '__proto__', 'status', 'token', 'unknown'),
    anyText,
  ),
  fc.oneof(anyText, fc.constantFrom('', '0x10', '1e1', '+5', ' 5', '5.0', '٥', 'Infinity', '25,26', '%')),
)

function queryOf(parameters: Parameter[], intent: Intent, schemaOf: (schema: Schema) => Schema) {
  const build = { schemaOf, edge: intent !== 'valid' }
  const one = parameters.map(({ name, schema }) =>
    fitting(schema, name, build).map((value): [string, unknown] => [name, value]),
  )
  const chosen = one.length ? fc.array(fc.oneof(...one), { maxLength: 3, size: 'small' }) : fc.constant([])
  if (intent !== 'mutated')
    // A repeated name is an array, which is an error.
    return chosen.map((pairs) => [...new Map(pairs.map((pair) => [pair[0], pair])).values()])
  return fc.tuple(chosen, fc.array(queryJunk, { maxLength: 2 })).map(([pairs, strange]) => [...pairs, ...strange])
}

function bodyOf(
  { operationId, body, method }: Operation,
  intent: Intent,
  schemaOf: (schema: Schema) => Schema,
): fc.Arbitrary<Plan['body']> {
  const json = (value: fc.Arbitrary<unknown>) => value.map((one): Plan['body'] => ({ json: one }))
  const raw = rawBody.map((one): Plan['body'] => ({ raw: one }))
  if (!body)
    return intent === 'valid'
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 8, arbitrary: fc.constant(undefined) },
          { weight: method === 'GET' ? 0 : 2, arbitrary: json(junk) },
          { weight: method === 'GET' ? 0 : 1, arbitrary: raw },
        )
  const whole = fitting(body, '', { schemaOf, edge: intent !== 'valid' })
  // The form of a network is not in the document, but in the response of GET /accounts/networks.
  const fit = /connectAccount$/i.test(operationId) ? mostly(intent === 'valid' ? 10 : 6, newAccount, whole) : whole
  if (intent !== 'mutated') return json(fit)
  return fc.oneof(
    { weight: 60, arbitrary: json(mutated(fit)) },
    { weight: 12, arbitrary: raw },
    { weight: 6, arbitrary: json(junk) },
    { weight: 3, arbitrary: fc.constant<Plan['body']>(undefined) },
    { weight: 1, arbitrary: hugeBody.map((one): Plan['body'] => ({ raw: one })) },
  )
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'TRACE']

/** The requests to one operation with one intent. */
export function requestsTo(
  operation: Operation,
  intent: Intent,
  { at, schemaOf, collectionOf }: ApiDocument,
): fc.Arbitrary<Plan> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
  const declared = at(operation.path).map(({ method }) => method)
  const others = methods.filter((name) => !declared.includes(name) && !(name === 'HEAD' && declared.includes('GET')))
  const path = fc.record(
    Object.fromEntries(inPath.map((one) => [one.name, pathValue(one, intent, collectionOf(operation.path))])),
  )
  return fc.record({
    operation: fc.constant(operation),
    intent: fc.constant(intent),
    method:
      intent === 'mutated'
        ? fc.oneof(
            { weight: 19, arbitrary: fc.constant(operation.method) },
            { weight: 1, arbitrary: fc.constantFrom(...others) },
          )
        : fc.constant(operation.method),
    who: fc.nat(),
    byAnyone:
      intent === 'valid' ? fc.constant(false) : fc.nat({ max: 9 }).map((dice) => dice < (intent === 'edge' ? 2 : 4)),
    path,
    query: queryOf(inQuery, intent, schemaOf),
    headers: headersOf(operation, intent),
    body: bodyOf(operation, intent, schemaOf),
  })
}

/** Requests to every operation, of every intent. */
export const requests = (document: ApiDocument) =>
  fc.oneof(
    ...document.operations.map((operation) => {
      const isSlow = slow.has(operation.operationId)
      const [valid, edge, wrong] = isSlow ? [5, 4, 11] : [9, 5, 6]
      return {
        weight: isSlow ? 4 : 10,
        arbitrary: fc.oneof(
          { weight: valid, arbitrary: requestsTo(operation, 'valid', document) },
          { weight: edge, arbitrary: requestsTo(operation, 'edge', document) },
          { weight: wrong, arbitrary: requestsTo(operation, 'mutated', document) },
        ),
      }
    }),
  )
