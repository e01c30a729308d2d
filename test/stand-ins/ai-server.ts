import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

/** A call as it came. `url` has the path and the query, below the base address. */
export type Call = { method: string; url: string; headers: IncomingHttpHeaders; body: Body }

/** How a call goes wrong. */
export type Mishap =
  /** An error in the form that this vendor gives it, unless there is a body. It repeats the key that came. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** 200, but a page. */
  | { kind: 'garbage' }
  /** 200 and JSON, but not what the protocol says. */
  | { kind: 'wrong_shape' }
  /** Nothing is answered. */
  | { kind: 'hang' }
  /** The connection is closed before an answer. */
  | { kind: 'hang_up' }
  /** The right headers, then nothing. */
  | { kind: 'stall' }
  /** The right headers, then a byte now and then, without an end. */
  | { kind: 'drip' }
  /** The right headers, then as much as is taken, without an end. */
  | { kind: 'endless' }
  /** A stream is cut after its first part. */
  | { kind: 'cut' }
  /** A stream stops after its first part, and stays open. */
  | { kind: 'pause' }
  | { kind: 'redirect'; to: string }

/** What a vendor answers: JSON, events, or bytes. */
export type Reply =
  | { json: unknown; status?: number }
  | { events: { event?: string; data: unknown }[] }
  | { bytes: Buffer; mime: string }

/** What its answers say. */
export type Script = {
  /** What text models write, in these parts when it is streamed. */
  parts: string[]
  usage: { input: number; output: number }
  /** What image models make. */
  image: Buffer
  video: Buffer
  /** How often a video is looked at before it is ready; it fails when `videoFails` says why. */
  videoLooks: number
  videoFails: string | undefined
}

export type Vendor = {
  /** The path of the base address. */
  base: string
  /** The key that came with a call. */
  keyOf: (headers: IncomingHttpHeaders, url: URL) => string | undefined
  /** An error in the vendor's form; `told` is in its message. */
  errorOf: (status: number, told: string) => { status: number; body: unknown }
  /** undefined: there is nothing at this address. A text: the request is refused, and why. */
  answer: (call: Call, script: Script, url: URL) => Reply | string | undefined
}

/** The smallest PNG there is: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The beginning of an MP4, as much of it as tells what it is. */
const FILM = Buffer.concat([Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(1000)])

/**
 * The server of a vendor of AI models, which speaks its protocol: paths, credentials, bodies, errors and streams. It
 * takes one key, `key`; undefined: any, and none.
 */
export async function aiServer({ base, keyOf, errorOf, answer }: Vendor, key: string | undefined) {
  const calls: Call[] = []
  const mishaps: Mishap[] = []
  let always: Mishap | undefined
  let pace = 0
  let accepted = key
  let gone = 0
  let held: Promise<void> | undefined
  const arrivals: (() => void)[] = []
  const script: Script = {
    parts: ['Hello', ', ', 'world', '.'],
    usage: { input: 11, output: 4 },
    image: PIXEL,
    video: FILM,
    videoLooks: 1,
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
      if (!response.writableFinished) gone++
    })
    calls.push(call)
    for (const resolve of arrivals.splice(0)) resolve()
    await held
    const given = keyOf(request.headers, url)
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-key': given ?? '', ...headers })
        .end(JSON.stringify(value))
    const refuse = (wanted: number, told: string, headers?: Record<string, string>) => {
      const error = errorOf(wanted, told)
      return json(error.status, error.body, headers)
    }
    const wrongKey = `Incorrect API key provided: ${given}`
    const mishap = mishaps.shift() ?? always
    if (mishap?.kind === 'status') {
      const { status, headers, body } = mishap
      return body === undefined
        ? refuse(status, status === 401 ? wrongKey : `${given} may not do this`, headers)
        : json(status, body, headers)
    }
    if (mishap?.kind === 'hang') return
    if (mishap?.kind === 'hang_up') return response.socket?.destroy()
    if (mishap?.kind === 'garbage')
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Welcome, ${given}</h1>`)
    if (mishap?.kind === 'wrong_shape') return json(200, { hello: given })
    if (mishap?.kind === 'redirect') return response.writeHead(302, { location: mishap.to }).end()
    if (!request.url?.startsWith(base)) return refuse(404, 'no such path')
    if (accepted !== undefined && given !== accepted) return refuse(401, wrongKey)

    const reply = answer(call, script, url)
    if (reply === undefined) return refuse(404, `${call.method} ${call.url} does not exist`)
    if (typeof reply === 'string') return refuse(400, reply)
    const streams = 'events' in reply
    const type = streams ? 'text/event-stream' : 'bytes' in reply ? reply.mime : 'application/json'
    if (mishap?.kind === 'stall' || mishap?.kind === 'drip' || mishap?.kind === 'endless') {
      response.writeHead(200, { 'content-type': type })
      response.flushHeaders()
      const piece = mishap.kind === 'endless' ? ' '.repeat(1_000_000) : ' '
      while (mishap.kind !== 'stall' && !response.destroyed) {
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
        if (mishap.kind === 'drip') await sleep(50)
      }
      return
    }
    if ('json' in reply) return json(reply.status ?? 200, reply.json)
    if ('bytes' in reply) return response.writeHead(200, { 'content-type': reply.mime }).end(reply.bytes)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    // The first of the text is out before anything goes wrong.
    const first = reply.events.findIndex(({ data }) => JSON.stringify(data).includes(JSON.stringify(script.parts[0])))
    for (const [index, { event, data }] of reply.events.entries()) {
      if (response.destroyed) return
      response.write(
        `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      )
      if (index === first && mishap?.kind === 'pause') return
      if (index === first && mishap?.kind === 'cut') {
        await sleep(20)
        return response.socket?.destroy()
      }
      if (pace > 0) await sleep(pace)
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
    /** The base address, for `api_params.base_url`. */
    url: `${origin}${base}`,
    calls,
    script,
    /** The key that it takes. */
    key,
    /** How many calls were given up by whoever made them before they were answered. */
    gone: () => gone,
    /** The next calls go wrong, one for each, in place of what was said before. */
    goWrong: (...next: Mishap[]) => {
      mishaps.splice(0, mishaps.length, ...next)
    },
    /** Every call goes wrong in this way until it is called without one. */
    failWholly: (mishap?: Mishap) => {
      always = mishap
    },
    /** Milliseconds between the parts of a stream. */
    setPace: (ms: number) => {
      pace = ms
    },
    /** From now on another key is taken. */
    changeKey: (next: string | undefined) => {
      accepted = next
    },
    /** Calls are answered after this. */
    holdUntil: (until?: Promise<void>) => {
      held = until
    },
    /** Resolves when there were so many calls in all. */
    called: async (times: number) => {
      while (calls.length < times) await new Promise<void>((resolve) => arrivals.push(resolve))
    },
    /** Everything is as it was at first. */
    reset: () => {
      calls.length = 0
      mishaps.length = 0
      always = undefined
      pace = 0
      accepted = key
      gone = 0
      held = undefined
      Object.assign(script, {
        parts: ['Hello', ', ', 'world', '.'],
        usage: { input: 11, output: 4 },
        videoLooks: 1,
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
