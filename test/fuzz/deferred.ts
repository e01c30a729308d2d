import type { KnownValues } from './known-values.ts'

/** A value determined when the request is sent: the id of a returned record, a time from now. */
export class Deferred {
  readonly pick: (values: KnownValues) => unknown
  constructor(pick: (values: KnownValues) => unknown) {
    this.pick = pick
  }
}

/** Marks a number in JSON that JavaScript cannot represent. */
export const RAW_NUMBER = '@@1e400@@'

/** Replaces each `Deferred` in `value`. All keys remain plain keys, including `__proto__`. */
export function resolved(value: unknown, values: KnownValues): unknown {
  if (value instanceof Deferred) return value.pick(values)
  // Not `value.map`: an element may have a field called constructor.
  if (Array.isArray(value)) return Array.from(value, (item) => resolved(item, values))
  if (typeof value !== 'object' || value === null) return value
  const copy = {}
  for (const [name, child] of Object.entries(value))
    Object.defineProperty(copy, name, { value: resolved(child, values), enumerable: true, configurable: true })
  return copy
}

export const toJson = (value: unknown) => JSON.stringify(value)?.replaceAll(`"${RAW_NUMBER}"`, '1e400')
