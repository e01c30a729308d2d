/** Receives webhooks, and counts them by the id of their event. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startReceiver(address: string) {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      counts.set(id, (counts.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  }).listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://${address}:${port}/webhooks`, counts, close: () => server.closeAllConnections() }
}
