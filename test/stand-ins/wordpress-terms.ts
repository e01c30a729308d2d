import type { Reply } from './server.ts'
import { type Fields, listOf, page, pick, type RestCall, RestError, slugOf, unauthorized } from './wordpress-rest.ts'

type Term = { id: number; name: string; slug: string; parent: number }

/** Tags, or categories, which have parents. */
export function wordpressTerms(taxonomy: 'post_tag' | 'category', newId: () => number) {
  const isTag = taxonomy === 'post_tag'
  const terms = new Map<number, Term>()

  const toJson = ({ id, name, slug, parent }: Term, base: string): Fields => ({
    id,
    count: 0,
    description: '',
    link: `${base}/${isTag ? 'tag' : 'category'}/${slug}/`,
    name,
    slug,
    taxonomy,
    ...(!isTag && { parent }),
    meta: [],
  })

  function create({ fields, user, base }: RestCall): Reply {
    if (fields.name === undefined)
      throw new RestError(400, 'rest_missing_callback_param', 'Missing parameter(s): name', {
        data: { params: ['name'] },
      })
    // Authors use tags that they make up, but not categories.
    if (!user || (!isTag && user.role !== 'editor'))
      throw unauthorized(user, 'rest_cannot_create', 'Sorry, you are not allowed to create terms in this taxonomy.')
    const name = String(fields.name).trim()
    const message = 'A name is required for this term.'
    if (!name) return { status: 500, body: { code: 'empty_term_name', message, data: null } }
    const wanted = slugOf(String(fields.slug ?? name))
    const parent = Number(fields.parent ?? 0)
    const same = [...terms.values()].find((term) => term.slug === wanted && term.parent === parent)
    if (same)
      throw new RestError(
        400,
        'term_exists',
        `A term with the name provided already exists ${isTag ? 'in this taxonomy' : 'with this parent'}.`,
        { data: { term_id: same.id }, beside: { additional_data: [same.id, same.id] } },
      )
    const isTaken = [...terms.values()].some((term) => term.slug === wanted)
    const slug = isTaken ? `${wanted}-${terms.get(parent)?.slug ?? 2}` : wanted
    const term = { id: newId(), name, slug, parent }
    terms.set(term.id, term)
    const location = `${base}/wp-json/wp/v2/${isTag ? 'tags' : 'categories'}/${term.id}`
    return { status: 201, body: pick(toJson(term, base), fields._fields), headers: { location } }
  }

  function list({ fields, base }: RestCall): Reply {
    const { search, slug } = fields
    const found = [...terms.values()]
      .filter((term) => !slug || listOf(slug).includes(term.slug))
      .filter((term) => !search || `${term.name} ${term.slug}`.toLowerCase().includes(String(search).toLowerCase()))
      .toSorted((a, b) => a.name.localeCompare(b.name))
    return page(
      found.map((term) => toJson(term, base)),
      fields,
    )
  }

  return {
    terms,
    add: (name: string) => {
      const id = newId()
      terms.set(id, { id, name, slug: slugOf(name), parent: 0 })
      return id
    },
    handle: (rest: RestCall): Reply => {
      if (rest.call.method === 'POST') return create(rest)
      return list(rest)
    },
  }
}
