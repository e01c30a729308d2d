import {
  type Account,
  error,
  errorOf,
  type Media,
  type MediaState,
  mediaLimits,
  mediaToAttach,
  oneMedia,
  showMedia,
  uploadMedia,
} from './mastodon-media.ts'
import { refusalOf, requests } from './mastodon-requests.ts'
import { mastodonSignIn } from './mastodon-sign-in.ts'
import { htmlOf, type SignInRules, type Software, softwares } from './mastodon-software.ts'
import { accountNumbers, postNumbers } from './numbers.ts'
import { problemOf as problemOfRule, ruleOf } from './request-rules.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'

type Post = {
  id: string
  account: Account
  text: string
  spoiler: string
  sensitive: boolean
  visibility: string
  language: string | null
  replyTo: string | null
  media: Media[]
  createdAt: Date
  editedAt: Date | undefined
  deleted: boolean
  /** Likes that are reported instead of the usual ones. */
  likes?: number
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const isTrue = (value: unknown) => value === true || value === 'true' || value === '1' || value === 1
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

/**
 * A server with Mastodon's API, as far as signing in and posting need it. `signInRules`: differ from its software. `processingPolls`: how often a video is asked for before it
 * is ready. `retryAfterSeconds`: how long it refuses when it limits the rate.
 */
export async function mastodonServer({
  software: chosen = 'mastodon',
  processingPolls = 1,
  retryAfterSeconds = 30,
  signInRules = {},
}: {
  software?: keyof typeof softwares
  processingPolls?: number
  retryAfterSeconds?: number
  signInRules?: Partial<SignInRules>
} = {}) {
  const software: Software = softwares[chosen]
  const accounts = new Map<string, Account>()
  const posts = new Map<string, Post>()
  /** Posts of which every call is refused. */
  const refused = new Set<string>()
  /** The post or the response of an idempotency key. */
  const keys = new Map<string, Reply | string>()
  let made = 0
  const newId = () => String(110_000_000_000_000_000n + BigInt(++made))
  const origin = () => server.url
  const state: MediaState = { software, media: new Map(), newId, origin, processingPolls, nextUpload: 'ready' }

  const people = new Map<string, Account>()
  const signIn = mastodonSignIn({
    rules: { ...software.signIn, ...signInRules },
    origin,
    give: (token, username, scopes) => {
      const account = people.get(username) ?? { id: newId(), username, scopes }
      people.set(username, Object.assign(account, { scopes }))
      accounts.set(token, account)
      return account
    },
    take: (token) => accounts.delete(token),
  })

  const rateHeaders = (remaining: number) => ({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(Date.now() + retryAfterSeconds * 1000).toISOString().replace('Z', '000Z'),
  })

  const showAccount = ({ id, username }: Account) => ({
    id,
    username,
    acct: username,
    display_name: `${username} of ${software.name}`,
    avatar: `${origin()}/avatars/${username}.gif`,
    avatar_static: `${origin()}/avatars/${username}.png`,
    url: `${origin()}/@${username}`,
    followers_count: accountNumbers.followers,
    following_count: accountNumbers.following,
    statuses_count: accountNumbers.posts,
  })
  const show = (post: Post) => ({
    id: post.id,
    created_at: post.createdAt.toISOString(),
    edited_at: post.editedAt?.toISOString() ?? null,
    in_reply_to_id: post.replyTo,
    in_reply_to_account_id: posts.get(post.replyTo ?? '')?.account.id ?? null,
    sensitive: post.sensitive,
    spoiler_text: post.spoiler,
    visibility: post.visibility,
    language: post.language,
    uri: `${origin()}/users/${post.account.username}/statuses/${post.id}`,
    url: `${origin()}/@${post.account.username}/${post.id}`,
    content: htmlOf(post.text, origin()),
    reblog: null,
    application: { name: 'Stand-in', website: null },
    account: showAccount(post.account),
    media_attachments: post.media.map((each) => showMedia(each, origin())),
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
    replies_count: postNumbers.comments,
    reblogs_count: postNumbers.shares,
    favourites_count: post.likes ?? postNumbers.likes,
    // From version 4.5 on.
    ...(software.name === 'mastodon' && { quotes_count: postNumbers.quotes }),
  })

  /** The account of a call, or the refusal. `scope`: like `write:media`, which `write` contains. */
  function accountOf({ headers }: Call, scope: string): Account | Reply {
    const account = accounts.get((headers.authorization ?? '').replace(/^Bearer /, ''))
    if (!account) return errorOf(401)
    return account.scopes.some((held) => held === scope || scope.startsWith(`${held}:`)) ? account : errorOf(403)
  }

  /** The reason for which a post is refused. */
  function problemOf(text: string, spoiler: string, files: number) {
    if (!text.trim() && !spoiler.trim() && files === 0) return "Validation failed: Text can't be blank"
    if (software.mediaRequired && files === 0) return 'The media ids field is required.'
    if (software.count(spoiler, text) > software.maxCharacters)
      return `Validation failed: Text character limit of ${software.maxCharacters} exceeded`
  }

  function create({ fields }: Call, account: Account): Reply {
    const warning = textOf(fields.spoiler_text)
    // A warning without a text becomes the text.
    const [spoiler, text] = textOf(fields.status).trim() ? [warning, textOf(fields.status)] : ['', warning]
    const ids = listOf(fields.media_ids)
    const replyTo = fields.in_reply_to_id ? String(fields.in_reply_to_id) : null
    const visibility = textOf(fields.visibility) || 'public'
    const parent = replyTo === null ? undefined : posts.get(replyTo)
    if (replyTo !== null && (!parent || parent.deleted))
      return error(404, 'The post you are trying to reply to does not appear to exist.')
    if (fields.poll && ids.length > 0) return error(software.invalid, 'Cannot attach media to a poll')
    const attached = mediaToAttach(state, account, ids)
    if (typeof attached === 'string') return error(software.invalid, attached)
    const problem = problemOf(text, spoiler, attached.length)
    if (problem) return error(software.invalid, problem)
    if (!software.visibilities.includes(visibility))
      return error(software.invalid, 'Validation failed: Visibility is not included in the list')
    const post: Post = {
      id: newId(),
      account,
      text,
      spoiler,
      sensitive: isTrue(fields.sensitive) || warning !== '',
      visibility,
      language: textOf(fields.language) || null,
      replyTo,
      media: attached,
      createdAt: new Date(),
      editedAt: undefined,
      deleted: false,
    }
    posts.set(post.id, post)
    for (const each of attached) each.post = post.id
    return { status: 200, body: show(post) }
  }

  function createOnce(call: Call): Reply {
    const account = accountOf(call, 'write:statuses')
    if ('status' in account) return account
    const given = call.headers['idempotency-key']
    if (!given || software.idempotency === 'ignored') return create(call, account)
    const key = `${account.id}:${given}`
    const earlier = keys.get(key)
    if (earlier !== undefined && software.idempotency === 'refused') return error(400, 'Duplicate idempotency key.')
    if (typeof earlier === 'object')
      return { ...earlier, headers: { ...earlier.headers, 'idempotent-replayed': 'true' } }
    const post = posts.get(earlier ?? '')
    if (earlier !== undefined) return post && !post.deleted ? { status: 200, body: show(post) } : errorOf(404)
    const reply = create(call, account)
    if (software.idempotency === 'response') keys.set(key, reply)
    else if (software.idempotency === 'refused') keys.set(key, '')
    else if (reply.status === 200) keys.set(key, String([...posts.keys()].at(-1)))
    return reply
  }

  function edit({ fields }: Call, post: Post): Reply {
    const text = 'status' in fields ? textOf(fields.status) : post.text
    const spoiler = 'spoiler_text' in fields ? textOf(fields.spoiler_text) : post.spoiler
    const attached = mediaToAttach(state, post.account, listOf(fields.media_ids), post.id)
    if (typeof attached === 'string') return error(software.invalid, attached)
    const problem = problemOf(text, spoiler, attached.length)
    if (problem) return error(software.invalid, problem)
    const attributes: unknown[] = Array.isArray(fields.media_attributes) ? fields.media_attributes : []
    for (const each of attributes) {
      if (typeof each !== 'object' || each === null || !('id' in each) || !('description' in each)) continue
      const found = attached.find(({ id }) => id === each.id)
      if (found) found.alt = textOf(each.description) || null
    }
    Object.assign(post, { text, spoiler, media: attached, editedAt: new Date() })
    if ('sensitive' in fields) post.sensitive = isTrue(fields.sensitive)
    return { status: 200, body: show(post) }
  }

  function oneStatus(call: Call, id: string, part: string | undefined): Reply {
    const write = call.method === 'PUT' || call.method === 'DELETE'
    const account = accountOf(call, write ? 'write:statuses' : 'read:statuses')
    const post = posts.get(id)
    const hidden = post?.visibility === 'private' || post?.visibility === 'direct'
    if ('status' in account && (write || part || call.headers.authorization)) return account
    if (refused.has(id)) return errorOf(422, 'Validation failed: this post cannot be shown')
    if (!post || post.deleted || ((write || part || hidden) && post.account !== account)) return errorOf(404)
    if (call.method === 'PUT') return edit(call, post)
    if (part) return { status: 200, body: { id, text: post.text, spoiler_text: post.spoiler } }
    if (call.method === 'DELETE') {
      post.deleted = true
      return { status: 200, body: { ...show(post), text: post.text } }
    }
    return { status: 200, body: show(post) }
  }

  function ownStatuses(call: Call, id: string): Reply {
    const account = accountOf(call, 'read:statuses')
    if ('status' in account) return account
    const after = BigInt(call.query.get('since_id') ?? call.query.get('min_id') ?? 0)
    const limit = Math.min(Number(call.query.get('limit') ?? 20), 40)
    const shown = [...posts.values()].filter(
      (post) =>
        post.account.id === id &&
        !post.deleted &&
        BigInt(post.id) > after &&
        !(isTrue(call.query.get('exclude_replies')) && post.replyTo),
    )
    return { status: 200, body: shown.reverse().slice(0, limit).map(show) }
  }

  /** Accounts that the server knows: its own, and one of another server. */
  function searchAccounts({ query }: Call): Reply {
    const beginning = query.get('q') ?? ''
    const remote = { id: '1', acct: 'bakery@elsewhere.example', username: 'bakery', display_name: '' }
    const found = [...[...accounts.values()].map(showAccount), remote].filter(({ acct }) => acct.startsWith(beginning))
    return { status: 200, body: found.slice(0, Number(query.get('limit') ?? 40)) }
  }

  const statusLimits = {
    max_characters: software.maxCharacters,
    max_media_attachments: software.maxMedia,
    characters_reserved_per_url: 23,
  }
  const instance = () => ({
    domain: new URL(origin()).host,
    uri: new URL(origin()).host,
    title: 'Stand-in',
    version: software.version,
    configuration: { statuses: statusLimits, media_attachments: mediaLimits(software) },
  })

  function route(call: Call): Reply | Promise<Reply> {
    const { method, path } = call
    const [, media, status, part, owner] =
      path.match(/^\/api\/v1\/(?:media\/(\d+)|statuses\/(\d+)(\/source)?|accounts\/(\d+)\/statuses)$/) ?? []
    if (path === '/.well-known/nodeinfo')
      return {
        status: 200,
        body: { links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${origin()}/nodeinfo/2.0` }] },
      }
    if (path === '/nodeinfo/2.0')
      return { status: 200, body: { version: '2.0', software: { name: software.name, version: software.version } } }
    if (path === '/api/v2/instance' && software.hasInstanceV2) return { status: 200, body: instance() }
    if (path === '/api/v1/instance') return { status: 200, body: instance() }
    if (path === '/api/v1/accounts/verify_credentials') {
      const account = accountOf(call, 'read:accounts')
      if ('status' in account) return account
      return { status: 200, body: { ...showAccount(account), source: { privacy: 'public', language: 'en' } } }
    }
    if (path === '/api/v1/accounts/search') {
      const account = accountOf(call, 'read:accounts')
      return 'status' in account ? account : searchAccounts(call)
    }
    if (path === '/api/v2/media' || media) {
      const account = accountOf(call, 'write:media')
      if ('status' in account) return account
      if (method === 'POST' && !media) return uploadMedia(state, account, call)
      if (media && (method === 'GET' || method === 'PUT')) return oneMedia(state, account, call, media)
    }
    if (method === 'POST' && path === '/api/v1/statuses') return createOnce(call)
    if (status && ['GET', 'PUT', 'DELETE'].includes(method)) return oneStatus(call, status, part)
    if (owner && method === 'GET') return ownStatuses(call, owner)
    return errorOf(404)
  }

  /** A missing right is named before a mistake, so that callers can try a right with an empty request. */
  function refusalByRule(call: Call): Reply | undefined {
    const rule = ruleOf(requests, call)
    const problem = rule && problemOfRule(rule, call)
    if (!problem) return undefined
    const denied = rule.scopes?.map((scope) => accountOf(call, scope)).find((each) => 'status' in each)
    return denied && 'status' in denied ? denied : refusalOf(call.path, problem, software.invalid)
  }

  const server = await networkServer({
    handle: async (call) => {
      const reply = refusalByRule(call) ?? signIn.handle(call) ?? (await route(call))
      return { ...reply, headers: { ...rateHeaders(299), ...reply.headers } }
    },
    errorOf,
    isPost: ({ method, path }) => method === 'POST' && path === '/api/v1/statuses',
    isUpload: ({ method, path }) => method === 'POST' && path === '/api/v2/media',
    failures: {
      refused: { kind: 'response', status: software.invalid, error: 'Validation failed: Text contains a blocked word' },
      rate_limited: { kind: 'reply', of: () => ({ ...errorOf(429), headers: rateHeaders(0) }) },
      // The spam filter returns the post that it did not keep.
      false_success: {
        kind: 'reply',
        of: ({ fields }) => ({
          status: 200,
          body: { id: '', created_at: null, content: htmlOf(textOf(fields.status), origin()) },
        }),
      },
      ...processingFailures((result) => {
        state.nextUpload = result
      }),
    },
    endTokens: () => accounts.clear(),
    stored: () =>
      [...posts.values()].map((post) => ({
        id: post.id,
        text: post.text,
        media: post.media.map(({ type, alt }) => ({ type, alt })),
        replyTo: post.replyTo,
        deleted: post.deleted,
      })),
  })

  return {
    ...server,
    /** Every post with all that was sent for it. */
    posts,
    signIn,
    refused,
    /** Creates an account, and returns its token. */
    addAccount: (scopes = ['read', 'write']) => {
      const username = `person${accounts.size + 1}`
      const account = { id: newId(), username, scopes }
      const token = `token-${account.id}`
      accounts.set(token, account)
      return { id: account.id, username, token }
    },
  }
}
