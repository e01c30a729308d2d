import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { StoredPost } from './faults.ts'
import { type Call, networkServer, type Reply } from './server.ts'

export type HttpChannel = Awaited<ReturnType<typeof httpChannel>>

type Fields = Record<string, unknown>
type Content = Pick<StoredPost, 'text' | 'media' | 'deleted'>

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

/** A message as a receiver shows it. */
function read(data: Fields): Content {
  const files = Array.isArray(data.media) ? data.media.map(fieldsOf) : []
  const media = files.map(({ mime, alt }) => ({ type: String(mime), alt: String(alt) }))
  return { text: String(data.text), media, deleted: false }
}

const TOLERANCE_S = 300

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const refusal = (status: number, error: string): Reply => ({ status, body: { error } })

/**
 * A receiver of signed posts, as somebody writes it with the library of Standard Webhooks. `now`: its clock, in
 * milliseconds. `tellsAddress`: whether it returns the id and address of a post.
 */
export async function httpChannel({ now = Date.now, tellsAddress = true } = {}) {
  const posts = new Map<string, { body: Fields; content: Content }>()
  let secret = newSecret()
  let isGone = false

  function isSigned({ headers, raw }: Call): boolean {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
    if (!id || !timestamp || !signatures) return false
    if (Math.abs(now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false
    const at = new Date(Number(timestamp) * 1000)
    const given = String(signatures).split(' ')
    return given.includes(new Webhook(secret).sign(String(id), at, raw))
  }

  function handle(call: Call): Reply {
    if (isGone) return refusal(410, 'gone')
    if (call.method !== 'POST' || call.path !== '/channel') return refusal(404, 'not_found')
    if (!isSigned(call)) return refusal(401, 'invalid_signature')
    const { type } = call.fields
    const data = fieldsOf(call.fields.data)
    if (type === 'channel.check') return { status: 204 }
    if (type === 'post.edit' || type === 'post.delete') {
      const post = posts.get(String(data.id))
      if (!post) return refusal(404, 'unknown_post')
      if (type === 'post.edit') post.content.text = String(data.text)
      else post.content.deleted = true
      return { status: 204 }
    }
    if (type !== 'post.publish') return refusal(400, 'unknown_type')
    const id = String(call.headers['webhook-id'])
    // A repeated id is the same message, whatever else has changed.
    if (!posts.has(id)) posts.set(id, { body: call.fields, content: read(data) })
    return tellsAddress ? { status: 200, body: { id, url: `https://channel.example/posts/${id}` } } : { status: 204 }
  }

  const server = await networkServer({
    handle,
    errorOf: (status, error = 'error') => refusal(status, error),
    isPost: ({ fields }) => fields.type === 'post.publish',
    isUpload: () => false,
    failures: {
      refused: { kind: 'response', status: 422, error: 'not_wanted' },
      rate_limited: { kind: 'response', status: 429, headers: { 'retry-after': '60' } },
    },
    endTokens: () => {
      isGone = true
    },
    stored: () => [...posts].map(([id, { content }]) => ({ id, ...content, replyTo: null })),
  })

  return {
    ...server,
    url: `${server.url}/channel`,
    /** Bodies by their `webhook-id`. */
    posts,
    secret: () => secret,
    /** Expects another secret from now on. */
    changeSecret: () => {
      secret = newSecret()
    },
  }
}
