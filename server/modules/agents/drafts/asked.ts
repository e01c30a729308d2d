import type { Static } from 'typebox'
import { cut } from '../sources/reading/plain-text.ts'
import type { Asked } from './asked.schema.ts'
import type { Correction, Writing } from './prompt.ts'
import { withoutKeys } from './without-keys.ts'

type AskedParts = Static<typeof Asked>

/** Characters of a piece of a source that are kept. Texts of others are read at their origin. */
const MAX_PIECE = 500

/** The value without what looks like a key in its texts. */
function cleaned<Value>(value: Value): Value
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutKeys(value)
  if (Array.isArray(value)) return value.map((each) => cleaned(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]))
}

/** The parts of a prompt that people may read, to keep with what came back. */
export function askedParts(writing: Writing, correction?: Correction): AskedParts {
  const { slot, language, picture, networks, allowed_hosts, brand, plan, results, recent_topics, rules } = writing
  return cleaned({
    ...{ at: slot, language, picture, networks: [...networks], allowed_hosts: [...allowed_hosts] },
    ...{ brand: brand.shown, plan: [...plan], results: [...results] },
    ...{ recent_topics: [...recent_topics], rules: [...rules] },
    sources: writing.material.map(({ id, label, title, text, url, is_trusted }) => ({
      // A key that is cut before would not be found.
      ...{ id, label, title, text: cut(withoutKeys(text), MAX_PIECE), url, is_trusted },
    })),
    previous: correction ? { content: correction.content, problems: [...correction.problems] } : null,
  })
}
