import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, request } from 'undici'
import { codeOf } from '../error-code.ts'

declare module '../deps.ts' {
  interface Deps {
    /** Calls origins that the environment names, such as NETWORK_ORIGINS. The guard of addresses does not check them. */
    originDispatcher: Dispatcher
  }
}

const CONNECT_MS = 5000

export const createOriginDispatcher = () => new Agent({ connect: { timeout: CONNECT_MS } })

export type BoundedRequest = {
  dispatcher: Dispatcher
  url: string
  method: Dispatcher.HttpMethod
  headers: Record<string, string>
  body: string | Buffer | Readable | null
  /** Time limit of the whole call. */
  timeoutMs: number
  /** Maximum size of the response. */
  maxBytes: number
}

export type Reply = { status: number; headers: Record<string, string>; text: string }

/** Sends one request, without redirects or retries, bounded in time and size. */
export async function boundedRequest({ url, timeoutMs, maxBytes, ...rest }: BoundedRequest): Promise<Reply> {
  const signal = AbortSignal.timeout(timeoutMs)
  const limits = { signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const { statusCode, headers, body } = await request(url, { ...rest, ...limits })
  return { status: statusCode, headers: flatten(headers), text: await readText(body, maxBytes) }
}

async function readText(body: Dispatcher.ResponseData['body'], maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const flatten = (headers: Dispatcher.ResponseData['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))

/** Errors before a connection exists: nothing can have arrived. */
const neverConnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Certificates are checked before the first byte of a request. */
const certificateCodes = /^(CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|ERR_TLS_CERT_)/

/** Whether a call with this error cannot have reached the other side. */
export const hasNeverConnected = (cause: unknown) =>
  neverConnected.includes(codeOf(cause)) || certificateCodes.test(codeOf(cause))
