import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultName, faults, type StoredPost } from './faults.ts'

/** `body`: a Buffer is sent as it is, anything else as JSON. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

export type UploadedFile = { field: string; name: string; type: string; bytes: Buffer }

/** A received call. `fields`: the JSON body or the form. `at`: `Date.now` when the call arrived. */
export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  fields: Record<string, unknown>
  files: UploadedFile[]
  raw: Buffer
  at: number
}

/** A failure of one call. `arrives`: whether the network does the work anyway. */
export type Failure =
  /** A response in the network's format, made from `status` and `error`, or `body` as it is. */
  | {
      kind: 'response'
      status: number
      error?: string
      body?: unknown
      headers?: Record<string, string>
      arrives?: boolean
    }
  | { kind: 'hang_up'; arrives: boolean }
  | { kind: 'hang'; arrives: boolean }
  /** Closes the connection after the first bytes of an upload. */
  | { kind: 'cut' }
  /** 200 and an HTML page. */
  | { kind: 'garbage'; arrives?: boolean }
  /** 200 and endless data. */
  | { kind: 'flood' }
  /** Handles the call twice at once, as after a repetition on the way. */
  | { kind: 'twice' }
  /** The reply that this makes of the call. */
  | { kind: 'reply'; of: (call: Call) => Reply; arrives?: boolean }
  /** Does this, then handles the call as usual. */
  | { kind: 'after'; act: () => void }

/** A call before its body was read. */
type Head = Pick<Call, 'method' | 'path' | 'query' | 'headers'>

type Network = {
  /** Responds to a call, and keeps what it creates. */
  handle: (call: Call) => Reply | Promise<Reply>
  /** An error in the network's format. */
  errorOf: (status: number, error?: string) => Reply
  /** Whether failures of posts apply to this call. */
  isPost: (call: Call) => boolean
  /** Whether failures of uploads apply to this call, whose body is not read yet. */
  isUpload: (head: Head) => boolean
  /** The faults that this network has in a way of its own. Without an entry the fault does not exist there. */
  failures: { [Name in OwnFault]?: Failure }
  /** Makes every credential invalid. */
  endTokens: () => void
  /** Posts as readers of the network see them, oldest first. */
  stored: () => StoredPost[]
  /** Acts on a call before anything else, and may fail it. */
  arrive?: (call: Call) => Failure | undefined | Promise<Failure | undefined>
}

type OwnFault = 'refused' | 'rate_limited' | 'false_success' | 'processing_never_ends' | 'processing_fails'

/** The failures of a network that processes uploads. `setNext`: sets the result of the next one. */
export const processingFailures = (setNext: (result: 'never' | 'fails') => void) => ({
  processing_never_ends: { kind: 'after' as const, act: () => setNext('never') },
  processing_fails: { kind: 'after' as const, act: () => setNext('fails') },
})

