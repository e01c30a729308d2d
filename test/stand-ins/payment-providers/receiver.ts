import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

export type Receiver = Awaited<ReturnType<typeof receiver>>

/** A server that takes webhooks, and responds as the test says. */
export async function receiver() {
  const received: { body: string; headers: IncomingHttpHeaders }[] = []
  let reply = { status: 200, body: '' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(reply.status).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    received,
    respond: (status: number, body = '') => {
      reply = { status, body }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
