import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../../test/factories.ts'
import { testImage } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'

let respond: RequestListener
const t = await testApp()
const owner = await withWorkspace(t)
const server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await t.close()
})

const importFrom = (address: string, more: object = {}) => owner.post('/api/v1/media/import', { url: address, ...more })
const nothingLeft = () =>
  until(async () => expect(await readdir(join(t.deps.config.DATA_DIR, 'uploads', 'temporary'))).toEqual([]))

test('201 with the file behind an address, and 200 when the workspace has it', async () => {
  const bytes = await testImage(50, 40)
  respond = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(bytes)
  const { body } = expectStatus(await importFrom(`${url}/a/%C5%9Eimit.png?x=1`, { alt: 'A tray' }), 201)
  expect(body).toMatchObject({ kind: 'image', mime: 'image/png', name: 'Şimit.png', alt: 'A tray', width: 50 })
  expect(expectStatus(await importFrom(url), 200).body.id).toBe(body.id)
  const keyed = owner.with({ 'idempotency-key': 'import-once' })
  expectStatus(await keyed.post('/api/v1/media/import', { url }), 200)
  const again = await keyed.post('/api/v1/media/import', { url })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('400 with the reason when the file cannot be fetched', async () => {
  respond = (_, response) => response.writeHead(404).end()
  expect(expectProblem(await importFrom(url), 400, 'import_failed').detail).toContain('404')
  respond = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  expect(expectProblem(await importFrom(url), 400, 'import_failed').detail).toContain('redirects')
  respond = (_, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('x')
    response.socket?.destroySoon()
  }
  expectProblem(await importFrom(url), 400, 'import_failed')
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const address = closed.address()
  closed.close()
  await once(closed, 'close')
  const port = typeof address === 'object' && address ? address.port : 0
  expectProblem(await importFrom(`http://127.0.0.1:${port}/`), 400, 'import_failed')
  await nothingLeft()
})

test('400 for an address that is not on the public internet, or not http', async () => {
  for (const address of ['http://10.0.0.1/a.png', 'http://169.254.169.254/', 'file:///etc/passwd', 'not a url'])
    expectProblem(await importFrom(address), 400, 'url_not_allowed', '/url')
})

test('413 for what is larger than a file of its type may be, and 415 for what is no file to keep', async () => {
  const head = await testImage()
  respond = (_, response) => {
    response.writeHead(200)
    response.write(head)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1_000_000)));
      response.once('drain', more)
    }
    more()
  }
  expectProblem(await importFrom(url), 413, 'file_too_large')
  respond = (_, response) => response.end('<html></html>')
  expectProblem(await importFrom(url), 415, 'file_type_refused')
  await nothingLeft()
})

test('403 for a viewer', async () => {
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  expectProblem(await viewer.post('/api/v1/media/import', { url }), 403, 'forbidden_role')
})
