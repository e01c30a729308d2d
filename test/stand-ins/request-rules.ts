import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Pointer, Value } from 'typebox/value'
import type { Call } from './server.ts'

/**
 * A request that a network takes, after its official description. Names that are not listed are refused, also by
 * networks that ignore them: an ignored name is a mistake that a test has to find.
 */
export type RequestRule = {
  method: string
  /** `{id}` stands for one part of the path. */
  path: string
  query?: TObject
  body?: TObject
  /** Permissions without which the network refuses the request. */
  scopes?: string[]
  /** Requests of one account in a quarter of an hour. */
  perQuarter?: number
}

export type RequestProblem = { name: string; message: string }

/** `keyword` and `schema`: the word of JSON Schema that the value breaks, and the schema that has it. */
export type RuleProblem = RequestProblem & { keyword: string; schema: TSchema }

/** An object with these fields and no others. */
export const only = (required: TProperties, optional: TProperties = {}) =>
  Type.Object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { additionalProperties: false },
  )

/**
 * An object of the kind that its `type` names. The kinds are branches of `else`, because errors of `then` and of a union
 * do not name the field.
 */
export const byType = (kinds: Record<string, TObject>) =>
  Type.Unsafe<{ type: string }>({
    type: 'object',
    required: ['type'],
    properties: { type: Type.Enum(Object.keys(kinds)) },
    allOf: Object.entries(kinds).map(([type, { properties, required }]) => ({
      if: { properties: { type: { not: { const: type } } } },
      else: { required: required ?? [], properties: { type: true, ...properties }, additionalProperties: false },
    })),
  })

/** A text with so many UTF-16 units. Descriptions name no unit, and no other one counts more. */
export const characters = (maxLength: number, minLength = 0) =>
  Type.Refine(
    Type.String({ minLength, maxLength }),
    ({ length }) => length <= maxLength,
    () => `must not have more than ${maxLength} characters`,
  )

/** A list of words in one text, separated by commas. */
export const words = (...known: string[]) => {
  const word = `(?:${known.map((each) => each.replaceAll('.', '\\.')).join('|')})`
  return Type.String({ pattern: `^${word}(?:,${word})*$` })
}

/** A file of a form, with at most this many bytes. */
export const upload = (max: number) => Type.Object({ size: Type.Integer({ minimum: 1, maximum: max }) })

const nothing = only({})

function firstProblem(schema: TObject, value: unknown): RuleProblem | undefined {
  const [error] = Value.Errors(schema, value)
  if (!error) return undefined
  const at = error.instancePath.slice(1).replaceAll('/', '.')
  const keyword = error.keyword === '~refine' ? 'maxLength' : error.keyword
  const broken = { keyword, schema: Pointer.Get(schema, error.schemaPath.slice(1)) as TSchema }
  if (error.keyword === 'boolean') return { name: at, message: 'is not a known field', ...broken }
  if (error.keyword !== 'required') return { name: at, message: error.message, ...broken }
  const name = [at, error.params.requiredProperties[0]].filter(Boolean).join('.')
  return { name, message: 'is required', ...broken }
}

export const ruleOf = <Rule extends RequestRule>(
  rules: readonly Rule[],
  { method, path }: Pick<Call, 'method' | 'path'>,
): Rule | undefined =>
  rules.find(
    (rule) => rule.method === method && new RegExp(`^${rule.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )

/** Reads a text of an address or a form as what it stands for: a number, a boolean, an object as JSON. */
function readText(schema: TSchema | undefined, given: unknown): unknown {
  if (!schema) return given
  if (typeof given !== 'string' || Type.IsString(schema) || !/^[[{]/.test(given)) return Value.Convert(schema, given)
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

const readTexts = ({ properties }: TObject, texts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([name, given]) => [name, readText(properties[name], given)]))

/** The parameters of the address and those of the body, read by their rules. */
export function parametersOf({ query = nothing, body = nothing }: RequestRule, call: Call) {
  const { headers, fields, files } = call
  const given = { ...fields, ...Object.fromEntries(files.map(({ field, bytes }) => [field, { size: bytes.length }])) }
  const isJson = headers['content-type']?.startsWith('application/json')
  return { query: readTexts(query, Object.fromEntries(call.query)), body: isJson ? given : readTexts(body, given) }
}

/** The first thing that a request must not carry, or lacks. */
export function problemOf(rule: RequestRule, call: Call): RuleProblem | undefined {
  const { query, body } = parametersOf(rule, call)
  return firstProblem(rule.query ?? nothing, query) ?? firstProblem(rule.body ?? nothing, body)
}
