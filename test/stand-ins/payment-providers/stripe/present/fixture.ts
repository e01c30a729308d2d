import { readFileSync } from 'node:fs'
import type { Json } from '../state.ts'

const fixtures: Record<string, Json> = JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8'))

/** Stripe's own example of a resource, with these fields instead of its own. */
export function fixture(name: string, fields: Json): Json {
  const example = fixtures[name]
  if (!example) throw new Error(`No fixture ${name}`)
  return { ...structuredClone(example), livemode: false, ...fields }
}

export const listOf = (data: Json[], url: string, has_more = false) => ({ object: 'list', data, has_more, url })
