import { createHash } from 'node:crypto'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import fastJson from 'fast-json-stringify'
import { type FieldCode, type FieldError, toMessage } from '../../../errors.ts'
import { isEmail } from '../../email.ts'
import type { Text } from '../../language.ts'
import { idPattern, linePattern, namePattern } from './schema.ts'

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

/** Checks the day as well, because Date.parse reads February 30 as March 2. RFC 3339 has no hour 24. */
function isTime(text: string) {
  const [, year, month, day] = rfc3339.exec(text) ?? []
  return (
    !Number.isNaN(Date.parse(text)) &&
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  )
}

const build = (coerceTypes: boolean, allErrors: boolean) => {
  const ajv = new Ajv({ coerceTypes, useDefaults: true, removeAdditional: false, allErrors, strict: false })
  addFormats.default(ajv, ['date', 'uri'])
  return ajv.addFormat('date-time', isTime).addFormat('idn-email', isEmail)
}
const strict = build(false, false)
const coercing = build(true, true)
const thorough = build(false, true)

type Validator = { (data: unknown): boolean; errors?: ErrorObject[] | null }

/** Compiles each schema once, also one that several routes have a copy of, or several apps of a process. */
function once<Compiled>(compile: (schema: object) => Compiled) {
  const compiled = new Map<string, Compiled>()
  return (schema: object) => {
    const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
    const known = compiled.get(key) ?? compile(schema)
    compiled.set(key, known)
    return known
  }
}
const compileStrict = once((schema) => strict.compile(schema))
const compileCoercing = once((schema) => coercing.compile(schema))
const compileThorough = once((schema) => thorough.compile(schema))
const compileJson = once((schema) => fastJson(schema as never) as (value: unknown) => string)

/**
 * Coerces queries and paths, which are always text. Bodies are not coerced. Each schema is compiled at its first use:
 * together they would take most of the time of a start.
 */
export function compileValidator(schema: object, part: string | undefined): Validator {
  const isText = part === 'querystring' || part === 'params'
  let first: Validator | undefined
  let all: Validator | undefined
  const validate: Validator = (data) => {
    first ??= (isText ? compileCoercing : compileStrict)(schema)
    if (first(data)) return true
    // Listing every fault takes time in proportion to the body, whose size the client chooses.
    if (isText || count(data, 2000) >= 2000) {
      validate.errors = first.errors ?? null
      return false
    }
    all ??= compileThorough(schema)
    all(data)
    validate.errors = all.errors ?? null
    return false
  }
  return validate
}

/** Compiles the serializer of a response at its first use, as {@link compileValidator}. */
export function compileSerializer(schema: object) {
  let serialize: ((value: unknown) => string) | undefined
  return (value: unknown) => {
    serialize ??= compileJson(schema as object)
    return serialize(value)
  }
}

/** Counts the values in `data`, up to `most`. */
function count(data: unknown, most: number) {
  const open = [data]
  let counted = 0
  while (open.length && counted < most) {
    const next = open.pop()
    counted++
    if (typeof next === 'object' && next !== null)
      for (const child of Object.values(next)) if (open.push(child) > most) return most
  }
  return counted
}

const codes: Record<string, FieldCode> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  maxLength: 'too_long',
  maxItems: 'too_long',
  minLength: 'too_short',
  minItems: 'too_short',
  maximum: 'too_large',
}

export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

type SchemaError = Pick<ErrorObject, 'keyword' | 'params' | 'instancePath' | 'message'>

/** Pointer of an error: to the value, or to its missing or unknown field. */
function pointerOf({ params, instancePath }: SchemaError) {
  const name = params.missingProperty ?? params.additionalProperty
  return typeof name === 'string' ? `${instancePath}/${escapePointer(name)}` : instancePath
}

/**
 * Lists at most 20 fields: enough to correct a form, without amplifying a request. Each field has its first error only.
 * `readOnly` names fields that exist but cannot be set.
 */
export function fieldErrors(errors: readonly SchemaError[], readOnly: readonly string[] = []): FieldError[] {
  const fields = new Map<string, FieldError>()
  for (const error of errors) {
    const pointer = pointerOf(error)
    if (fields.size < 20 && !fields.has(pointer)) fields.set(pointer, { pointer, ...verdict(error, readOnly) })
  }
  return [...fields.values()]
}

