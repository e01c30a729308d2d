/** A decoded form: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. Lists are objects with numbers as keys. */
export type Form = { [name: string]: Form | string }

export class StripeError extends Error {
  readonly status: number
  readonly fields: { type: string; code?: string; param?: string; decline_code?: string; [field: string]: unknown }
  constructor(status: number, message: string, fields: Partial<StripeError['fields']> = {}) {
    super(message)
    this.status = status
    this.fields = { type: 'invalid_request_error', ...fields }
  }
}

export function decodeForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([key]) => key)
    let at = form
    for (const [index, raw] of keys.entries()) {
      const key = raw === '[]' ? String(Object.keys(at).length) : raw
      if (index === keys.length - 1) at[key] = value
      else {
        const next = at[key]
        at = at[key] = typeof next === 'object' ? next : {}
      }
    }
  }
  return form
}

/** Reads a value by its path, such as `subscription_data.trial_period_days`. */
function at(form: Form, path: string): Form | string | undefined {
  let value: Form | string | undefined = form
  for (const key of path.split('.')) value = typeof value === 'object' ? value[key] : undefined
  return value
}

const nameOf = (path: string) => path.replace(/\.(\w+)/g, '[$1]')

/** A text. An empty one, with which Stripe unsets a field, is null. */
export function textIn(form: Form, path: string): string | null | undefined {
  const value = at(form, path)
  if (typeof value === 'object') throw new StripeError(400, `Invalid string: ${nameOf(path)}`, { param: nameOf(path) })
  return value === '' ? null : value
}

export function integerIn(form: Form, path: string): number | undefined {
  const value = textIn(form, path)
  if (value === undefined || value === null) return undefined
  if (!/^-?\d{1,15}$/.test(value))
    throw new StripeError(400, `Invalid integer: ${value}`, { param: nameOf(path), code: 'parameter_invalid_integer' })
  return Number(value)
}

export function flagIn(form: Form, path: string): boolean | undefined {
  const value = textIn(form, path)
  if (value === undefined || value === null) return undefined
  if (value !== 'true' && value !== 'false')
    throw new StripeError(400, `Invalid boolean: ${value}`, { param: nameOf(path) })
  return value === 'true'
}

export function objectIn(form: Form, path: string): Form | undefined {
  const value = at(form, path)
  if (typeof value === 'string' && value !== '') throw new StripeError(400, 'Invalid object', { param: nameOf(path) })
  return typeof value === 'object' ? value : undefined
}

export const listIn = (form: Form, path: string) => Object.values(objectIn(form, path) ?? {})

export const formsIn = (form: Form, path: string) =>
  listIn(form, path).map((each, index) => {
    if (typeof each === 'object') return each
    throw new StripeError(400, 'Invalid object', { param: `${nameOf(path)}[${index}]` })
  })

/** One of these words, or undefined when it is missing. */
export function choiceIn<const T extends string>(form: Form, path: string, choices: readonly T[]): T | undefined {
  const value = textIn(form, path)
  if (value === undefined || value === null) return undefined
  const found = choices.find((each) => each === value)
  if (!found)
    throw new StripeError(400, `Invalid ${nameOf(path)}: must be one of ${choices.join(', ')}`, { param: nameOf(path) })
  return found
}

/** Metadata with what the form changes in it. An empty value removes its key. */
export function metadataIn(form: Form, path: string, before: Record<string, string> = {}) {
  const value = at(form, path)
  if (value === '') return {}
  const changed = { ...before }
  for (const [key, each] of Object.entries(typeof value === 'object' ? value : {})) {
    const param = nameOf(`${path}.${key}`)
    if (typeof each === 'object') throw new StripeError(400, 'Metadata values must be strings', { param })
    if (key.length > 40) throw new StripeError(400, 'Metadata keys can be at most 40 characters long', { param })
    if (each.length > 500) throw new StripeError(400, 'Metadata values can be at most 500 characters long', { param })
    if (each === '') delete changed[key]
    else changed[key] = each
  }
  if (Object.keys(changed).length > 50) throw new StripeError(400, 'Metadata can have at most 50 keys', { param: path })
  return changed
}

export function requiredText(form: Form, path: string) {
  const value = textIn(form, path)
  if (!value)
    throw new StripeError(400, `Missing required param: ${nameOf(path)}.`, {
      param: nameOf(path),
      code: 'parameter_missing',
    })
  return value
}

/** Refuses parameters that Stripe does not know. `known`: names separated by spaces. */
export function onlyKnown(form: Form, known: string) {
  const names = `${known} expand`.split(/\s+/)
  const unknown = Object.keys(form).find((name) => !names.includes(name))
  if (unknown)
    throw new StripeError(400, `Received unknown parameter: ${unknown}`, { param: unknown, code: 'parameter_unknown' })
}
