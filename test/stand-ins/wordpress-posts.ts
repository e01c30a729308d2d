import type { Reply } from './server.ts'
import {
  type Fields,
  invalidParams,
  listOf,
  notOneOf,
  page,
  paragraph,
  pick,
  type RestCall,
  RestError,
  rendered,
  slugOf,
  timeOf,
  type User,
  unauthorized,
} from './wordpress-rest.ts'

type Post = {
  id: number
  title: string
  content: string
  excerpt: string
  slug: string
  status: string
  at: Date
  categories: number[]
  tags: number[]
  featured: number
  comments: string
  format: string
  author: number
  /** Whether readers have seen it. */
  wasPublic: boolean
}

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private']
const FORMATS = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio']

const rawOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'raw' in value) return rawOf(value.raw)
  return typeof value === 'string' ? value : ''
}

/** Ids that exist. WordPress leaves out the others without a word. */
const known = (value: unknown, among: Map<number, unknown>) =>
  listOf(value)
    .map(Number)
    .filter((id) => among.has(id))

function checkParams({ status, comment_status, format, featured_media }: Fields) {
  const wrong = {
    ...notOneOf('status', status, STATUSES),
    ...(featured_media !== undefined && !/^\d+$/.test(String(featured_media))
      ? { featured_media: 'featured_media is not of type integer.' }
      : {}),
    ...notOneOf('comment_status', comment_status, ['open', 'closed']),
    ...notOneOf('format', format, FORMATS),
  }
  if (Object.keys(wrong).length > 0) throw invalidParams(wrong)
}

const linkOf = ({ id, slug, status }: Post, base: string) =>
  ['publish', 'private'].includes(status) ? `${base}/${slug}/` : `${base}/?p=${id}`

type Others = { tags: Map<number, unknown>; categories: Map<number, unknown>; media: Map<number, unknown> }

