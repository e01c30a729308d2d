import { type TObject, type TProperties, Type } from 'typebox'
import { Value } from 'typebox/value'
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

/** An object with these fields and no others. */
export const only = (required: TProperties, optional: TProperties = {}) =>
  Type.Object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { additionalProperties: false },
  )

/** A list of words in one text, separated by commas. */
export const words = (...known: string[]) => {
  const word = `(?:${known.map((each) => each.replaceAll('.', '\\.')).join('|')})`
  return Type.String({ pattern: `^${word}(?:,${word})*$` })
}

/** A file of a form, with at most this many bytes. */
export const upload = (max: number) => Type.Object({ size: Type.Integer({ minimum: 1, maximum: max }) })

const nothing = only({})

function firstProblem(schema: TObject, value: unknown): RequestProblem | undefined {
  const [error] = Value.Errors(schema, value)
  if (!error) return undefined
  const at = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'boolean') return { name: at, message: 'is not a known field' }
  if (error.keyword !== 'required') return { name: at, message: error.message }
  return { name: [at, error.params.requiredProperties[0]].filter(Boolean).join('.'), message: 'is required' }
}

export const ruleOf = <Rule extends RequestRule>(rules: readonly Rule[], { method, path }: Call): Rule | undefined =>
  rules.find(
    (rule) => rule.method === method && new RegExp(`^${rule.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )

/** The first thing that a request must not carry, or lacks. Texts of an address or a form are read as what they stand for. */
export function problemOf(rule: RequestRule, { query, headers, fields, files }: Call): RequestProblem | undefined {
  const { query: inAddress = nothing, body = nothing } = rule
  const given = { ...fields, ...Object.fromEntries(files.map(({ field, bytes }) => [field, { size: bytes.length }])) }
  const isJson = headers['content-type']?.startsWith('application/json')
  return (
    firstProblem(inAddress, Value.Convert(inAddress, Object.fromEntries(query))) ??
    firstProblem(body, isJson ? given : Value.Convert(body, given))
  )
}
