import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export type Received = { headers: IncomingHttpHeaders; raw: Buffer; type: string; id: string; path: string }

/** A webhook receiver: a real HTTP server that records requests and responds as the test defines. */
export async function webhookReceiver() {
  const received: Received[] = []
  const waiting: { wanted: (received: Received[]) => boolean; resolve: () => void }[] = []
  let respond = (response: ServerResponse, _: Received) => {
    response.writeHead(200).end('ok')
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // Something else than a webhook, such as the import of a file.
    if (request.method !== 'POST') return response.writeHead(405).end()
    const raw = Buffer.concat(chunks)
    const { type, id } = JSON.parse(raw.toString())
    const message = { headers: request.headers, raw, type, id, path: request.url ?? '' }
    received.push(message)
    respond(response, message)
    for (const waiter of waiting.splice(0)) {
      if (waiter.wanted(received)) waiter.resolve()
      else waiting.push(waiter)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
    received,
    respondWith: (next: typeof respond) => {
      respond = next
    },
    /** Resolves when `wanted` is true of the requests so far. */
    until: async (wanted: (received: Received[]) => boolean) => {
      if (wanted(received)) return
      await new Promise<void>((resolve) => waiting.push({ wanted, resolve }))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
