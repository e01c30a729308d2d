import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

// What receives: a server for each endpoint, so that each is a host of its own, as they are outside. It does as little
// as can be for a request, because the cores are for what sends. On PORT it is told what to count and says what it did.
const { PORT = '', ENDPOINTS = '1' } = process.env
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok')
const TIMESTAMP = '"timestamp":"'

/** Endpoints below this one do not answer. */
let hanging = 0
const unanswered = new Set<Socket>()
/** What comes to endpoints from this one on is counted, and timed against the timestamp in its body when `timed`. */
let from = 0
let timed = false
let received = 0
let waits: number[] = []

function receive(endpoint: number, message: Buffer) {
  if (endpoint < from) return
  received++
  if (!timed) return
  const begin = message.indexOf(TIMESTAMP) + TIMESTAMP.length
  waits.push(Date.now() - Date.parse(message.toString('latin1', begin, begin + 24)))
}

function listen(endpoint: number) {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    let rest: Buffer | undefined
    socket.on('data', (chunk) => {
      let data = rest ? Buffer.concat([rest, chunk]) : chunk
      rest = undefined
      while (data.length) {
        const head = data.indexOf('\r\n\r\n') + 4
        const length = head < 4 ? 0 : Number(/content-length: (\d+)/i.exec(data.toString('latin1', 0, head))?.[1])
        if (head < 4 || data.length < head + length) {
          rest = data
          return
        }
        receive(endpoint, data.subarray(head, head + length))
        data = data.subarray(head + length)
        if (endpoint < hanging) unanswered.add(socket)
        else socket.write(ANSWER)
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => unanswered.delete(socket))
  })
  return new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

let ports: number[] = []

const quantile = (part: number) => waits.sort((a, b) => a - b)[Math.floor((waits.length - 1) * part)] ?? 0
const commands: Record<string, (query: URLSearchParams) => unknown> = {
  '/readyz': () => undefined,
  '/ports': () => ports,
  '/count': (query) => {
    from = Number(query.get('from'))
    timed = query.has('timed')
    received = 0
    waits = []
  },
  '/report': () => ({ received, p50: quantile(0.5), p99: quantile(0.99) }),
  '/hang': (query) => {
    hanging = Number(query.get('below'))
    for (const socket of unanswered) socket.write(ANSWER)
    unanswered.clear()
  },
}
// The port that was asked for is taken first, so that none of the endpoints is given it.
const control = createHttpServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://sink')
  response.statusCode = ports.length > 0 ? 200 : 503
  response.end(JSON.stringify(commands[pathname]?.(searchParams) ?? null))
})
await new Promise<void>((resolve) => control.listen(Number(PORT), '127.0.0.1', resolve))
ports = await Promise.all(Array.from({ length: Number(ENDPOINTS) }, (_, endpoint) => listen(endpoint)))

process.once('SIGTERM', () => process.exit(0))
