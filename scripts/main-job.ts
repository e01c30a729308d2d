/**
 * The main job of Meydan, from sign-up to a published post and its signed webhooks. It throws at the first step that does
 * not succeed.
 */
import type { ChildProcess } from 'node:child_process'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'

const AHEAD_S = 4

const started = Date.now()
export const say = (text: string) =>
  console.log(`${`${((Date.now() - started) / 1000).toFixed(1)} s`.padStart(8)}  ${text}`)
const tell = (name: string, value: string) => console.log(`          ${name.padEnd(12)}${value}`)

/** An instance admin, whom Meydan creates at its start. */
export const newAdmin = () => ({ email: 'admin@example.com', password: randomBytes(12).toString('hex') })
type Admin = ReturnType<typeof newAdmin>

/** Settings with which a Meydan of this machine can do the job. */
export const settingsFor = (admin: Admin) => ({
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  LOG_LEVEL: 'warn',
})

/** The address of a Meydan that was started, when it reports that it is ready. `say`: for what it reports until then. */
export async function addressOf({ stderr }: ChildProcess, say: (line: string) => void) {
  if (!stderr) throw new Error('Meydan has no output')
  for await (const line of createInterface({ input: stderr })) {
    const address = /ready at (\S+)/.exec(line)?.[1]
    if (address) {
      stderr.resume()
      return address
    }
    say(line)
  }
  throw new Error('Meydan did not start')
}

type Message = { headers: IncomingHttpHeaders; raw: Buffer }

/** Does the job with the Meydan at `base`, and prints each step. */
export async function showMainJob(base: string, admin: Admin) {
  const receiver = await startReceiver()
  try {
    await doMainJob(base, admin, receiver)
  } finally {
    receiver.server.close()
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

async function doMainJob(base: string, admin: Admin, receiver: Receiver) {
  const person = { email: 'ada@example.com', password: randomBytes(12).toString('hex'), name: 'Ada', locale: 'tr' }
  await call(base, 'POST', '/api/auth/sign-up/email', { body: person })
  say(`${person.name} signed up as ${person.email}`)

  const adminCookie = await signIn(base, admin)
  const { data: mails } = await call(base, 'GET', '/api/v1/admin/outbox', { cookie: adminCookie })
  const mail = mails.find((candidate: { to_address: string }) => candidate.to_address === person.email)
  const code = /\d{6}/.exec(mail.subject)?.[0] ?? ''
  say('An admin reads her e-mail in the outbox, because no mail server is set')
  tell('subject', mail.subject)

  await call(base, 'POST', '/api/auth/email-otp/verify-email', { body: { email: person.email, otp: code } })
  const cookie = await signIn(base, person)
  say('She verified her e-mail address and signed in')

  const workspace = await call(base, 'POST', '/api/v1/workspaces', { cookie, body: { name: 'Çiçek Evi' } })
  say('She created a workspace')
  tell('name, slug', `${workspace.name}, ${workspace.slug}`)

  const scopes = ['posts:write', 'accounts:write', 'webhooks:write']
  const { token, prefix } = await call(base, 'POST', '/api/v1/api-tokens', { cookie, body: { name: 'Demo', scopes } })
  say('… and an API token; all further calls go to /api/v1/public')
  tell('token', `${prefix}_… with ${scopes.join(', ')}`)

  const webhook = await call(base, 'POST', '/api/v1/public/webhooks', {
    token,
    body: { url: receiver.url, events: ['*'] },
  })
  say('Registered a webhook')
  tell('to', webhook.url)

  const account = await call(base, 'POST', '/api/v1/public/accounts', { token, body: { network: 'playground' } })
  say(`Connected an account on ${account.network}`)

  const scheduled_at = new Date(Date.now() + AHEAD_S * 1000).toISOString()
  const body = { content: 'Merhaba dünya! 🌷', account_ids: [account.id], scheduled_at }
  const post = await call(base, 'POST', '/api/v1/public/posts', { token, body })
  say(`Scheduled a post, ${AHEAD_S} s ahead`)
  tell('status', post.status)

  for (const type of ['post.created', 'post.published']) await showEvent(receiver, type, webhook.secret)

  const published = await call(base, 'GET', `/api/v1/public/posts/${post.id}`, { token })
  if (published.status !== 'published') throw new Error(`The post is ${published.status}`)
  say('The post is published')
  tell('delay', `${Date.parse(published.published_at) - Date.parse(scheduled_at)} ms`)
  tell('URL', published.targets[0].url)
}

async function showEvent(receiver: Receiver, type: string, secret: string) {
  const { headers, raw } = await receiver.next()
  const event = new Webhook(secret).verify(raw, headers as Record<string, string>) as { type: string; id: string }
  if (event.type !== type) throw new Error(`Expected ${type}, got ${event.type}`)
  const expected = createHmac('sha256', secret).update(raw).digest()
  if (!timingSafeEqual(expected, Buffer.from(String(headers['x-service-signature']), 'hex')))
    throw new Error('X-Service-Signature does not match')
  say(`Received ${type}`)
  tell('webhook-id', event.id)
  tell('signatures', 'standardwebhooks: good · X-Service-Signature: good')
}

type Call = { body?: unknown; cookie?: string; token?: string }

// biome-ignore lint/suspicious/noExplicitAny: the demo reads responses as a script of a user would
async function call(base: string, method: string, path: string, { body, cookie, token }: Call = {}): Promise<any> {
  const response = await send(base, method, path, { body, ...(cookie && { cookie }), ...(token && { token }) })
  return response.json()
}

async function send(base: string, method: string, path: string, { body, cookie, token }: Call) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie && { cookie }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  return response
}

async function signIn(base: string, { email, password }: { email: string; password: string }) {
  const response = await send(base, 'POST', '/api/auth/sign-in/email', { body: { email, password } })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function startReceiver() {
  const messages: Message[] = []
  let arrived = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.writeHead(204).end()
    messages.push({ headers: request.headers, raw: Buffer.concat(chunks) })
    arrived.resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    next: async (): Promise<Message> => {
      for (;;) {
        const message = messages.shift()
        if (message) return message
        await arrived.promise
        arrived = Promise.withResolvers()
      }
    },
  }
}
