import { connect } from 'node:net'
import type { ApiResponse } from './client.ts'

/** Sends raw bytes to the server and reads its response until it disconnects: for requests no HTTP client sends. */
export async function rawRequest(
  url: string,
  lines: string[] | string | Buffer,
  { end = false } = {},
): Promise<ApiResponse> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(Array.isArray(lines) ? lines.join('\r\n') : lines)
  if (end) socket.end()
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return parseResponse(Buffer.concat(chunks).toString())
}

function parseResponse(response: string): ApiResponse {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = rest.join('\r\n\r\n')
  const isJson = /json/.test(headers.get('content-type') ?? '')
  return { status: Number(status.split(' ')[1]), headers, body: isJson && body ? JSON.parse(body) : body }
}
