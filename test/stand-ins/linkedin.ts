import { requestsOf } from './linkedin-requests.ts'
import { accountNumbers, postNumbers } from './numbers.ts'
import { oauthServer } from './oauth.ts'
import { problemOf, ruleOf } from './request-rules.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'

/** Versions of the API that still exist. */
const VERSIONS = ['202606', '202607', '202608']
const PART_BYTES = 4_194_304
/** The longest text, as readers see it. */
const MAX_TEXT = 3000

type Media = {
  urn: string
  kind: 'image' | 'video' | 'document'
  owner: string
  /** Sizes that the parts must have; empty for files that come whole. */
  parts: number[]
  /** Received parts by their number. */
  etags: Map<number, string>
  bytes: number
  state: 'waiting' | 'processing' | 'available' | 'failed'
  outcome: 'ready' | 'never' | 'fails'
  polls: number
}

type Post = {
  id: string
  author: string
  text: string
  commentary: string
  content: Record<string, unknown> | undefined
  createdAt: number
  deleted: boolean
}

const error = (status: number, code: string, message: string, errorDetails?: object): Reply => ({
  status,
  body: { status, code, message, serviceErrorCode: 100, errorDetails },
})

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The element of a mention, which readers see as its text. */
const MENTION = /@\[((?:\\.|[^\\|{}@[\]()<>#*_~])+)\]\((urn:li:(?:organization|person):\w+)\)/y

/** The text that readers see of "little text": it ends at the first reserved character without an escape. */
function shown(commentary: string) {
  let text = ''
  for (let index = 0; index < commentary.length; index++) {
    const character = commentary[index] ?? ''
    MENTION.lastIndex = index
    const [mention, name = ''] = MENTION.exec(commentary) ?? []
    if (mention) {
      text += name.replace(/\\(.)/g, '$1')
      index += mention.length - 1
    } else if (character === '\\') text += commentary[++index] ?? ''
    else if ('|{}@[]()<>*_~'.includes(character)) return text
    else text += character
  }
  return text
}

/** LinkedIn for one app: for members, or with `pages` the organizations of each person and their roles. */
export async function linkedinServer({
  pages,
  refresh = pages ? 'reusable' : 'none',
}: {
  pages?: Record<string, { id: string; name: string; role: string }[]>
  refresh?: 'none' | 'reusable' | 'single_use'
} = {}) {
  const oauth = oauthServer({
    authorizePath: '/oauth/v2/authorization',
    tokenPath: '/oauth/v2/accessToken',
    clientAuth: 'body',
    scopeSeparator: ' ',
    access_s: 5_184_000,
    refresh,
    shape: ({ access_token, expires_in, refresh_token, scope }) => ({
      access_token,
      expires_in,
      // LinkedIn separates granted scopes by commas.
      scope: scope.replaceAll(' ', ','),
      ...(refresh_token !== undefined && { refresh_token, refresh_token_expires_in: 31_536_000 }),
    }),
  })
  const requests = requestsOf(pages !== undefined)
  const posts: Post[] = []
  const comments: { urn: string; text: string }[] = []
  const media = new Map<string, Media>()
  let nextVideo: Media['outcome'] = 'ready'
  let ids = 7_100_000_000_000_000_000n
  const newId = () => String(++ids)

  const personOf = (call: Call) => {
    const grant = oauth.grantOf(call)
    return grant && `urn:li:person:${grant.person}`
  }
  const mayWrite = (call: Call, author: unknown) => {
    const person = oauth.grantOf(call)?.person ?? ''
    if (!pages) return author === `urn:li:person:${person}`
    return (pages[person] ?? []).some(({ id }) => author === `urn:li:organization:${id}`)
  }

  function initialize(call: Call, kind: Media['kind']): Reply {
    const request = fieldsOf(call.fields.initializeUploadRequest)
    if (!mayWrite(call, request.owner)) return error(403, 'ACCESS_DENIED', 'Not enough permissions for the owner')
    const urn = `urn:li:${kind}:C4${newId()}`
    const total = Number(request.fileSizeBytes)
    const sizes =
      kind === 'video'
        ? Array.from({ length: Math.ceil(total / PART_BYTES) }, (_, index) =>
            Math.min(PART_BYTES, total - index * PART_BYTES),
          )
        : []
    const owner = String(request.owner)
    media.set(urn, {
      ...{ urn, kind, owner, parts: sizes, etags: new Map(), bytes: 0, state: 'waiting', outcome: 'ready', polls: 0 },
    })
    const address = (part: number) => `https://www.linkedin.com/dms-uploads/${encodeURIComponent(urn)}/${part}`
    if (kind !== 'video') return { status: 200, body: { value: { uploadUrl: address(0), [kind]: urn } } }
    const uploadInstructions = sizes.map((size, index) => ({
      uploadUrl: address(index),
      firstByte: index * PART_BYTES,
      lastByte: index * PART_BYTES + size - 1,
    }))
    return { status: 200, body: { value: { video: urn, uploadToken: 'token', uploadInstructions } } }
  }

  function receive({ path, raw }: Call): Reply {
    const [, urn = '', part = '0'] = /^\/dms-uploads\/([^/]+)\/(\d+)$/.exec(path) ?? []
    const file = media.get(decodeURIComponent(urn))
    if (!file) return error(404, 'NOT_FOUND', 'The upload is unknown')
    const expected = file.parts[Number(part)]
    if (raw.length === 0 || (expected !== undefined && raw.length !== expected))
      return error(400, 'BAD_REQUEST', 'The part has another size')
    file.bytes += raw.length
    const etag = `etag-${part}-${raw.length}`
    file.etags.set(Number(part), etag)
    if (file.kind !== 'video') file.state = 'available'
    return { status: 201, headers: { etag } }
  }

  function finalize({ fields }: Call): Reply {
    const { video, uploadToken, uploadedPartIds } = fieldsOf(fields.finalizeUploadRequest)
    const file = media.get(String(video))
    const expected = file && [...file.etags].sort(([a], [b]) => a - b).map(([, etag]) => etag)
    if (!file || uploadToken !== 'token' || file.parts.length !== file.etags.size)
      return error(400, 'BAD_REQUEST', 'Parts are missing')
    if (JSON.stringify(uploadedPartIds) !== JSON.stringify(expected))
      return error(400, 'BAD_REQUEST', 'The parts are in another order')
    Object.assign(file, { state: 'processing', outcome: nextVideo })
    nextVideo = 'ready'
    return { status: 200 }
  }

  function showVideo(call: Call): Reply {
    const file = media.get(decodeURIComponent(call.path.slice('/rest/videos/'.length)))
    if (!file || !mayWrite(call, file.owner)) return error(404, 'NOT_FOUND', 'The video is unknown')
    if (file.state === 'processing' && ++file.polls > 1 && file.outcome !== 'never')
      file.state = file.outcome === 'fails' ? 'failed' : 'available'
    const status = {
      waiting: 'WAITING_UPLOAD',
      processing: 'PROCESSING',
      available: 'AVAILABLE',
      failed: 'PROCESSING_FAILED',
    }
    return { status: 200, body: { id: file.urn, status: status[file.state] } }
  }

  const filesOf = (content: Record<string, unknown>) => {
    const { images } = fieldsOf(content.multiImage)
    return (Array.isArray(images) ? images : [content.media]).map(fieldsOf).filter(({ id }) => id !== undefined)
  }

  function create(call: Call): Reply {
    const { fields } = call
    if (!mayWrite(call, fields.author)) return error(403, 'ACCESS_DENIED', 'The author is somebody else')
    const commentary = String(fields.commentary)
    const text = shown(commentary)
    if (text.length > MAX_TEXT) return error(400, 'FIELD_LENGTH_TOO_LONG', 'The commentary is too long')
    const content = fields.content === undefined ? undefined : fieldsOf(fields.content)
    const { thumbnail } = fieldsOf(content?.article)
    for (const { id } of [...filesOf(content ?? {}), ...(thumbnail === undefined ? [] : [{ id: thumbnail }])]) {
      const file = media.get(String(id))
      if (!file || file.owner !== fields.author) return error(400, 'ILLEGAL_ARGUMENT', 'A file is unknown')
      if (file.state !== 'available') return error(400, 'ILLEGAL_ARGUMENT', 'A file is not AVAILABLE')
    }
    const same = posts.find((post) => !post.deleted && post.author === fields.author && post.text === text)
    if (same && text !== '' && filesOf(content ?? {}).length === 0)
      return error(422, 'UNPROCESSABLE_ENTITY', `Content is a duplicate of ${same.id}`, {
        inputErrors: [{ code: 'DUPLICATE_POST', description: `Content is a duplicate of ${same.id}` }],
      })
    const id = `urn:li:${content?.media ? 'ugcPost' : 'share'}:${newId()}`
    posts.push({
      id,
      author: String(fields.author),
      text,
      commentary,
      content,
      createdAt: Date.now(),
      deleted: false,
    })
    return { status: 201, headers: { 'x-restli-id': id } }
  }

  function list(call: Call): Reply {
    const author = call.query.get('author')
    if (!pages || !mayWrite(call, author)) return error(403, 'ACCESS_DENIED', 'Posts of members cannot be read')
    const elements = posts
      .filter((post) => post.author === author && !post.deleted)
      .reverse()
      .map(({ id, commentary, createdAt }) => ({ id, author, commentary, createdAt, lifecycleState: 'PUBLISHED' }))
    return { status: 200, body: { elements: elements.slice(0, Number(call.query.get('count') ?? 10)) } }
  }

  function remove(call: Call): Reply {
    const id = decodeURIComponent(call.path.slice('/rest/posts/'.length))
    const post = posts.find((each) => each.id === id && !each.deleted)
    if (!post) return error(404, 'NOT_FOUND', 'The post is not found')
    if (!mayWrite(call, post.author)) return error(403, 'ACCESS_DENIED', 'The author is somebody else')
    post.deleted = true
    return { status: 204 }
  }

  function addComment(call: Call): Reply {
    if (!pages) return error(403, 'ACCESS_DENIED', 'Not enough permissions to access: partnerApiSocialActions')
    const { actor, object, message } = call.fields
    if (!mayWrite(call, actor)) return error(403, 'ACCESS_DENIED', 'The actor is somebody else')
    const urn = decodeURIComponent(call.path.split('/')[3] ?? '')
    if (object !== urn) return error(400, 'ILLEGAL_ARGUMENT', 'The object is not the one of the address')
    if (!posts.some(({ id, deleted }) => id === urn && !deleted))
      return error(404, 'NOT_FOUND', 'The post is not found')
    comments.push({ urn, text: String(fieldsOf(message).text) })
    return { status: 201, body: {} }
  }

  /** Returns the statistics of the posts in two lists, by their kind. */
  function readStatistics(call: Call): Reply {
    const { query } = call
    if (!pages || !mayWrite(call, query.get('organizationalEntity')))
      return error(403, 'ACCESS_DENIED', 'Statistics are for administrators of the page')
    const asked = ['shares', 'ugcPosts'].flatMap((name) =>
      (/^List\((.+)\)$/.exec(query.get(name) ?? '')?.[1] ?? '')
        .split(',')
        .filter(Boolean)
        .map((urn) => ({ urn, field: name.slice(0, -1) })),
    )
    if (asked.some(({ urn, field }) => !urn.startsWith(`urn:li:${field}:`)))
      return error(400, 'ILLEGAL_ARGUMENT', 'A post is in the list of another kind')
    const { views, reach, likes, comments: commentCount, shares, clicks } = postNumbers
    const totalShareStatistics = {
      ...{ impressionCount: views, uniqueImpressionsCount: reach, likeCount: likes, commentCount },
      ...{ shareCount: shares, clickCount: clicks, engagement: 0.07 },
    }
    const elements = asked
      .filter(({ urn }) => posts.some(({ id, deleted }) => id === urn && !deleted))
      .map(({ urn, field }) => ({ [field]: urn, totalShareStatistics }))
    return { status: 200, body: { elements } }
  }

  /** Finds a page by the name in its address, also one of others. */
  function findOrganization({ query, headers }: Call): Reply {
    if (!pages)
      return error(403, 'ACCESS_DENIED', 'Not enough permissions to access: organizations.FINDER-vanityName.NO_VERSION')
    if (query.get('q') !== 'vanityName' || headers['x-restli-method'] !== 'FINDER')
      return error(400, 'ILLEGAL_ARGUMENT', 'The finder is unknown')
    const elements = [{ id: 2414183, localizedName: 'Simit & Co. (Ankara)', vanityName: 'simit-co' }]
    return {
      status: 200,
      body: { elements: elements.filter(({ vanityName }) => vanityName === query.get('vanityName')) },
    }
  }

  function readSize(call: Call): Reply {
    const urn = decodeURIComponent(call.path.slice('/rest/networkSizes/'.length))
    if (!pages || !mayWrite(call, urn)) return error(403, 'ACCESS_DENIED', 'This is the page of somebody else')
    return { status: 200, body: { firstDegreeSize: accountNumbers.followers } }
  }

  function listRoles(call: Call): Reply {
    const elements = (pages?.[oauth.grantOf(call)?.person ?? ''] ?? []).map(({ id, name, role }) => ({
      role,
      'organizationalTarget~': {
        id: Number(id),
        localizedName: name,
        vanityName: name.toLowerCase().replaceAll(' ', '-'),
      },
    }))
    return { status: 200, body: { elements } }
  }

  /** Responds to a call that the rules of requests allow. */
  function respond(call: Call, person: string): Reply {
    const { method, path } = call
    const action = call.query.get('action')
    const [, kind] = /^\/rest\/(image|video|document)s$/.exec(path) ?? []
    if (path === '/v2/userinfo')
      return { status: 200, body: { sub: person.slice('urn:li:person:'.length), name: 'Ada Lovelace' } }
    if (path === '/v2/organizationalEntityAcls') return listRoles(call)
    if (kind) return action === 'finalizeUpload' ? finalize(call) : initialize(call, kind as Media['kind'])
    if (path.startsWith('/rest/videos/')) return showVideo(call)
    if (path === '/rest/posts') return method === 'POST' ? create(call) : list(call)
    if (path.startsWith('/rest/posts/')) return remove(call)
    if (path.startsWith('/rest/socialActions/')) return addComment(call)
    if (path === '/rest/organizations') return findOrganization(call)
    return path === '/rest/organizationalEntityShareStatistics' ? readStatistics(call) : readSize(call)
  }

  function handle(call: Call): Reply {
    const signIn = oauth.handle(call)
    if (signIn) return signIn
    const { path, headers } = call
    const person = personOf(call)
    if (!person) return error(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user')
    if (path.startsWith('/dms-uploads/') && call.method === 'PUT') return receive(call)
    const action = call.query.get('action') ?? undefined
    const rule = ruleOf(
      requests.filter((each) => each.action === action),
      call,
    )
    if (rule?.isVersioned !== false) {
      if (!VERSIONS.includes(String(headers['linkedin-version'])))
        return error(426, 'NONEXISTENT_VERSION', 'Requested version is not active')
      if (headers['x-restli-protocol-version'] !== '2.0.0')
        return error(400, 'BAD_REQUEST', 'The protocol version is missing')
    }
    if (!rule) return error(404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${path}`)
    if (path.includes(':')) return error(400, 'ILLEGAL_ARGUMENT', 'A URN of the address is not encoded')
    const scopes = oauth.grantOf(call)?.scopes ?? []
    if (!rule.scopes?.every((scope) => scopes.includes(scope)))
      return error(403, 'ACCESS_DENIED', `Not enough permissions to access: ${call.method} ${path}`)
    const wrong = problemOf(rule, call)
    if (wrong) return error(400, 'ILLEGAL_ARGUMENT', `ERROR :: /${wrong.name.replaceAll('.', '/')} :: ${wrong.message}`)
    return respond(call, person)
  }

  const server = await networkServer({
    handle,
    errorOf: (status, message = 'Something went wrong') => error(status, 'ERROR', message),
    isPost: ({ method, path }) => method === 'POST' && path === '/rest/posts',
    isUpload: ({ path }) => path.startsWith('/dms-uploads/'),
    failures: {
      refused: { kind: 'response', status: 400, error: 'The post is not allowed' },
      rate_limited: { kind: 'response', status: 429, error: 'Resource level throttle DAY limit is reached' },
      false_success: { kind: 'garbage' },
      ...processingFailures((result) => {
        nextVideo = result
      }),
    },
    endTokens: oauth.endGrants,
    stored: () =>
      posts.map(({ id, text, content, deleted }) => ({
        id,
        text,
        media: filesOf(content ?? {}).map(({ id: file, altText }) => ({
          type: media.get(String(file))?.kind ?? '',
          alt: typeof altText === 'string' ? altText : null,
        })),
        replyTo: null,
        deleted,
      })),
  })
  return {
    ...server,
    oauth,
    posts,
    comments,
    /** Takes every role on a page away. */
    takePages: () => {
      for (const person of Object.keys(pages ?? {})) delete pages?.[person]
    },
  }
}
