import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'

let t: TestApp | undefined
afterEach(() => t?.close())

/** Opens a connection from one of the addresses of this machine. */
async function open(from = '127.0.0.1') {
  const socket = connect({ port: Number(new URL(t?.url ?? '').port), host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, closed }
}
type Connection = Awaited<ReturnType<typeof open>>

/** Sends a request and returns the first part of what the server sends. */
async function send({ socket }: Connection, lines: string[]) {
  socket.write(lines.join('\r\n'))
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return data instanceof Buffer ? data.toString() : 'closed'
}
const respond = (connection: Connection) => send(connection, ['GET /healthz HTTP/1.1', 'Host: meydan.test', '', ''])

/** Opens a connection whose request is being handled, and waits for the rest of its body. */
async function openBusy(from?: string) {
  const connection = await open(from)
  const head = ['POST /api/auth/sign-out HTTP/1.1', 'Host: meydan.test', 'Content-Type: application/json']
  expect(await send(connection, [...head, 'Content-Length: 2', 'Expect: 100-continue', '', ''])).toMatch(/ 100 /)
  return connection
}
const finish = (connection: Connection) => send(connection, ['{}'])

test('at the limit of an address, a new connection replaces the one that has been idle for longest', async () => {
  t = await testApp({ CONNECTION_LIMIT_PER_ADDRESS: '3' })
  const [first, second, third] = [await open(), await open(), await open()]
  for (const connection of [second, first, third]) expect(await respond(connection)).toMatch(/ 200 /)
  const fourth = await open()
  expect(await respond(fourth)).toMatch(/ 200 /)
  await second.closed
  for (const connection of [first, third, fourth]) expect(await respond(connection)).toMatch(/ 200 /)
})

test('a connection is refused while all others of its address have requests, and other addresses are not affected', async () => {
  t = await testApp({ CONNECTION_LIMIT_PER_ADDRESS: '2' })
  const [first, second] = [await openBusy(), await openBusy()]
  const refused = await open()
  expect(await respond(refused)).toBe('closed')
  expect(await respond(await open('127.0.0.2'))).toMatch(/ 200 /)
  expect(await finish(first)).toMatch(/HTTP\/1.1 \d/)
  expect(await respond(await open())).toMatch(/ 200 /)
  await first.closed
  expect(await finish(second)).toMatch(/HTTP\/1.1 \d/)
})

test('the total of all addresses is bounded, and behind a proxy it is the only limit', async () => {
  t = await testApp({ CONNECTION_LIMIT: '3', CONNECTION_LIMIT_PER_ADDRESS: '1', TRUST_PROXY: 'true' })
  const busy = [await openBusy(), await openBusy(), await openBusy('127.0.0.2')]
  expect(await respond(await open('127.0.0.3'))).toBe('closed')
  for (const connection of busy) expect(await finish(connection)).toMatch(/HTTP\/1.1 \d/)
  const idle = [await open('127.0.0.4'), await open('127.0.0.5'), await open('127.0.0.6')]
  for (const connection of idle) expect(await respond(connection)).toMatch(/ 200 /)
  expect(await respond(await open())).toMatch(/ 200 /)
  await idle[0]?.closed
})
