import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
type Body = any

/** A received call. `url`: path and query below the base URL. */
export type Call = { method: string; url: string; headers: IncomingHttpHeaders; body: Body }

export type Failure =
  /** An error in the provider's format, unless `body` is set. It contains the caller's key. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** 200, but an HTML page. */
  | { kind: 'garbage' }
  /** 200 and JSON, but not of the protocol. */
  | { kind: 'wrong_shape' }
  /** No response. */
  | { kind: 'hang' }
  /** Closes the connection without a response. */
  | { kind: 'hang_up' }
  /** The right headers, then nothing. */
  | { kind: 'stall' }
  /** The right headers, then single bytes now and then, endlessly. */
  | { kind: 'drip' }
  /** The right headers, then endless data. */
  | { kind: 'endless' }
  /** Ends a stream after its first part. */
  | { kind: 'cut' }
  /** Stops a stream after its first part and keeps it open. */
  | { kind: 'pause' }
  | { kind: 'redirect'; to: string }

/** A provider's response: JSON, events, or bytes. */
export type Reply =
  | { json: unknown; status?: number }
  | { events: { event?: string; data: unknown }[] }
  | { bytes: Buffer; mime: string }

/** The content of responses. */
export type Script = {
  /** The output of text models, in these parts when streamed. */
  parts: string[]
  /** Chooses the output of text models by the call, instead of `parts`. */
  reply?: ((call: Call) => string) | undefined
  usage: { input: number; output: number }
  /** Whether text models accept images. */
  sees: boolean
  /** The output of image models. */
  image: Buffer
  video: Buffer
  /** Polls until a video is ready; it fails if `videoFails` gives a reason. */
  videoPolls: number
  videoFails: string | undefined
}

export type ProviderProtocol = {
  /** The path of the base URL. */
  base: string
  keyOf: (headers: IncomingHttpHeaders, url: URL) => string | undefined
  /** An error in the provider's format; its message contains `message`. */
  errorOf: (status: number, message: string) => { status: number; body: unknown }
  /** undefined: nothing at this address. A text: the reason for a refusal. */
  toReply: (call: Call, script: Script, url: URL) => Reply | string | undefined
}

