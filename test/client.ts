/** What a test sees of an answer. `body` is parsed JSON, or text when it is none. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; headers: Headers; body: any }

type Request = { headers?: Record<string, string>; body?: unknown }

/** Calls Meydan over HTTP with fixed headers, such as a session cookie or a token. */
export function client(url: string, fixed: Record<string, string> = {}) {
  async function call(method: string, path: string, { headers = {}, body }: Request = {}): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...fixed, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, headers: answer.headers, body: isJson && text ? JSON.parse(text) : text }
  }
  return {
    call,
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
