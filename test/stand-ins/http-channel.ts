import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { StoredPost } from './faults.ts'
import { type Call, networkServer, type Reply } from './server.ts'

export type HttpChannel = Awaited<ReturnType<typeof httpChannel>>

type Fields = Record<string, unknown>
type Content = Pick<StoredPost, 'text' | 'media' | 'replyTo'>

const TOLERANCE_S = 300

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const refusal = (status: number, error: string): Reply => ({ status, body: { error } })

/**
 * A receiver of signed posts, as somebody writes it with the library of Standard Webhooks. `read`: what it shows of a
 * body. `now`: its clock, in milliseconds. `tellsAddress`: whether it returns the id and address of a post.
 */
export async function httpChannel({
  read = ({ content, text }: Fields): Content => ({ text: String(content ?? text ?? ''), media: [], replyTo: null }),
  now = Date.now,
  tellsAddress = true,
} = {}) {
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
    const id = String(call.headers['webhook-id'])
    // A repeated id is the same message, whatever else has changed.
    if (!posts.has(id)) posts.set(id, { body: call.fields, content: read(call.fields) })
    return tellsAddress ? { status: 200, body: { id, url: `https://channel.example/posts/${id}` } } : { status: 204 }
  }

  const server = await networkServer({
    handle,
    errorOf: (status, error = 'error') => refusal(status, error),
    isPost: ({ method }) => method === 'POST',
    isUpload: () => false,
    failures: {
      refused: { kind: 'answer', status: 422, error: 'not_wanted' },
      rate_limited: { kind: 'answer', status: 429, headers: { 'retry-after': '60' } },
    },
    endTokens: () => {
      isGone = true
    },
    stored: () => [...posts].map(([id, { content }]) => ({ id, ...content, deleted: false })),
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
