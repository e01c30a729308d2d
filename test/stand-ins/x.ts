import { createHmac, randomInt } from 'node:crypto'
import { accountNumbers, postNumbers } from './numbers.ts'
import { oauthServer } from './oauth.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'

type Media = {
  id: string
  owner: string
  total: number
  bytes: number
  type: string
  alt: string | null
  state: 'open' | 'processing' | 'ready' | 'failed'
  outcome: 'ready' | 'never' | 'fails'
}
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

const problem = (status: number, title: string, detail: string): Reply => ({
  status,
  body: { title, detail, type: 'about:blank', status },
})

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

const known = ['text', 'media', 'reply', 'reply_settings', 'made_with_ai', 'paid_partnership', 'poll', 'community_id']
const REPLY_SETTINGS = ['following', 'mentionedUsers', 'subscribers', 'verified']
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
  })
  const posts: Post[] = []
  const nonces = new Set<string>()
  let keysHaveEnded = false
  const media = new Map<string, Media>()
  let nextVideo: Media['outcome'] = 'ready'
  let hasCredit = true
  let ids = 1_900_000_000_000_000_000n
  const newId = () => String(++ids)
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

  function create({ fields }: Call, owner: string): Reply {
    const unknown = Object.keys(fields).find((name) => !known.includes(name))
    if (unknown) return problem(400, 'Invalid Request', `[${unknown}] is not a valid field`)
    if (fields.reply_settings !== undefined && !REPLY_SETTINGS.includes(String(fields.reply_settings)))
      return problem(400, 'Invalid Request', 'reply_settings is not valid')
    if (!hasCredit) return problem(402, 'CreditsDepleted', 'Your enrolled account does not have any credits')
    const text = String(fields.text ?? '')
    const files = textsOf(fieldsOf(fields.media).media_ids)
    if (text.trim() === '' && files.length === 0) return problem(400, 'Invalid Request', 'A post needs a text or media')
    if (text.replace(links, 'x'.repeat(23)).length > 280) return problem(403, 'Forbidden', 'The text is too long')
    if (files.some((id) => media.get(id)?.state !== 'ready' || media.get(id)?.owner !== owner))
      return problem(400, 'Invalid Request', 'Your media IDs are invalid.')
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

  function list(call: Call, owner: string): Reply {
    if (call.path !== `/2/users/${owner}/tweets`) return problem(403, 'Forbidden', 'This is another user')
    const data = posts
      .filter((post) => post.owner === owner && !post.deleted)
      .reverse()
      .slice(0, Number(call.query.get('max_results')))
      .map((post) => ({
        id: post.id,
        created_at: new Date(post.at).toISOString(),
        ...shown(post),
        ...(post.media.length > 0 && { attachments: { media_keys: post.media.map((id) => `3_${id}`) } }),
        ...(post.parent !== null && { referenced_tweets: [{ type: 'replied_to', id: post.parent }] }),
      }))
    return { status: 200, body: data.length > 0 ? { data } : { meta: { result_count: 0 } } }
  }

  function initialize({ fields }: Call, owner: string): Reply {
    const { media_type, total_bytes, media_category } = fields
    if (!/^tweet_(image|gif|video)$/.test(String(media_category))) return problem(400, 'Invalid Request', 'No category')
    const id = newId()
    media.set(id, {
      id,
      owner,
      total: Number(total_bytes),
      bytes: 0,
      type: String(media_type),
      alt: null,
      state: 'open',
      outcome: 'ready',
    })
    return { status: 200, body: { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } } }
  }

  function append({ path, fields, files }: Call): Reply {
    const file = media.get(path.split('/')[4] ?? '')
    const [segment] = files
    if (!file || !segment || !/^\d{1,3}$/.test(String(fields.segment_index)))
      return problem(400, 'Invalid Request', 'No segment')
    if (segment.bytes.length > 5_000_000) return problem(413, 'Too Large', 'The segment is too large')
    file.bytes += segment.bytes.length
    return { status: 200, body: { data: { expires_at: Math.floor(Date.now() / 1000) + 86_400 } } }
  }

  function finalize({ path }: Call): Reply {
    const file = media.get(path.split('/')[4] ?? '')
    if (!file || file.bytes !== file.total)
      return problem(400, 'Invalid Request', 'Segments do not add up to the total')
    const isVideo = file.type.startsWith('video/')
    file.state = isVideo ? 'processing' : 'ready'
    file.outcome = nextVideo
    nextVideo = 'ready'
    const processing_info = { state: 'pending', check_after_secs: 1 }
    return { status: 200, body: { data: { id: file.id, ...(isVideo && { processing_info }) } } }
  }

  function status({ query }: Call): Reply {
    const file = media.get(query.get('media_id') ?? '')
    if (!file) return problem(404, 'Not Found', 'The media is unknown')
    const { state: before, outcome } = file
    if (before === 'processing' && outcome !== 'never') file.state = outcome === 'fails' ? 'failed' : 'ready'
    const state =
      before === 'processing' && outcome !== 'fails' ? 'in_progress' : file.state === 'ready' ? 'succeeded' : 'failed'
    const error = { code: 1, name: 'InvalidMedia', message: 'The video could not be read' }
    const info = {
      state,
      ...(state === 'in_progress' && { check_after_secs: 1 }),
      ...(state === 'failed' && { error }),
    }
    return { status: 200, body: { data: { id: file.id, processing_info: info } } }
  }

  function describe({ fields }: Call): Reply {
    const file = media.get(String(fields.id))
    const text = fieldsOf(fieldsOf(fields.metadata).alt_text).text
    if (!file || typeof text !== 'string' || text.length > 1000) return problem(400, 'Invalid Request', 'No alt text')
    file.alt = text
    return { status: 200, body: { data: { id: file.id } } }
  }

  const asksFor = ({ query }: Call, name: string) => (query.get(name) ?? '').split(',').includes('public_metrics')

  const userMetrics = (call: Call) =>
    asksFor(call, 'user.fields') && {
      public_metrics: {
        followers_count: accountNumbers.followers,
        following_count: accountNumbers.following,
        tweet_count: accountNumbers.posts,
        listed_count: 1,
      },
    }

  /** Deleted posts are missing from the response, with an error inside the success. */
  function readPosts(call: Call): Reply {
    const ids = (call.query.get('ids') ?? '').split(',')
    if (ids.length > 100 || !ids.every((id) => /^\d{1,19}$/.test(id)))
      return problem(400, 'Invalid Request', 'The ids are not valid')
    const { views, likes, comments, shares, quotes, saves } = postNumbers
    const found = posts.filter(({ id, deleted }) => ids.includes(id) && !deleted)
    const data = found.map(({ id, text }) => ({
      ...{ id, text },
      ...(asksFor(call, 'tweet.fields') && {
        public_metrics: {
          ...{ impression_count: views, like_count: likes, reply_count: comments, retweet_count: shares },
          ...{ quote_count: quotes, bookmark_count: saves },
        },
      }),
    }))
    const errors = ids
      .filter((id) => !found.some((post) => post.id === id))
      .map((id) => ({ value: id, title: 'Not Found' }))
    return { status: 200, body: { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) } }
  }

  function handle(call: Call): Reply {
    const signIn = oauth.handle(call)
    if (signIn) return signIn
    const person = call.headers.authorization?.startsWith('OAuth ')
      ? isSigned(call, nonces, keysHaveEnded) && OWNER_OF_KEYS
      : oauth.grantOf(call)?.person
    if (!person) return problem(401, 'Unauthorized', 'Unauthorized')
    const owner = idOf(person)
    const { method, path } = call
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
    if (path === '/2/tweets' && method === 'GET') return readPosts(call)
    if (path === '/2/tweets' && method === 'POST') return create(call, owner)
    if (/^\/2\/users\/\d+\/tweets$/.test(path)) return list(call, owner)
    if (path === '/2/media/upload/initialize') return initialize(call, owner)
    if (/^\/2\/media\/upload\/\d+\/append$/.test(path)) return append(call)
    if (/^\/2\/media\/upload\/\d+\/finalize$/.test(path)) return finalize(call)
    if (path === '/2/media/upload' && method === 'GET') return status(call)
    if (path === '/2/media/metadata') return describe(call)
    const post = posts.find(({ id, deleted }) => `/2/tweets/${id}` === path && !deleted)
    if (method === 'DELETE' && post) {
      post.deleted = true
      return { status: 200, body: { data: { deleted: true } } }
    }
    return problem(404, 'Not Found', 'Could not find the resource')
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
      ...processingFailures((result) => {
        nextVideo = result
      }),
    },
    endTokens: oauth.endGrants,
    stored: () =>
      posts.map(({ id, text, media: files, parent, deleted }) => ({
        id,
        text,
        media: files.map((file) => ({ type: media.get(file)?.type ?? '', alt: media.get(file)?.alt ?? null })),
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
    setCredit: (left: boolean) => {
      hasCredit = left
    },
  }
}
