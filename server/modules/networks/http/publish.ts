import { invalid } from '../../../errors.ts'
import { signedHeaders, signingKey } from '../../../lib/crypto/webhook-signature.ts'
import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { call, faultOfReply, fieldsOf, jsonOf } from '../calls/call.ts'
import { addressProblem, connectProblem } from '../calls/connect-problem.ts'
import { checkBy, credentialsOf } from '../calls/credentials.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import { httpUrl } from '../text/http-url.ts'

type Credentials = { url: string; secret: string }
/** `id` repeats over all attempts of one call, so that the receiver can drop what it has already. */
type Message = { id: string; type: 'channel.check' | 'post.publish' | 'post.edit' | 'post.delete'; data: object }

/** Sends a message signed by Standard Webhooks. Throws a `NetworkFault` unless the receiver responds with 2xx. */
async function send(deps: Deps, { url, secret }: Credentials, { id, type, data }: Message) {
  const now = deps.clock.now()
  const body = JSON.stringify({ id, type, timestamp: now.toISOString(), data })
  const headers = signedHeaders({ current: signingKey(secret) }, id, body, now)
  const reply = await call(deps, { url, method: 'POST', headers, body })
  if (reply.status >= 200 && reply.status < 300) return jsonOf(reply)
  const message = `The receiver responded with status ${reply.status}.`
  if (reply.status === 410) throw new NetworkFault({ kind: 'unauthorized', message })
  throw faultOfReply(reply, { message }, now)
}

export async function connect(
  deps: Deps,
  { url = '', secret = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const refused = refusedUrl(url, deps.urlRules)
  if (refused) throw addressProblem('/url', refused)
  if (!/^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret))
    throw invalid('/secret', {
      en: 'This is not a secret such as whsec_ and 32 bytes in base64.',
      tr: 'Bu, whsec_ ve base64 olarak 32 bayttan oluşan bir gizli anahtar değil.',
    })
  try {
    await send(deps, { url, secret }, { id: crypto.randomUUID(), type: 'channel.check', data: {} })
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    const text = {
      en: `The receiver did not accept a signed message: ${cause.message}`,
      tr: `Alıcı imzalı bir mesajı kabul etmedi: ${cause.message}`,
    }
    throw connectProblem('/url', 'account_unreachable', text, cause)
  }
  const { host, pathname } = new URL(url)
  const name = pathname === '/' ? host : `${host}${pathname}`
  return {
    external_id: url,
    name,
    handle: name,
    url: null,
    credentials: JSON.stringify({ url, secret }),
  }
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    await send(deps, credentialsOf(account), { id: crypto.randomUUID(), type: 'channel.check', data: {} })
    return {}
  })

const partOf = async ({ text, media }: Part) => ({
  text,
  media: await Promise.all(
    media.map(async ({ kind, mime, bytes, width, height, duration_s, alt, url }) => ({
      kind,
      mime,
      bytes,
      width,
      height,
      duration_s,
      alt,
      url: await url(),
    })),
  ),
})

/** Whether a receiver's id can be stored and shown. */
const isName = (id: unknown): id is string => typeof id === 'string' && id !== '' && sanitizeExternalText(id) === id

/** Sends the whole post as one message. The receiver may name its id and address in the response. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, first_comment, key, step } = publication
  const sent = await step('post 0', {
    part: parts.length - 1,
    run: async () => {
      const [post, ...thread] = await Promise.all(parts.map(partOf))
      const message: Message = { id: key, type: 'post.publish', data: { ...post, thread, first_comment } }
      const response = await send(deps, credentialsOf(publication), message)
      const named = fieldsOf(response)
      return {
        external_id: isName(named.id) ? named.id : key,
        url: httpUrl(named.url),
      }
    },
    ifLost: 'ask',
  })
  return sent ?? { external_id: key, url: null }
}

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const data = { id: post.external_id, text }
  await send(deps, credentialsOf(post), { id: crypto.randomUUID(), type: 'post.edit', data })
}

export async function remove(deps: Deps, post: PublishedPost) {
  const data = { id: post.external_id }
  await send(deps, credentialsOf(post), { id: crypto.randomUUID(), type: 'post.delete', data })
}