/** The posts of a site. A slug finds a post, but does not keep a second one away: that gets `-2`. */
export function wordpressPosts(newId: () => number, others: Others) {
  const posts = new Map<number, Post>()

  const isTaken = (slug: string, id: number) =>
    [...posts.values()].some((post) => post.slug === slug && post.id !== id && post.status !== 'trash')

  function free(slug: string, id: number): string {
    if (!slug || !isTaken(slug, id)) return slug
    let number = 2
    while (isTaken(`${slug}-${number}`, id)) number++
    return `${slug}-${number}`
  }

  const toJson = (post: Post, base: string, isEdit: boolean): Fields => ({
    id: post.id,
    date: timeOf(post.at),
    date_gmt: timeOf(post.at),
    slug: post.slug,
    status: post.status,
    type: 'post',
    link: linkOf(post, base),
    title: rendered(post.title, isEdit, post.status === 'private' ? `Private: ${post.title}` : post.title),
    content: { ...rendered(post.content, isEdit, paragraph(post.content)), protected: false },
    excerpt: {
      ...rendered(post.excerpt, isEdit, paragraph(post.excerpt || post.content.replace(/<[^>]+>/g, ''))),
      protected: false,
    },
    author: post.author,
    featured_media: post.featured,
    comment_status: post.comments,
    format: post.format,
    categories: post.categories,
    tags: post.tags,
  })

  function checkRole(user: User, fields: Fields) {
    if (user?.role === 'contributor' && ['publish', 'future', 'private'].includes(String(fields.status)))
      throw new RestError(403, 'rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.')
  }

  /** Sets what the call names. */
  function change(post: Post, fields: Fields, now: Date) {
    if (fields.title !== undefined) post.title = rawOf(fields.title)
    if (fields.content !== undefined) post.content = rawOf(fields.content)
    if (fields.excerpt !== undefined) post.excerpt = rawOf(fields.excerpt)
    if (fields.tags !== undefined) post.tags = known(fields.tags, others.tags)
    if (fields.categories !== undefined) post.categories = known(fields.categories, others.categories)
    if (fields.featured_media !== undefined) post.featured = known(fields.featured_media, others.media)[0] ?? 0
    if (fields.comment_status !== undefined) post.comments = String(fields.comment_status)
    if (fields.format !== undefined) post.format = String(fields.format)
    const date = fields.date_gmt ?? fields.date
    if (date) post.at = new Date(`${String(date).replace(/Z$/, '')}Z`)
    if (post.status === 'trash' && fields.status) post.slug = post.slug.replace(/__trashed$/, '')
    if (fields.status !== undefined) post.status = String(fields.status)
    if (post.status === 'publish' && post.at > now) post.status = 'future'
    if (fields.slug !== undefined) post.slug = free(slugOf(String(fields.slug)), post.id)
    const isNamed = post.slug || post.status === 'draft' || post.status === 'pending'
    // A number alone would be the page of a post.
    if (!isNamed) post.slug = free(slugOf(post.title) || `${post.id}-2`, post.id)
    post.wasPublic ||= post.status === 'publish'
  }

  function create({ fields, user, base, at }: RestCall): Reply {
    checkParams(fields)
    if (!user)
      throw unauthorized(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
    checkRole(user, fields)
    if (![fields.title, fields.content, fields.excerpt].some(rawOf))
      throw new RestError(400, 'empty_content', 'Content, title, and excerpt are empty.')
    const texts = { title: '', content: '', excerpt: '', slug: '', status: 'draft', comments: 'open' }
    const rest = { categories: [1], tags: [], featured: 0, format: 'standard', wasPublic: false }
    const post: Post = { id: newId(), ...texts, ...rest, at, author: user.id }
    change(post, fields, at)
    posts.set(post.id, post)
    return {
      status: 201,
      body: pick(toJson(post, base, true), fields._fields),
      headers: { location: `${base}/wp-json/wp/v2/posts/${post.id}` },
    }
  }

  function remove(post: Post, { fields, base }: RestCall): Reply {
    if (String(fields.force) === 'true') {
      posts.delete(post.id)
      return { status: 200, body: pick({ deleted: true, previous: toJson(post, base, true) }, fields._fields) }
    }
    if (post.status === 'trash') throw new RestError(410, 'rest_already_trashed', 'The post has already been deleted.')
    post.status = 'trash'
    post.slug = `${post.slug}__trashed`
    return { status: 200, body: pick(toJson(post, base, true), fields._fields) }
  }

  function onOne(rest: RestCall, id: number): Reply {
    const { call, fields, user, base, at } = rest
    const post = posts.get(id)
    if (!post) throw new RestError(404, 'rest_post_invalid_id', 'Invalid post ID.')
    if (call.method === 'GET') {
      if (!user && fields.context === 'edit')
        throw unauthorized(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.')
      if (!user && post.status !== 'publish')
        throw unauthorized(user, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
      return {
        status: 200,
        body: pick(toJson(post, base, fields.context === 'edit'), fields._fields),
        headers: { link: `<${linkOf(post, base)}>; rel="alternate"; type=text/html` },
      }
    }
    const isAllowed = user?.role === 'editor' || user?.id === post.author
    if (call.method === 'DELETE') {
      if (!isAllowed) throw unauthorized(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.')
      return remove(post, rest)
    }
    checkParams(fields)
    if (!isAllowed) throw unauthorized(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
    checkRole(user, fields)
    change(post, fields, at)
    return { status: 200, body: pick(toJson(post, base, true), fields._fields) }
  }

  function list({ fields, user, base }: RestCall): Reply {
    const statuses = listOf(fields.status ?? 'publish')
    const unknown = statuses.find((status) => ![...STATUSES, 'trash', 'any'].includes(status))
    if (unknown !== undefined) throw invalidParams(notOneOf('status', unknown, [...STATUSES, 'trash', 'any']))
    if (!user && statuses.some((status) => status !== 'publish')) {
      const forbidden = { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: 401 } }
      throw invalidParams({ status: 'Status is forbidden.' }, { status: forbidden })
    }
    if (!user && fields.context === 'edit')
      throw unauthorized(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.')
    const found = [...posts.values()]
      .filter(({ status }) => statuses.includes(status) || (statuses.includes('any') && status !== 'trash'))
      .filter(({ slug }) => fields.slug === undefined || listOf(fields.slug).map(slugOf).includes(slug))
      .filter(({ title, content }) => `${title} ${content}`.includes(String(fields.search ?? '')))
      .toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
    return page(
      found.map((post) => toJson(post, base, fields.context === 'edit')),
      fields,
    )
  }

  return {
    posts,
    handle: (rest: RestCall, id?: number): Reply => {
      if (id !== undefined) return onOne(rest, id)
      return rest.call.method === 'POST' ? create(rest) : list(rest)
    },
  }
}
