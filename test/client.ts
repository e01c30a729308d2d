import { Agent, request } from 'undici'

/** A response as tests see it. `body` is parsed JSON, or text if it is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type ApiResponse = { status: number; headers: Headers; body: any }

// `fetch` costs four times as much processor time.
const dispatcher = new Agent()

type Request = { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal }

/** Calls Meydan over HTTP with fixed headers, such as a session cookie or a token. */
export function client(url: string, fixed: Record<string, string> = {}) {
  const toSend = ({ headers, body, signal }: Request) => ({
    headers: {
      'user-agent': 'node',
      ...fixed,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
    ...(signal && { signal }),
  })
  const open = (method: string, path: string, sent: Request = {}) =>
    fetch(`${url}${path}`, { method, redirect: 'manual', ...toSend(sent) })
  async function call(method: string, path: string, sent: Request = {}): Promise<ApiResponse> {
    const {
      statusCode,
      headers: received,
      body,
    } = await request(`${url}${path}`, { method, dispatcher, ...toSend(sent) })
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(received))
      for (const value of [values].flat()) headers.append(name, value)
    const text = await body.text()
    const isJson = /json/.test(headers.get('content-type') ?? '')
    return { status: statusCode, headers, body: isJson && text ? JSON.parse(text) : text }
  }
  return {
    call,
    /** The response with its body unread. */
    open,
    /** Sends bytes, with their content type among the headers. */
    send: (method: string, path: string, body: Uint8Array, headers: Record<string, string>) =>
      call(method, path, { body, headers }),
    get: (path: string, headers?: Record<string, string>) => call('GET', path, headers && { headers }),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, { body, ...(headers && { headers }) }),
    patch: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('PATCH', path, { body, ...(headers && { headers }) }),
    put: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('PUT', path, { body, ...(headers && { headers }) }),
    delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, headers && { headers }),
    /** The same client with further headers. */
    with: (headers: Record<string, string>) => client(url, { ...fixed, ...headers }),
  }
}

export type Client = ReturnType<typeof client>
