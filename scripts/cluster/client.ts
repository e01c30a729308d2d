/** Calls of the load: repeated with the same Idempotency-Key until Meydan acknowledges them. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPT_MS = 10_000
/** As long as Meydan asks for with Retry-After. */
const PAUSE_MS = 1000
/** After this time a call is given up. */
const GIVE_UP_MS = 120_000

// biome-ignore lint/suspicious/noExplicitAny: the load reads responses as a script of a user would
type Body = any
type Call = { cookie?: string; token?: string; body?: object; key?: string }

export class GivenUp extends Error {}

/** Notes every response: `status` is 0 without one. */
type Note = (status: number, isWrite: boolean) => void

export function createClient(base: string, note: Note = () => undefined) {
  const attempt = async (method: string, path: string, { cookie, token, body, key }: Call) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body }
  }

  /** One try. Returns undefined without a response. */
  const once = async (method: string, path: string, call: Call = {}) => {
    const response = await attempt(method, path, call).catch(() => undefined)
    note(response?.status ?? 0, method !== 'GET')
    return response
  }

  /** Tries until it is done. A refusal other than 408, 409 of a running call, 429 and 5xx is an error. */
  const insist = async (method: string, path: string, call: Call = {}) => {
    const keyed = method === 'POST' ? { key: randomUUID(), ...call } : call
    const end = performance.now() + GIVE_UP_MS
    while (performance.now() < end) {
      const response = await once(method, path, keyed)
      if (response && response.status < 300) return response
      if (response && !isPassing(response))
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      await sleep(PAUSE_MS)
    }
    throw new GivenUp(`${method} ${path}`)
  }
  return { once, insist }
}

const isPassing = ({ status, body }: { status: number; body: Body }) =>
  status >= 500 || status === 408 || status === 429 || body?.code === 'idempotency_key_in_use'

export type Client = ReturnType<typeof createClient>

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

type Person = { email: string; password: string }

export async function signIn({ insist }: Client, { email, password }: Person) {
  const { headers } = await insist('POST', '/api/auth/sign-in/email', { body: { email, password } })
  return cookieOf(headers)
}

/** A new user with a workspace. The code of the address is read in the outbox, because no mail server is set. */
export async function createOwner(client: Client, adminCookie: string, name: string) {
  const { insist } = client
  const person = { email: `${name}@example.com`, password: randomUUID(), name, locale: 'en' }
  await insist('POST', '/api/auth/sign-up/email', { body: person })
  const { body } = await insist('GET', '/api/v1/admin/outbox', { cookie: adminCookie })
  const mail = body.data.find((candidate: { to_address: string }) => candidate.to_address === person.email)
  const otp = /\d{6}/.exec(mail.subject)?.[0] ?? ''
  await insist('POST', '/api/auth/email-otp/verify-email', { body: { email: person.email, otp } })
  const cookie = await signIn(client, person)
  const workspace = await insist('POST', '/api/v1/workspaces', { cookie, body: { name } })
  return { cookie, workspace_id: workspace.body.id as string }
}
