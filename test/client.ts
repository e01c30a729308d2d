/** A response as tests see it. `body` is parsed JSON, or text if it is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Answer = { status: number; headers: Headers; body: any }

type Request = { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal }

/** Calls Meydan over HTTP with fixed headers, such as a session cookie or a token. */
export function client(url: string, fixed: Record<string, string> = {}) {
  const open = (method: string, path: string, { headers = {}, body, signal }: Request = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...fixed, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
      ...(signal && { signal }),
      redirect: 'manual',
    })
  async function call(method: string, path: string, request: Request = {}): Promise<Answer> {
    const answer = await open(method, path, request)
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, headers: answer.headers, body: isJson && text ? JSON.parse(text) : text }
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