/** Reads a body by its content type. Throws for one that is not of its type. */
async function parse(headers: IncomingHttpHeaders, raw: Buffer): Promise<Pick<Call, 'fields' | 'files'>> {
  const type = headers['content-type'] ?? ''
  if (raw.length === 0) return { fields: {}, files: [] }
  if (type.startsWith('application/json')) {
    const value: unknown = JSON.parse(raw.toString())
    if (typeof value !== 'object' || value === null) throw new SyntaxError('not an object')
    return { fields: { ...value }, files: [] }
  }
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) return { fields: {}, files: [] }
  const fields: Record<string, unknown> = {}
  const files: UploadedFile[] = []
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
  for (const [name, value] of form) {
    const key = name.replace(/\[\]$/, '')
    if (typeof value !== 'string')
      files.push({
        field: name,
        name: value.name,
        type: value.type,
        bytes: Buffer.from(await value.arrayBuffer()),
      })
    else if (key === name) fields[name] = value
    else fields[key] = [...(Array.isArray(fields[key]) ? fields[key] : []), value]
  }
  return { fields, files }
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply) {
  if (Buffer.isBuffer(body)) return response.writeHead(status, headers).end(body)
  if (body === undefined) return response.writeHead(status, headers).end()
  return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export type NetworkServer = Awaited<ReturnType<typeof networkServer>>

/** A real HTTP server with a network's protocol, which records calls and fails as the test says. */
export async function networkServer(network: Network) {
  const calls: Call[] = []
  const queues: { post: (Failure | 'none')[]; upload: (Failure | 'none')[] } = { post: [], upload: [] }
  const arrivals: (() => void)[] = []
  const holds = new Map<string, Promise<void>>()
  const images = new Map<string, Reply>()
  let always: Failure | undefined
  let planned: { calls: number; failure: Failure } | undefined
  let hanging = 0
  let latency = 0

  function failureOf(name: FaultName): Failure | undefined {
    const { failures } = network
    if (name === 'upload_rate_limited') return failures.rate_limited
    if (name === 'server_error_before_saving' || name === 'upload_server_error')
      return { kind: 'response', status: 503 }
    if (name === 'server_error_after_saving') return { kind: 'response', status: 503, arrives: true }
    if (name === 'response_lost_before_saving') return { kind: 'hang_up', arrives: false }
    if (name === 'response_lost_after_saving') return { kind: 'hang_up', arrives: true }
    if (name === 'hangs_before_saving') return { kind: 'hang', arrives: false }
    if (name === 'hangs_after_saving') return { kind: 'hang', arrives: true }
    if (name === 'upload_cut') return { kind: 'cut' }
    if (name === 'token_ends') return { kind: 'after', act: network.endTokens }
    return failures[name]
  }

  /** Takes the next failure from a queue that applies to this call. */
  function take(queue: keyof typeof queues, applies: boolean): Failure | undefined {
    const failure = applies ? queues[queue].shift() : undefined
    return failure === 'none' ? undefined : failure
  }

  function takePlanned(): Failure | undefined {
    if (!planned || --planned.calls > 0) return undefined
    const { failure } = planned
    planned = undefined
    return failure
  }

  function misbehave(failure: Failure, call: Call, response: ServerResponse) {
    if (failure.kind === 'hang_up' || failure.kind === 'cut') return response.socket?.destroy()
    if (failure.kind === 'garbage') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')
    if (failure.kind === 'flood')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_000_000))
    if (failure.kind === 'reply') return send(response, failure.of(call))
    if (failure.kind === 'hang') {
      hanging++
      response.once('close', () => hanging--)
    }
    if (failure.kind !== 'response') return
    const reply = network.errorOf(failure.status, failure.error)
    return send(response, {
      status: failure.status,
      body: failure.body ?? reply.body,
      headers: { ...reply.headers, ...failure.headers },
    })
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const { method = '', headers } = request
    const head = { method, path: url.pathname, query: url.searchParams, headers }
    const uploadFailure = always ?? take('upload', network.isUpload(head))
    if (uploadFailure?.kind === 'cut') {
      request.once('data', () => request.socket.destroy())
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const at = Date.now()
    const body = await parse(head.headers, raw).catch(() => undefined)
    const call = { ...head, raw, at, ...(body ?? { fields: {}, files: [] }) }
    calls.push(call)
    for (const resolve of arrivals.splice(0)) resolve()
    if (latency > 0) await sleep(latency)
    for (const [path, released] of holds) if (call.path.endsWith(path)) await released
    const arrived = await network.arrive?.(call)
    if (!body) return send(response, network.errorOf(400))
    const image = images.get(call.path)
    if (image) return send(response, image)
    const postFailure = take('post', !always && network.isPost(call))
    const failure = uploadFailure ?? takePlanned() ?? arrived ?? postFailure
    if (failure?.kind === 'after') failure.act()
    else if (failure?.kind === 'twice') {
      const [, second] = await Promise.all([network.handle(call), network.handle(call)])
      return send(response, second)
    } else if (failure) {
      if ('arrives' in failure && failure.arrives) await network.handle(call)
      return misbehave(failure, call, response)
    }
    return send(response, await network.handle(call))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    calls,
    stored: network.stored,
    endTokens: network.endTokens,
    /** Sets the failures of the next posts, one each; replaces earlier ones. 'none': that one succeeds. */
    failNext: (...next: (Failure | 'none')[]) => {
      queues.post = next
    },
    /** Sets the failures of the next uploads, as `failNext` does for posts. */
    failNextUpload: (...next: (Failure | 'none')[]) => {
      queues.upload = next
    },
    /** Fails the nth call from now on, whatever it is for; without a failure, none. Returns whether it is still to come. */
    failCall: (nth: number, failure?: Failure) => {
      planned = failure && { calls: nth, failure }
      return () => planned !== undefined
    },
    /** Fails every call this way until called without a failure. */
    failAlways: (failure?: Failure) => {
      always = failure
    },
    /** Lets every call wait for as long before it is handled, in milliseconds. */
    slow: (ms: number) => {
      latency = ms
    },
    /** Keeps calls whose path ends so waiting, until the returned function is called. */
    hold: (path: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(path, promise)
      return () => {
        holds.delete(path)
        resolve()
      }
    },
    /** Serves the image of an account, or something else, at this path. */
    setImage: (path: string, image: Reply) => images.set(path, image),
    /** The number of calls that wait for a response that never comes. */
    hanging: () => hanging,
    /** Whether this network can fail so. */
    has: (name: FaultName) => failureOf(name) !== undefined,
    /** Fails the next post or upload by the table of faults, after `after` that succeed. */
    fault: (name: FaultName, after = 0) => {
      const failure = failureOf(name)
      const at = faults.find((fault) => fault.name === name)?.at
      if (!failure || !at) throw new Error(`This network has no ${name}`)
      queues[at] = [...Array<'none'>(after).fill('none'), failure]
    },
    /** Resolves after this many calls whose path ends so, in total. */
    called: async (path: string, times: number) => {
      while (calls.filter((call) => call.path.endsWith(path)).length < times)
        await new Promise<void>((resolve) => arrivals.push(resolve))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
