import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

type Page = { type: string; body: string | Buffer } | { location: string }

/** Serves pages at their paths until the test ends. `calls`: the paths that were asked for. */
export async function webSite(pages: Record<string, Page>) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    const page = pages[request.url ?? '']
    if (!page) return response.writeHead(404).end()
    if ('location' in page) return response.writeHead(302, page).end()
    return response.writeHead(200, { 'content-type': page.type }).end(page.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, calls }
}
