import type { World } from './world.ts'

/** A value that is known when the request is sent: the id of a record that came in an answer, a time from now. */
export class Later {
  readonly pick: (world: World) => unknown
  constructor(pick: (world: World) => unknown) {
    this.pick = pick
  }
}

/** Stands in JSON for a number that JavaScript cannot hold. */
export const RAW_NUMBER = '@@1e400@@'

/** `value` with everything in it that was left for later. Keys keep their meaning, `__proto__` too. */
export function resolved(value: unknown, world: World): unknown {
  if (value instanceof Later) return value.pick(world)
  // Not by its own map: a field of it may be called constructor.
  if (Array.isArray(value)) return Array.from(value, (item) => resolved(item, world))
  if (typeof value !== 'object' || value === null) return value
  const copy = {}
  for (const [name, child] of Object.entries(value))
    Object.defineProperty(copy, name, { value: resolved(child, world), enumerable: true, configurable: true })
  return copy
}

export const toJson = (value: unknown) => JSON.stringify(value)?.replaceAll(`"${RAW_NUMBER}"`, '1e400')
