import { createHmac, randomInt } from 'node:crypto'
import { accountNumbers, postNumbers } from './numbers.ts'
import { oauthServer } from './oauth.ts'
import { problemOf, type RequestProblem, type RequestRule, ruleOf } from './request-rules.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'
import { xMedia } from './x-media.ts'
import { exclusive, requests } from './x-requests.ts'

type Post = {
  id: string
  owner: string
  text: string
  media: string[]
  parent: string | null
  fields: Record<string, unknown>
  at: number
  deleted: boolean
}

/** Fields under the names that they had in earlier descriptions. X does not change all of its responses at once. */
const oldNames = { referenced_posts: 'referenced_tweets', repost_count: 'retweet_count', post_count: 'tweet_count' }

const QUARTER_MS = 900_000

const problem = (status: number, title: string, detail: string): Reply => ({
  status,
  body: { title, detail, type: 'about:blank', status },
})

const invalid = ({ name, message }: RequestProblem): Reply => ({
  status: 400,
  body: {
    errors: [{ parameters: { [name]: [] }, message: `${name} ${message}` }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  },
})
const invalidMedia = invalid({ name: 'media.media_ids', message: 'are invalid' })

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

/** Also without `https://`, as X finds them. */
const links = /(?:https?:\/\/)?[a-z][\w-]*\.(?:com|example)[^\s]*/g

/** Keys of the app of a person, with a token of that person's own account. */
const ownKeys = {
  api_key: 'AppOfBruno123',
  api_secret: 'AppSecretOfBruno123',
  access_token: '2001-TokenOfBruno',
  access_token_secret: 'TokenSecretOfBruno',
}
const OWNER_OF_KEYS = 'bruno'

const percent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** Whether a request is signed by these keys, as RFC 5849 checks it. `used`: nonces that were seen before. */
function isSigned({ method, path, query, headers }: Call, used: Set<string>, hasEnded: boolean) {
  const header = headers.authorization ?? ''
  const fields = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(/(\w+)="([^"]*)"/g))
    fields.set(name, decodeURIComponent(value))
  const { oauth_consumer_key, oauth_token, oauth_signature, oauth_signature_method, ...rest } =
    Object.fromEntries(fields)
  if (hasEnded || oauth_consumer_key !== ownKeys.api_key || oauth_token !== ownKeys.access_token) return false
  if (oauth_signature_method !== 'HMAC-SHA1' || !/^\d{10}$/.test(rest.oauth_timestamp ?? '')) return false
  if (!rest.oauth_nonce || used.has(rest.oauth_nonce)) return false
  used.add(rest.oauth_nonce)
  fields.delete('oauth_signature')
  const parameters = [...query, ...fields].map(([name, value]) => `${percent(name)}=${percent(value)}`).sort()
  const base = [method, `https://api.x.com${path}`, parameters.join('&')].map(percent).join('&')
  const key = `${percent(ownKeys.api_secret)}&${percent(ownKeys.access_token_secret)}`
  return createHmac('sha1', key).update(base).digest('base64') === oauth_signature
}