function verdict(
  { keyword, params, instancePath, message = 'is not valid' }: SchemaError,
  readOnly: readonly string[],
): Omit<FieldError, 'pointer'> {
  const code = codes[keyword] ?? 'invalid'
  if (code === 'required') return { code, message: 'This field is required.' }
  if (code === 'unknown_field')
    return readOnly.includes(params.additionalProperty) && instancePath === ''
      ? { code: 'read_only', message: 'This field cannot be set here.' }
      : { code, message: 'This field is unknown.' }
  return { code, ...toMessage(sentence({ keyword, params, message })) }
}

/** Describes a fault for people. The validator's own message names the keyword instead. */
function sentence({
  keyword,
  params: { limit, pattern, format, allowedValues },
  message,
}: Omit<SchemaError, 'instancePath'>): string | Text {
  if (keyword === 'minLength' && limit === 1) return { en: 'This must not be empty.', tr: 'Bu alan boş olamaz.' }
  if (keyword === 'minLength')
    return { en: `This must have at least ${limit} characters.`, tr: `Burada en az ${limit} karakter olmalı.` }
  if (keyword === 'maxLength')
    return { en: `This must have at most ${limit} characters.`, tr: `Burada en çok ${limit} karakter olabilir.` }
  if (keyword === 'minItems')
    return { en: `The minimum number of items is ${limit}.`, tr: `En az ${limit} öğe olmalı.` }
  if (keyword === 'maxItems')
    return { en: `The maximum number of items is ${limit}.`, tr: `En çok ${limit} öğe olabilir.` }
  if (keyword === 'uniqueItems') return { en: 'This must not repeat an item.', tr: 'Aynı öğe iki kez olamaz.' }
  if (format === 'idn-email') return 'This is not an e-mail address.'
  if (format === 'date-time') return 'This is not a time such as 2026-03-01T09:00:00Z.'
  if (format === 'date') return 'This is not a day such as 2026-03-01.'
  if (pattern === idPattern) return 'This is not an id.'
  if (pattern === linePattern || pattern === namePattern)
    return 'This must be one line of visible text, without control characters or characters that change the text direction.'
  if (keyword === 'enum') {
    const values = allowedValues.join(', ')
    return { en: `This must be one of: ${values}.`, tr: `Şunlardan biri olmalı: ${values}.` }
  }
  if (keyword === 'pattern') return { en: `This ${message}.`, tr: 'Bu değer beklenen biçimde değil.' }
  if (keyword === 'type') return { en: `This ${message}.`, tr: 'Bu değer başka türden olmalı.' }
  return `This ${message}.`
}

/** Maximum nesting of a body: far more than bodies of the API need, far less than PostgreSQL accepts. */
const MAX_DEPTH = 100

const isWhole = (text: string) => !text.includes('\0') && text.isWellFormed()

/**
 * Finds text that PostgreSQL cannot store or that would be altered (NUL and lone surrogates), and excessive nesting.
 * The client chooses size and depth of a body, so the walk only records its current position, and builds the
 * pointer from it when it finds a fault. Bytes are not text yet, so they are passed over.
 */
export function findIllFormed(value: unknown): FieldError | undefined {
  const path: { names: string[]; values: unknown[]; at: number }[] = []
  const fault = (message: string): FieldError => ({
    pointer: path.map(({ names, at }) => `/${escapePointer(names[at] ?? String(at))}`).join(''),
    code: 'invalid',
    message,
  })
  for (let current = value; ; ) {
    if (typeof current === 'string') {
      if (!isWhole(current)) return fault('This text contains a NUL or half of a surrogate pair.')
    } else if (typeof current === 'object' && current !== null && !ArrayBuffer.isView(current)) {
      const names = Array.isArray(current) ? [] : Object.keys(current)
      if (!names.every(isWhole)) return fault('The name of a field in this object is not valid text.')
      if (path.length === MAX_DEPTH) return fault(`This is nested more than ${MAX_DEPTH} levels deep.`)
      const values: unknown[] = Array.isArray(current) ? current : Object.values(current)
      if (values.length) path.push({ names, values, at: -1 })
    }
    let level = path.at(-1)
    while (level && ++level.at >= level.values.length) {
      path.pop()
      level = path.at(-1)
    }
    if (!level) return
    current = level.values[level.at]
  }
}
