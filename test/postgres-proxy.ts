import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import type { ConnectionConfig } from '../server/lib/db/database.ts'

/** The message of a query that is lost when a connection is cut. */
export type CutSide = 'request' | 'response'

/**
 * A TCP proxy in front of PostgreSQL that loses connections as networks do. `freeze` stops forwarding on every open
 * connection without closing it; new connections work. PostgreSQL refuses what contains one of `refused`, because it
 * arrives misspelled. `replaced`: texts of the same length in what PostgreSQL sends. `onResponse` is called with what PostgreSQL sends, once that is in the socket of the client.
 */
export async function postgresProxy<Connection extends ConnectionConfig>(
  connection: Connection,
  {
    refused = [],
    replaced = [],
    onResponse,
  }: { refused?: string[]; replaced?: [RegExp, string][]; onResponse?: (bytes: Buffer) => void } = {},
) {
  const { host = 'localhost', port = 5432 } = connection
  const open = new Set<{ client: Socket; server: Socket }>()
  let connections = 0
  const destroyAll = () => {
    for (const { client, server } of open) {
      client.destroy()
      server.destroy()
    }
  }
  let cut: { messages: number; side: CutSide; done: () => void } | undefined
  /** Counts a message towards the cut. true: it was the last one. */
  const isCutAt = () => cut !== undefined && --cut.messages === 0
  const cutNow = () => {
    const done = cut?.done
    cut = undefined
    destroyAll()
    done?.()
  }
  let isDown = false
  const proxy = createServer((client) => {
    connections++
    if (isDown) return client.destroy()
    const server = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    const pair = { client, server }
    open.add(pair)
    client.on('data', () => {
      if (!isCutAt()) return
      if (cut?.side === 'request') cutNow()
      else server.prependOnceListener('data', cutNow)
    })
    client.pipe(misspelled(refused)).pipe(server)
    if (replaced.length > 0) server.pipe(rewritten(replaced)).pipe(client)
    else server.pipe(client)
    if (onResponse) server.on('data', onResponse)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
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
    /** Connections so far, and those that are open now. */
    count: () => ({ all: connections, open: open.size }),
    freeze: () => {
      for (const { client, server } of open) {
        client.unpipe().pause()
        server.unpipe(client).pause()
      }
    },
    /**
     * Destroys all connections when the clients have sent this many more messages: before the last one is forwarded, or
     * before the response to it is.
     */
    cutAfter: (messages: number, side: CutSide) =>
      new Promise<void>((done) => {
        cut = { messages, side, done }
      }),
    /** Breaks all connections, and all new ones until `up`. */
    down: () => {
      isDown = true
      destroyAll()
    },
    up: () => {
      isDown = false
    },
    close: () => {
      destroyAll()
      proxy.close()
    },
  }
}

const rewritten = (texts: [RegExp, string][]) =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(
        null,
        Buffer.from(
          texts.reduce((text, [from, to]) => text.replace(from, to), chunk.toString('latin1')),
          'latin1',
        ),
      ),
  })

/** Replaces the first letter of these texts, which keeps the length of the message. */
const misspelled = (texts: string[]) =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      for (const at of texts.map((text) => chunk.indexOf(text))) if (at >= 0) chunk.write('?', at)
      done(null, chunk)
    },
  })
