import autocannon from 'autocannon'

/** Sends JSON. Throws unless the response is a success. */
export async function postJson(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${url} failed with ${response.status}: ${await response.text()}`)
  return response
}

/** A path to GET, or a request with its own headers and body. A body is sent as JSON with POST. */
export type LoadRequest = string | { path: string; headers?: Record<string, string>; body?: object }

type Load = {
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Sent as JSON with POST, for requests without their own body. */
  body?: object
  /** Keep the core of the client busy, for a server that leaves one free. */
  keepAwake?: boolean
}

/** Requests a second that a server responds to. Each connection sends all of them in turn, starting at a different one. */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections, seconds, headers = {}, body: sharedBody, keepAwake = false }: Load,
) {
  const prepared = requests.map((request) => {
    const { path, headers: own, body = sharedBody } = typeof request === 'string' ? { path: request } : request
    return {
      path,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers, ...own },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }
  })
  let clients = 0
  let loading = true
  // On two cores a fast server keeps the client awake, while a slow one pays to wake it up, which costs more than the
  // difference that is measured. A client that never sleeps costs both the same.
  const stayAwake = () => loading && setImmediate(stayAwake)
  if (keepAwake) stayAwake()
  try {
    const result = await autocannon({
      url,
      connections,
      duration: seconds,
      setupClient: (client) => {
        const first = Math.floor((clients++ / connections) * prepared.length)
        client.setRequests([...prepared.slice(first), ...prepared.slice(0, first)])
      },
    })
    const { non2xx, errors, timeouts, statusCodeStats } = result
    if (non2xx + errors + timeouts > 0) {
      const counts = JSON.stringify({ errors, timeouts, statusCodeStats })
      throw new Error(`Requests to ${url}${prepared[0]?.path} failed: ${counts}`)
    }
    return result['2xx'] / result.duration
  } finally {
    loading = false
  }
}
