import { randomBytes } from 'node:crypto'
import { type Call, networkServer, type Reply } from './server.ts'
import { wordpressMedia } from './wordpress-media.ts'
import { wordpressPosts } from './wordpress-posts.ts'
import { pick, type RestCall, RestError, type User } from './wordpress-rest.ts'
import { wordpressTerms } from './wordpress-terms.ts'

export type WordPressServer = Awaited<ReturnType<typeof wordpressServer>>

const html = (status: number, title: string, headers = {}): Reply => ({
  status,
  body: Buffer.from(`<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`),
  headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
})

/** Statuses with which hosts respond before WordPress runs: with a page of their own. */
const hostErrors: Record<number, string> = {
  413: '413 Request Entity Too Large',
  429: '429 Too Many Requests',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
}

/** Text without its markup. */
const plain = (content: string) =>
  content
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<br\s*\/?>/g, '\n')
    .replace(/<\/p>\s*<p[^>]*>/g, '\n\n')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()

/**
 * A site of WordPress 6.1, compared with a real one (`npm run wordpress`). `permalinks`: without pretty ones its API is
 * only at `?rest_route=`. `applicationPasswords`: without HTTPS a site has none. `hasIcon`: whether it has an icon of
 * its own.
 */
export async function wordpressServer({
  permalinks = 'pretty' as 'pretty' | 'plain',
  applicationPasswords = true,
  name = 'A site',
  hasIcon = false,
} = {}) {
  const passwords = new Map<string, NonNullable<User>>()
  let ids = 1
  const newId = () => ++ids
  const tags = wordpressTerms('post_tag', newId)
  const categories = wordpressTerms('category', newId)
  categories.terms.set(1, { id: 1, name: 'Uncategorized', slug: 'uncategorized', parent: 0 })
  const files = wordpressMedia(newId)
  const { posts, ...postRoutes } = wordpressPosts(newId, {
    tags: tags.terms,
    categories: categories.terms,
    media: files.media,
  })

  /** The path in the API, or undefined for a page of the site. */
  function routeOf({ path, query }: Pick<Call, 'path' | 'query'>): string | undefined {
    const given = query.get('rest_route')
    if (given !== null && /^\/(index\.php)?$/.test(path)) return given
    return permalinks === 'pretty' ? /^\/wp-json(\/.*|$)/.exec(path)?.[1] : undefined
  }

  function userOf({ authorization = '' }: Call['headers']): User {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(authorization) ?? []
    const [, login = '', password = ''] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
    const user = passwords.get(password.replaceAll(' ', ''))
    return user && applicationPasswords && [user.login, user.email].includes(login) ? user : null
  }

  function root({ base, fields }: RestCall): Reply {
    const authorization = `${base}/wp-admin/authorize-application.php`
    const body = {
      name,
      description: '',
      url: base,
      home: base,
      gmt_offset: '0',
      timezone_string: '',
      namespaces: ['oembed/1.0', 'wp/v2'],
      // PHP writes an empty list where there is nothing.
      authentication: applicationPasswords ? { 'application-passwords': { endpoints: { authorization } } } : [],
      site_icon_url: hasIcon ? `${base}/wp-content/uploads/icon.png` : '',
    }
    return { status: 200, body: pick(body, fields._fields) }
  }

  function me({ user, base, fields }: RestCall): Reply {
    if (!user) throw new RestError(401, 'rest_not_logged_in', 'You are not currently logged in.')
    const { id, login, email, name: displayName, role } = user
    const avatar = (size: number) => `https://secure.gravatar.com/avatar/0?s=${size}&d=mm&r=g`
    const isAtLeastAuthor = role !== 'contributor'
    const capabilities = {
      edit_posts: true,
      ...(isAtLeastAuthor && { publish_posts: true, upload_files: true }),
      ...(role === 'editor' && { manage_categories: true }),
    }
    const own = { username: login, email, roles: [role], capabilities }
    const body = {
      id,
      name: displayName,
      url: base,
      description: '',
      link: `${base}/author/${login}/`,
      slug: login,
      avatar_urls: { 24: avatar(24), 48: avatar(48), 96: avatar(96) },
      ...(fields.context === 'edit' && own),
    }
    return { status: 200, body: pick(body, fields._fields) }
  }

  function run(rest: RestCall): Reply | Promise<Reply> {
    const [, kind, id] = /^\/wp\/v2\/(posts|media|tags|categories|users\/me)(?:\/(\d+))?$/.exec(rest.route) ?? []
    const number = id === undefined ? undefined : Number(id)
    if (rest.route === '/') return root(rest)
    if (kind === 'users/me') return me(rest)
    if (kind === 'posts') return postRoutes.handle(rest, number)
    if (kind === 'media') return files.handle(rest, number)
    if (kind === 'tags' && !number) return tags.handle(rest)
    if (kind === 'categories' && !number) return categories.handle(rest)
    throw new RestError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }

  const apiLink = () => {
    const address = permalinks === 'pretty' ? `${server.url}/wp-json/` : `${server.url}/index.php?rest_route=/`
    return { link: `<${address}>; rel="https://api.w.org/"` }
  }

  async function handle(call: Call): Promise<Reply> {
    const route = routeOf(call)
    if (route === undefined) return html(call.path === '/' ? 200 : 404, name, apiLink())
    const fields = { ...Object.fromEntries(call.query), ...call.fields }
    const at = new Date(Math.floor(call.at / 1000) * 1000)
    const rest = { call, route: route.replace(/(.)\/$/, '$1') || '/', fields, at, base: server.url }
    try {
      const { headers, ...reply } = await run({ ...rest, user: userOf(call.headers) })
      return { ...reply, headers: { ...apiLink(), ...headers } }
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      return { status: error.status, body: error.body, headers: apiLink() }
    }
  }

  /** The images of a post: the featured one, then those in its text. */
  function mediaOf({ featured, content }: { featured: number; content: string }) {
    const first = files.media.get(featured)
    const tagsOf = [...content.matchAll(/<(?:img|video|source|a)\b[^>]*>/g)].map(([tag]) => tag)
    const inText = tagsOf.flatMap((tag) => {
      const found = [...files.media.values()].find(({ url }) => tag.includes(url))
      return found ? [{ type: found.type, alt: /\balt="([^"]*)"/.exec(tag)?.[1] ?? found.alt }] : []
    })
    return [...(first ? [{ type: first.type, alt: first.alt }] : []), ...inText]
  }

  const writes = ({ method }: Pick<Call, 'method'>) => ['POST', 'PUT', 'PATCH'].includes(method)

  const server = await networkServer({
    handle,
    errorOf: (status, error) => {
      const page = hostErrors[status]
      if (page) return html(status, page, status === 429 ? { 'retry-after': '120' } : {})
      if (status === 400 && error === undefined) {
        const data = { status, json_error_code: 4, json_error_message: 'Syntax error' }
        return { status, body: { code: 'rest_invalid_json', message: 'Invalid JSON body passed.', data } }
      }
      return { status, body: { code: error ?? 'internal_server_error', message: 'Refused.', data: { status } } }
    },
    // Readers see a post once a call has published it.
    isPost: (call) => /^\/wp\/v2\/posts(\/\d+)?$/.test(routeOf(call) ?? '') && call.fields.status === 'publish',
    /** Calls that come before: those for files, and for the draft. */
    isUpload: (head) => /^\/wp\/v2\/(media|posts)$/.test(routeOf(head) ?? '') && writes(head),
    failures: {
      refused: { kind: 'response', status: 400, error: 'rest_invalid_param' },
      rate_limited: { kind: 'response', status: 429 },
      false_success: { kind: 'garbage' },
    },
    endTokens: () => passwords.clear(),
    stored: () =>
      [...posts.values()].flatMap((post) =>
        post.wasPublic
          ? [
              {
                id: String(post.id),
                text: plain(post.content),
                media: mediaOf(post),
                replyTo: null,
                deleted: post.status !== 'publish',
              },
            ]
          : [],
      ),
  })

  return {
    ...server,
    /** Posts of every status. */
    posts,
    media: files.media,
    tags: tags.terms,
    categories: categories.terms,
    addCategory: categories.add,
    /** Creates a user, and returns the credentials of an application. */
    addUser: ({ login = 'author', role = 'editor' as NonNullable<User>['role'] } = {}) => {
      const user = { id: newId(), login, email: `${login}@example.org`, name: 'An Author', role }
      const password = randomBytes(12).toString('hex')
      passwords.set(password, user)
      return { login, password: password.replace(/(.{4})(?=.)/g, '$1 ') }
    },
  }
}
