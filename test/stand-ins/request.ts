// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
type Body = any

/** Sends one request to a stand-in. `body`: a form or bytes as they are, anything else as JSON. */
export async function request(method: string, url: string, headers: Record<string, string>, body?: unknown) {
  const plain = body instanceof FormData || body instanceof URLSearchParams || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: plain || body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : plain ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const parsed: Body = text ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, body: parsed }
}

/** Opens the page of a sign-in, and returns the address to which it sends the browser; undefined if it refuses to. */
export async function signInPage(url: string, query: Record<string, string>) {
  const { headers } = await fetch(`${url}?${new URLSearchParams(query)}`, { redirect: 'manual' })
  const location = headers.get('location')
  return location === null ? undefined : new URL(location)
}

export const fileOf = (bytes: Buffer, type: string, name = 'file') => new File([new Uint8Array(bytes)], name, { type })

/** The start of an MP4, enough to detect its type. */
export const MP4 = Buffer.concat([
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
  Buffer.alloc(1000),
])
/** The start of a JPEG and a PNG file, as of MP4. */
export const JPEG = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100', 'hex'), Buffer.alloc(1000)])
export const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.from('0000000a49444154789c6360000002000154a24f5f0000000049454e44ae426082', 'hex'),
])
