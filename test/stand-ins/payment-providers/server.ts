import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { PaymentProvider } from './journal.ts'

/** A received call. `raw`: the exact bytes of its body. `at`: by the clock of the stand-in. */
export type Call = {
  provider: PaymentProvider
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  raw: Buffer
  at: Date
}

/** `body`: a string is sent as it is, anything else as JSON. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

/** A failure of one call. `works`: whether the provider does what it was asked, although nobody learns of it. */
type Fault =
  /** Closes the connection without a response. */
  | { kind: 'lost'; works: boolean }
  /** No response, and the connection stays open. */
  | { kind: 'hang'; works: boolean }
  /** An error in the format of the provider. */
  | { kind: 'error'; status: number; works: boolean }
  /** 200 and an HTML page. */
  | { kind: 'garbage'; works: boolean }
  /** Works, and responds once `until` resolves. */
  | { kind: 'delay'; until: Promise<void> }

/** The calls that a fault applies to, by default any. `path`: a part of the path, or a pattern. */
type Where = { method?: string; path?: string | RegExp; times?: number }

type Protocol = {
  provider: PaymentProvider
  time: () => number
  handle: (call: Call) => Reply | Promise<Reply>
  errorOf: (status: number) => Reply
}

const matches = ({ method, path }: Where, call: Call) =>
  (method === undefined || method === call.method) &&
  (path === undefined || (typeof path === 'string' ? call.path.includes(path) : path.test(call.path)))

function send(response: ServerResponse, { status, body, headers = {} }: Reply) {
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json'
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}

/** A real HTTP server for one provider. It records calls, and fails as the test says. */
export async function paymentServer({ provider, time, handle, errorOf }: Protocol) {
  const calls: Call[] = []
  const arrivals: (() => void)[] = []
  let hanging = 0
  let faults: { fault: Fault; where: Where; left: number }[] = []

  function takeFault(call: Call) {
    const found = faults.find(({ where }) => matches(where, call))
    if (!found) return undefined
    found.left--
    if (found.left <= 0) faults = faults.filter((each) => each !== found)
    return found.fault
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', headers } = request
    const raw = Buffer.concat(chunks)
    const call = { provider, method, path: url.pathname, query: url.searchParams, headers, raw, at: new Date(time()) }
    calls.push(call)
    for (const resolve of arrivals.splice(0)) resolve()
    const fault = takeFault(call)
    if (!fault) return send(response, await handle(call))
    if (fault.kind === 'delay') {
      const reply = await handle(call)
      await fault.until
      return send(response, reply)
    }
    if (fault.works) await handle(call)
    if (fault.kind === 'hang') hanging++
    if (fault.kind === 'lost') return request.socket.destroy()
    if (fault.kind === 'garbage') return send(response, { status: 200, body: '<h1>Bakımdayız</h1>' })
    if (fault.kind === 'error') return send(response, errorOf(fault.status))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    /** Every call, oldest first. */
    calls,
    /** Fails the next calls at `where`, one unless `times` says more. Faults wait in the order in which they were added. */
    failNext: (fault: Fault, where: Where = {}) => {
      faults.push({ fault, where, left: where.times ?? 1 })
    },
    /** Fails every call at `where` until `mend`. */
    failAlways: (fault: Fault, where: Where = {}) => {
      faults.push({ fault, where, left: Number.POSITIVE_INFINITY })
    },
    mend: () => {
      faults = []
    },
    /** Calls that got no response so far, and whose connection was left open. */
    hanging: () => hanging,
    /** Resolves after this many calls whose path contains this, in total. */
    called: async (path: string, times = 1) => {
      while (calls.filter((call) => call.path.includes(path)).length < times)
        await new Promise<void>((resolve) => arrivals.push(resolve))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