/** Whether `data` is base64 of an image of this type, which all text models take. */
export const isImage = (mime: unknown, data: unknown) =>
  (mime === 'image/png' && /^iVBORw0KGgo/.test(String(data))) || (mime === 'image/jpeg' && /^\/9j\//.test(String(data)))

/** The same for a `data:` URL. */
export const isImageUrl = (url: unknown) => {
  const [, mime, data] = /^data:([\w/]+);base64,(.+)$/.exec(String(url)) ?? []
  return isImage(mime, data)
}

/** The text of a model that no test has given one. */
const HELLO = ['Hello', ', ', 'world', '.']
/** A model that is asked for JSON writes JSON. */
const asksForJson = ({ body }: Call) => String(body?.response_format?.type).startsWith('json')

/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The start of an MP4, enough to detect its type. */
const VIDEO = Buffer.concat([
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
  Buffer.alloc(1000),
])

/**
 * A server with the protocol of an AI provider: paths, credentials, bodies, errors and streams. It accepts one key,
 * `key`; if undefined, any or none.
 */
export async function aiServer({ base, keyOf, errorOf, toReply }: ProviderProtocol, key: string | undefined) {
  const calls: Call[] = []
  const failures: Failure[] = []
  let always: Failure | undefined
  let mayGoOn: (() => Promise<void>) | undefined
  let latency = 0
  let accepted = key
  let aborted = 0
  let held: Promise<void> | undefined
  const arrivals: (() => void)[] = []
  const script: Script = {
    parts: HELLO,
    usage: { input: 11, output: 4 },
    sees: true,
    image: PIXEL,
    video: VIDEO,
    videoPolls: 1,
    videoFails: undefined,
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = text ? JSON.parse(text) : undefined
    const call = {
      method: request.method ?? '',
      url: `${url.pathname}${url.search}`.replace(base, ''),
      headers: request.headers,
      body,
    }
    response.once('close', () => {
      if (!response.writableFinished) aborted++
    })
    calls.push(call)
    for (const resolve of arrivals.splice(0)) resolve()
    await held
    if (latency > 0) await sleep(latency)
    const given = keyOf(request.headers, url)
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-key': given ?? '', ...headers })
        .end(JSON.stringify(value))
    const refuse = (wanted: number, message: string, headers?: Record<string, string>) => {
      const error = errorOf(wanted, message)
      return json(error.status, error.body, headers)
    }
    const wrongKey = `Incorrect API key provided: ${given}`
    const failure = failures.shift() ?? always
    if (failure?.kind === 'status') {
      const { status, headers, body } = failure
      return body === undefined
        ? refuse(status, status === 401 ? wrongKey : `${given} may not do this`, headers)
        : json(status, body, headers)
    }
    if (failure?.kind === 'hang') return
    if (failure?.kind === 'hang_up') return response.socket?.destroy()
    if (failure?.kind === 'garbage')
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Welcome, ${given}</h1>`)
    if (failure?.kind === 'wrong_shape') return json(200, { hello: given })
    if (failure?.kind === 'redirect') return response.writeHead(302, { location: failure.to }).end()
    if (!request.url?.startsWith(base)) return refuse(404, 'no such path')
    if (accepted !== undefined && given !== accepted) return refuse(401, wrongKey)

    const scripted = script.reply
      ? { ...script, parts: [script.reply(call)] }
      : { ...script, ...(script.parts === HELLO && asksForJson(call) && { parts: ['{}'] }) }
    const reply = toReply(call, scripted, url)
    if (reply === undefined) return refuse(404, `${call.method} ${call.url} does not exist`)
    if (typeof reply === 'string') return refuse(400, reply)
    const streams = 'events' in reply
    const type = streams ? 'text/event-stream' : 'bytes' in reply ? reply.mime : 'application/json'
    if (failure?.kind === 'stall' || failure?.kind === 'drip' || failure?.kind === 'endless') {
      response.writeHead(200, { 'content-type': type })
      response.flushHeaders()
      const piece = failure.kind === 'endless' ? ' '.repeat(1_000_000) : ' '
      const closed = once(response, 'close')
      while (failure.kind !== 'stall' && !response.destroyed) {
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed])
        if (failure.kind === 'drip') await sleep(50)
      }
      return
    }
    if ('json' in reply) return json(reply.status ?? 200, reply.json)
    if ('bytes' in reply) return response.writeHead(200, { 'content-type': reply.mime }).end(reply.bytes)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    // The first text is sent before any failure.
    const has = (data: unknown, part: string | undefined) => JSON.stringify(data).includes(JSON.stringify(part))
    const first = reply.events.findIndex(({ data }) => has(data, script.parts[0]))
    let sent = 0
    for (const [index, { event, data }] of reply.events.entries()) {
      if (response.destroyed) return
      response.write(
        `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      )
      if (index === first && failure?.kind === 'pause') return
      if (index === first && failure?.kind === 'cut') {
        await sleep(20)
        return response.socket?.destroy()
      }
      if (mayGoOn && has(data, script.parts[sent])) {
        sent++
        await mayGoOn()
      }
    }
    response.end()
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  return {
    origin,
    /** The base URL, for `api_params.base_url`. */
    url: `${origin}${base}`,
    calls,
    script,
    /** The accepted key. */
    key,
    /** Milliseconds before each response. */
    slow: (ms: number) => {
      latency = ms
    },
    /** The number of calls that the caller aborted before a response. */
    abortedCalls: () => aborted,
    /** Sets the failures of the next calls, one each; replaces earlier ones. */
    failNext: (...next: Failure[]) => {
      failures.splice(0, failures.length, ...next)
    },
    /** Fails every call this way until called without a failure. */
    failAlways: (failure?: Failure) => {
      always = failure
    },
    /** Makes streams wait after each part. Returns a function that lets one part more be sent. */
    holdParts: () => {
      let allowed = 0
      let wake = () => {}
      mayGoOn = async () => {
        while (allowed === 0) await new Promise<void>((resolve) => (wake = resolve))
        allowed--
      }
      return () => {
        allowed++
        wake()
      }
    },
    /** Accepts another key from now on. */
    changeKey: (next: string | undefined) => {
      accepted = next
    },
    /** Delays responses until this resolves. */
    holdUntil: (until?: Promise<void>) => {
      held = until
    },
    /** Resolves after this many calls in total. */
    called: async (times: number) => {
      while (calls.length < times) await new Promise<void>((resolve) => arrivals.push(resolve))
    },
    /** Restores the initial state. */
    reset: () => {
      calls.length = 0
      failures.length = 0
      always = undefined
      mayGoOn = undefined
      latency = 0
      accepted = key
      aborted = 0
      held = undefined
      Object.assign(script, {
        parts: HELLO,
        reply: undefined,
        usage: { input: 11, output: 4 },
        sees: true,
        videoPolls: 1,
        videoFails: undefined,
      })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type AiServer = Awaited<ReturnType<typeof aiServer>>
