import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { ask, errorOf, rest, type Site, success, textOf, unclear } from './api.ts'

/** The taxonomies of posts, by their routes. */
type Taxonomy = 'categories' | 'tags'

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Ids of terms by their names. Those that do not exist are created. */
export async function termIds(deps: Deps, site: Site, taxonomy: Taxonomy, names: readonly string[]) {
  const ids: number[] = []
  for (const name of new Set(names.map((each) => each.trim())))
    if (name) ids.push((await findTerm(deps, site, taxonomy, name)) ?? (await createTerm(deps, site, taxonomy, name)))
  return ids
}

/** Looked up first, because many users may choose a category but not create one. */
async function findTerm(deps: Deps, site: Site, taxonomy: Taxonomy, name: string) {
  const query = { search: name, per_page: '100', _fields: 'id,name' }
  const list = await rest(deps, site, `/wp/v2/${taxonomy}`, { query })
  const terms = Array.isArray(list) ? list.map(fieldsOf) : []
  const term = terms.find((each) => typeof each.name === 'string' && sameName(textOf(each.name), name))
  return typeof term?.id === 'number' ? term.id : undefined
}

async function createTerm(deps: Deps, site: Site, taxonomy: Taxonomy, name: string) {
  const reply = await ask(deps, site, `/wp/v2/${taxonomy}`, { method: 'POST', json: { name } })
  const { code, data } = errorOf(reply)
  // Another spelling of the same name, or the term was created a moment ago.
  const id = code === 'term_exists' ? data.term_id : fieldsOf(success(deps, reply)).id
  if (typeof id !== 'number') throw unclear('The site responded without the id of a category or tag.')
  return id
}
