import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ConnectionConfig } from '../server/lib/db/database.ts'

/**
 * A TCP proxy in front of PostgreSQL that loses connections as networks do. `freeze` stops forwarding on every open
 * connection without closing it; new connections work.
 */
export async function postgresProxy<Connection extends ConnectionConfig>(connection: Connection) {
  const { host = 'localhost', port = 5432 } = connection
  const open = new Set<{ client: Socket; server: Socket }>()
  const proxy = createServer((client) => {
    const server = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    const pair = { client, server }
    open.add(pair)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        open.delete(pair)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    connection: { ...connection, host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 },
    freeze: () => {
      for (const { client, server } of open) {
        client.unpipe(server).pause()
        server.unpipe(client).pause()
      }
    },
    close: () => {
      for (const { client, server } of open) {
        client.destroy()
        server.destroy()
      }
      proxy.close()
    },
  }
}