/** The API of X, as far as posting needs it. Tests must not send longer texts than 280 ASCII characters. */
export async function xServer() {
  const oauth = oauthServer({
    authorizePath: '/i/oauth2/authorize',
    tokenPath: '/2/oauth2/token',
    revokePath: '/2/oauth2/revoke',
    clientAuth: 'basic',
    pkce: true,
    refresh: 'single_use',
    refreshScope: 'offline.access',
  })
  const posts: Post[] = []
  const nonces = new Set<string>()
  let keysHaveEnded = false
  /** Requests in the running quarter of an hour, by account and rule. */
  const used = new Map<string, { count: number; resets: number }>()
  let hasCredit = true
  let usesOldNames = false
  const named = (name: keyof typeof oldNames) => (usesOldNames ? oldNames[name] : name)
  let ids = 1_900_000_000_000_000_000n
  const newId = () => String(++ids)
  const media = xMedia(newId, invalid)
  const idOf = (person: string) => String(1000 + [...person].reduce((sum, letter) => sum + letter.charCodeAt(0), 0))

  /** The text as X returns it: with short links, one more for the files, and three characters escaped. */
  function shown({ text, media: files }: Post) {
    const urls: object[] = []
    let shortened = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    for (const [link] of text.matchAll(links)) {
      const url = `https://t.co/${randomInt(1e9)}`
      shortened = shortened.replace(link.replaceAll('&', '&amp;'), () => url)
      urls.push({ url, expanded_url: link.includes('://') ? link : `http://${link}` })
    }
    if (files.length === 0) return { text: shortened, entities: { urls } }
    const url = `https://t.co/${randomInt(1e9)}`
    return {
      text: `${shortened} ${url}`,
      entities: {
        urls: [...urls, ...files.map((id) => ({ url, expanded_url: 'https://x.com/photo', media_key: `3_${id}` }))],
      },
    }
  }

  /** A post with the fields that a call asks for. */
  function asAsked(post: Post, { query }: Call) {
    const listOf = (name: string) => (query.get(name) ?? '').split(',')
    const asked = new Set(listOf('post.fields'))
    const { text, entities } = shown(post)
    const { views, likes, comments, shares, quotes, saves } = postNumbers
    return {
      ...{ id: post.id, text },
      ...(asked.has('created_at') && { created_at: new Date(post.at).toISOString() }),
      ...(asked.has('entities') && { entities }),
      ...(asked.has('attachments') &&
        post.media.length > 0 && { attachments: { media_keys: post.media.map((id) => `3_${id}`) } }),
      ...(post.parent !== null &&
        listOf('expansions').includes('referenced_posts') && {
          [named('referenced_posts')]: [{ type: 'replied_to', id: post.parent }],
        }),
      ...(asked.has('public_metrics') && {
        public_metrics: {
          ...{ impression_count: views, like_count: likes, reply_count: comments, quote_count: quotes },
          ...{ [named('repost_count')]: shares, bookmark_count: saves },
        },
      }),
    }
  }

  function create({ fields }: Call, owner: string): Reply {
    const attached = exclusive.filter((name) => fields[name] !== undefined)
    if (attached.length > 1) return invalid({ name: attached.join(', '), message: 'are mutually exclusive' })
    if (!hasCredit) return problem(402, 'CreditsDepleted', 'Your enrolled account does not have any credits')
    if (fields.quote_tweet_id !== undefined) return problem(403, 'Forbidden', 'Quote posts need another plan')
    const text = String(fields.text ?? '')
    const files = textsOf(fieldsOf(fields.media).media_ids)
    if (text.trim() === '' && files.length === 0) return invalid({ name: 'text', message: 'is required without media' })
    if (text.replace(links, 'x'.repeat(23)).length > 280) return problem(403, 'Forbidden', 'The text is too long')
    if (!media.isUsable(files, owner)) return invalidMedia
    const parent = fieldsOf(fields.reply).in_reply_to_tweet_id
    const replied = parent === undefined ? undefined : posts.find(({ id, deleted }) => id === parent && !deleted)
    if (parent !== undefined && replied?.owner !== owner)
      return problem(403, 'Forbidden', 'You may only reply if you are mentioned or are the author')
    if (posts.some((post) => post.owner === owner && post.text === text && !post.deleted && files.length === 0))
      return problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.')
    const id = newId()
    posts.push({ id, owner, text, media: files, parent: replied?.id ?? null, fields, at: Date.now(), deleted: false })
    return { status: 201, body: { data: { id, text } } }
  }

  /** Newest first. */
  function list(call: Call, owner: string): Reply {
    if (call.path !== `/2/users/${owner}/tweets`) return problem(403, 'Forbidden', 'This is another user')
    const { query } = call
    const [after, before] = [query.get('since_id'), query.get('until_id')].map((id) => id && BigInt(id))
    const [from, until] = [query.get('start_time'), query.get('end_time')].map((time) => time && Date.parse(time))
    const data = posts
      .filter((post) => post.owner === owner && !post.deleted)
      .filter(({ id }) => (!after || BigInt(id) > after) && (!before || BigInt(id) < before))
      .filter(({ at }) => (!from || at >= from) && (!until || at < until))
      .filter(({ parent }) => parent === null || !query.get('exclude')?.includes('replies'))
      .reverse()
      .slice(0, Number(query.get('max_results') ?? 10))
      .map((post) => asAsked(post, call))
    return { status: 200, body: data.length > 0 ? { data } : { meta: { result_count: 0 } } }
  }

  const userMetrics = ({ query }: Call) =>
    (query.get('user.fields') ?? '').split(',').includes('public_metrics') && {
      public_metrics: {
        followers_count: accountNumbers.followers,
        following_count: accountNumbers.following,
        [named('post_count')]: accountNumbers.posts,
        listed_count: 1,
      },
    }

  /** Deleted posts are missing from the response, with an error inside the success. */
  function readPosts(call: Call): Reply {
    const wanted = (call.query.get('ids') ?? '').split(',')
    const found = posts.filter(({ id, deleted }) => wanted.includes(id) && !deleted)
    const data = found.map((post) => asAsked(post, call))
    const errors = wanted
      .filter((id) => !found.some((post) => post.id === id))
      .map((id) => ({ value: id, title: 'Not Found' }))
    return { status: 200, body: { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) } }
  }

  function remove({ path }: Call, owner: string): Reply {
    const post = posts.find(({ id, deleted }) => path.endsWith(`/${id}`) && !deleted)
    if (!post) return problem(404, 'Not Found', 'Could not find the resource')
    if (post.owner !== owner) return problem(403, 'Forbidden', 'The post is of another user')
    post.deleted = true
    return { status: 200, body: { data: { deleted: true } } }
  }

  function respond(call: Call, person: string): Reply {
    const owner = idOf(person)
    const { method, path } = call
    if (path.startsWith('/2/media/')) return media.respond(call, owner)
    if (path === '/2/users/me')
      return {
        status: 200,
        body: { data: { id: owner, username: person, name: `The ${person}`, ...userMetrics(call) } },
      }
    const [, username] = /^\/2\/users\/by\/username\/(\w{1,15})$/.exec(path) ?? []
    if (username === 'bakery')
      return { status: 200, body: { data: { id: '77', username: 'Bakery', name: 'The bakery' } } }
    // A user who does not exist is an error inside a success.
    if (username) return { status: 200, body: { errors: [{ value: username, title: 'Not Found Error' }] } }
    if (path === '/2/tweets') return method === 'GET' ? readPosts(call) : create(call, owner)
    return method === 'DELETE' ? remove(call, owner) : list(call, owner)
  }

  /** Counts a request, and makes the headers that name the rest of the quarter of an hour. */
  function count(person: string, { method, path, perQuarter = 0 }: RequestRule) {
    const key = `${person} ${method} ${path}`
    const before = used.get(key)
    const counter = before && before.resets > Date.now() ? before : { count: 0, resets: Date.now() + QUARTER_MS }
    used.set(key, counter)
    counter.count++
    const headers = {
      'x-rate-limit-limit': String(perQuarter),
      'x-rate-limit-remaining': String(Math.max(0, perQuarter - counter.count)),
      'x-rate-limit-reset': String(Math.ceil(counter.resets / 1000)),
    }
    return { headers, isOver: counter.count > perQuarter }
  }

  function handle(call: Call): Reply {
    const signIn = oauth.handle(call)
    if (signIn) return signIn
    const isSignedByKeys = call.headers.authorization?.startsWith('OAuth ')
    const grant = isSignedByKeys ? undefined : oauth.grantOf(call)
    const person = isSignedByKeys ? isSigned(call, nonces, keysHaveEnded) && OWNER_OF_KEYS : grant?.person
    if (!person) return problem(401, 'Unauthorized', 'Unauthorized')
    const rule = ruleOf(requests, call)
    if (!rule) return problem(404, 'Not Found', 'Could not find the resource')
    if (grant && !rule.scopes?.every((scope) => grant.scopes.includes(scope)))
      return problem(403, 'Forbidden', 'Forbidden')
    const { headers, isOver } = count(person, rule)
    if (isOver) return { ...problem(429, 'Too Many Requests', 'Too Many Requests'), headers }
    const wrong = problemOf(rule, call)
    return { ...(wrong ? invalid(wrong) : respond(call, person)), headers }
  }

  const server = await networkServer({
    handle,
    errorOf: (code, detail = 'Something went wrong') => problem(code, 'Error', detail),
    isPost: ({ method, path }) => method === 'POST' && path === '/2/tweets',
    isUpload: ({ path }) => path.endsWith('/append'),
    failures: {
      refused: { kind: 'response', status: 403, error: 'You are not permitted to perform this action.' },
      rate_limited: {
        kind: 'response',
        status: 429,
        error: 'Too Many Requests',
        headers: { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1000) + 900) },
      },
      false_success: { kind: 'garbage' },
      ...processingFailures(media.setOutcome),
    },
    endTokens: oauth.endGrants,
    stored: () =>
      posts.map(({ id, text, media: files, parent, deleted }) => ({
        id,
        text,
        media: files.map(media.shown),
        replyTo: parent,
        deleted,
      })),
  })
  return {
    ...server,
    oauth,
    posts,
    ownKeys,
    /** Makes X refuse the keys, as after its owner generated others. */
    endKeys: () => {
      keysHaveEnded = true
    },
    useOldNames: (uses: boolean) => {
      usesOldNames = uses
    },
    setCredit: (left: boolean) => {
      hasCredit = left
    },
  }
}
